package dev.gyre.atomics.tornadovm.graal;

import jdk.graal.compiler.lir.asm.CompilationResultBuilder;
import jdk.vm.ci.meta.Value;

/** How a backend's assembler takes text and names operands. */
public interface Printer {

  /** Adds a line to the kernel. */
  void emit(CompilationResultBuilder builder, String line);

  /** The name of a variable, or a constant. */
  String value(CompilationResultBuilder builder, Value value);

  /** The address of an element, as the backend's language writes it in an access. */
  String address(CompilationResultBuilder builder, Value address);
}
