package dev.gyre.atomics.tornadovm.graal;

import jdk.graal.compiler.lir.LIRInstruction;
import jdk.graal.compiler.lir.LIRInstructionClass;
import jdk.graal.compiler.lir.asm.CompilationResultBuilder;
import jdk.vm.ci.meta.Value;

/** Statement with two results, {@code $r} and {@code $s}, and an address, {@code $a}. */
public final class PairInstruction extends LIRInstruction {

  public static final LIRInstructionClass<PairInstruction> TYPE =
      LIRInstructionClass.create(PairInstruction.class);

  private final String text;
  private final Printer printer;

  // Not final: the compiler replaces operands.
  @Def({OperandFlag.REG})
  Value first;

  @Def({OperandFlag.REG})
  Value second;

  @Use({OperandFlag.COMPOSITE})
  Value address;

  PairInstruction(String text, Printer printer, Value first, Value second, Value address) {
    super(TYPE);
    this.text = text;
    this.printer = printer;
    this.first = first;
    this.second = second;
    this.address = address;
  }

  @Override
  public void emitCode(CompilationResultBuilder builder) {
    printer.emit(
        builder,
        text.replace("$r", printer.value(builder, first))
            .replace("$s", printer.value(builder, second))
            .replace("$a", printer.address(builder, address)));
  }
}
