package dev.gyre.atomics.tornadovm.graal;

import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import jdk.graal.compiler.lir.ConstantValue;
import jdk.graal.compiler.lir.Variable;
import jdk.graal.compiler.lir.asm.CompilationResultBuilder;
import jdk.vm.ci.meta.Value;

/** How a backend's assembler prints text and operands. */
public final class Printer {

  private final BiConsumer<Object, String> line;
  private final BiFunction<Object, Value, String> name;
  private final UnaryOperator<Value> element;
  private final String access;

  private Printer(
      BiConsumer<Object, String> line,
      BiFunction<Object, Value, String> name,
      UnaryOperator<Value> element,
      String access) {
    this.line = line;
    this.name = name;
    this.element = element;
    this.access = access;
  }

  /**
   * Returns a printer, without a class of Graal in the backend's code.
   *
   * @param assembler class of the assembler
   * @param line adds a line to the kernel
   * @param name returns the name of a variable, or a constant
   * @param element returns the address in a memory access
   * @param access format of that address in the backend's language
   */
  public static <A> Printer of(
      Class<A> assembler,
      BiConsumer<A, String> line,
      BiFunction<A, Value, String> name,
      UnaryOperator<Value> element,
      String access) {
    return new Printer(
        (a, text) -> line.accept(assembler.cast(a), text),
        (a, value) -> name.apply(assembler.cast(a), value),
        element,
        access);
  }

  /** Adds a line to the kernel. */
  void emit(CompilationResultBuilder builder, String text) {
    line.accept(builder.asm, text);
  }

  /** Returns the name of a variable, or a constant. */
  String value(CompilationResultBuilder builder, Value value) {
    return name.apply(builder.asm, value);
  }

  /** Returns the address of an element, as the backend's language writes it in an access. */
  String address(CompilationResultBuilder builder, Value address) {
    boolean number = address instanceof Variable || address instanceof ConstantValue;
    return access.formatted(value(builder, number ? address : element.apply(address)));
  }
}
