package dev.gyre.atomics.tornadovm.graal;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.graal.compiler.lir.LIRInstruction;
import jdk.graal.compiler.lir.LIRInstructionClass;
import jdk.graal.compiler.lir.asm.CompilationResultBuilder;
import jdk.vm.ci.meta.Value;

/**
 * Statements of the backend's language, in which the names of operands are inserted when they are
 * emitted.
 */
public final class TextInstruction extends LIRInstruction {

  public static final LIRInstructionClass<TextInstruction> TYPE =
      LIRInstructionClass.create(TextInstruction.class);

  private static final Pattern PLACE = Pattern.compile("\\$([raxy])");

  private final String text;
  private final Printer printer;

  // Not final: the compiler replaces operands.
  @Def({OperandFlag.REG, OperandFlag.ILLEGAL})
  Value result;

  @Use({OperandFlag.COMPOSITE, OperandFlag.REG, OperandFlag.CONST, OperandFlag.ILLEGAL})
  Value address;

  @Use({OperandFlag.REG, OperandFlag.CONST, OperandFlag.ILLEGAL})
  Value x;

  @Use({OperandFlag.REG, OperandFlag.CONST, OperandFlag.ILLEGAL})
  Value y;

  TextInstruction(String text, Printer printer, Value result, Value address, Value x, Value y) {
    super(TYPE);
    this.text = text;
    this.printer = printer;
    this.result = result;
    this.address = address;
    this.x = x;
    this.y = y;
  }

  @Override
  public void emitCode(CompilationResultBuilder builder) {
    if (!text.isEmpty()) {
      printer.emit(
          builder,
          PLACE
              .matcher(text)
              .replaceAll(place -> Matcher.quoteReplacement(operand(builder, place.group(1)))));
    }
  }

  private String operand(CompilationResultBuilder builder, String place) {
    return switch (place) {
      case "r" -> printer.value(builder, result);
      case "a" -> printer.address(builder, address);
      case "x" -> printer.value(builder, x);
      default -> printer.value(builder, y);
    };
  }
}
