package dev.gyre.atomics.tornadovm.opencl;

import dev.gyre.atomics.tornadovm.graal.Printer;
import jdk.graal.compiler.lir.asm.CompilationResultBuilder;
import jdk.vm.ci.meta.Value;
import uk.ac.manchester.tornado.drivers.opencl.graal.asm.OCLAssembler;
import uk.ac.manchester.tornado.drivers.opencl.graal.lir.OCLUnary;

/** Writes into TornadoVM's assembler of OpenCL C. */
final class OpenClPrinter implements Printer {

  @Override
  public void emit(CompilationResultBuilder builder, String line) {
    OCLAssembler assembler = (OCLAssembler) builder.asm;
    assembler.indent();
    assembler.emit(line);
    assembler.eol();
  }

  @Override
  public String value(CompilationResultBuilder builder, Value value) {
    return ((OCLAssembler) builder.asm).toString(value);
  }

  @Override
  public String address(CompilationResultBuilder builder, Value address) {
    return value(builder, ((OCLUnary.MemoryAccess) address).getValue());
  }
}
