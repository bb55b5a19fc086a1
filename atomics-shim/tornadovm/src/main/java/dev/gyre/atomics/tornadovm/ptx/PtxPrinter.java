package dev.gyre.atomics.tornadovm.ptx;

import dev.gyre.atomics.tornadovm.graal.Printer;
import jdk.graal.compiler.lir.asm.CompilationResultBuilder;
import jdk.vm.ci.meta.Value;
import uk.ac.manchester.tornado.drivers.ptx.graal.asm.PTXAssembler;
import uk.ac.manchester.tornado.drivers.ptx.graal.lir.PTXUnary;

/** Writes into TornadoVM's PTX assembler. */
final class PtxPrinter implements Printer {

  @Override
  public void emit(CompilationResultBuilder builder, String line) {
    PTXAssembler assembler = (PTXAssembler) builder.asm;
    assembler.emit("\t");
    assembler.emit(line);
    assembler.eol();
  }

  @Override
  public String value(CompilationResultBuilder builder, Value value) {
    return PTXAssembler.toString(value);
  }

  @Override
  public String address(CompilationResultBuilder builder, Value address) {
    return "[" + value(builder, ((PTXUnary.MemoryAccess) address).getValue()) + "]";
  }
}
