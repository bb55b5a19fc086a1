package dev.gyre.atomics.tornadovm.ptx;

import dev.gyre.atomics.tornadovm.Syntax;
import dev.gyre.atomics.tornadovm.graal.FixArithmeticPhase;
import dev.gyre.atomics.tornadovm.graal.Printer;
import dev.gyre.atomics.tornadovm.nvidia.CudaDriver;
import dev.gyre.atomics.tornadovm.nvidia.NvidiaCompiler;
import dev.gyre.atomics.tornadovm.nvidia.PtxSyntax;
import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;
import java.util.Optional;
import uk.ac.manchester.tornado.api.common.Access;
import uk.ac.manchester.tornado.api.memory.XPUBuffer;
import uk.ac.manchester.tornado.drivers.common.TornadoBufferProvider;
import uk.ac.manchester.tornado.drivers.ptx.CUDAComputeCapability;
import uk.ac.manchester.tornado.drivers.ptx.PTXContext;
import uk.ac.manchester.tornado.drivers.ptx.PTXDevice;
import uk.ac.manchester.tornado.drivers.ptx.graal.PTXInstalledCode;
import uk.ac.manchester.tornado.drivers.ptx.graal.PTXSuitesProvider;
import uk.ac.manchester.tornado.drivers.ptx.graal.asm.PTXAssembler;
import uk.ac.manchester.tornado.drivers.ptx.graal.lir.PTXUnary;
import uk.ac.manchester.tornado.drivers.ptx.mm.PTXMemorySegmentWrapper;
import uk.ac.manchester.tornado.drivers.ptx.runtime.PTXTornadoDevice;
import uk.ac.manchester.tornado.runtime.common.TornadoInstalledCode;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;
import uk.ac.manchester.tornado.runtime.common.XPUDeviceBufferState;
import uk.ac.manchester.tornado.runtime.graal.TornadoSuites;
import uk.ac.manchester.tornado.runtime.graal.backend.XPUBackend;
import uk.ac.manchester.tornado.runtime.tasks.CompilableTask;

/** Compiler of TornadoVM's PTX backend. */
public final class PtxCompiler extends NvidiaCompiler {

  private static final Printer PRINTER =
      Printer.of(
          PTXAssembler.class,
          (assembler, line) -> {
            assembler.emit("\t");
            assembler.emit(line);
            assembler.eol();
          },
          (assembler, value) -> PTXAssembler.toString(value),
          access -> ((PTXUnary.MemoryAccess) access).getValue(),
          "[%s]");

  private final PTXTornadoDevice device;

  public PtxCompiler(TornadoXPUDevice device) {
    super(device, PRINTER);
    this.device = (PTXTornadoDevice) device;
  }

  @Override
  public XPUBackend<?> backend() {
    return device.getBackend();
  }

  @Override
  public TornadoSuites suites() {
    return ((PTXSuitesProvider) device.getBackend().getTornadoSuites()).getSuites();
  }

  @Override
  public Syntax syntax() {
    return new PtxSyntax(capability().getMajor() >= 8);
  }

  @Override
  protected FixArithmeticPhase arithmetic() {
    return FixArithmeticPhase.forPtx(PRINTER);
  }

  @Override
  public Optional<String> flaw(String source) {
    return PtxBlocks.flaw(source).or(() -> PtxPredicates.flaw(source));
  }

  @Override
  public String computeCapability() {
    return capability().getMajor() + "." + capability().getMinor();
  }

  private CUDAComputeCapability capability() {
    return ((PTXDevice) device.getPhysicalDevice()).getComputeCapability();
  }

  @Override
  public int blocksPerUnit(TornadoInstalledCode code, int blockSize) {
    return CudaDriver.blocksPerUnit(source(code), blockSize);
  }

  @Override
  protected TornadoBufferProvider buffers() {
    return device.getDeviceContext().getBufferProvider();
  }

  @Override
  protected XPUBuffer wrapper(long bytes, Access access) {
    return new PTXMemorySegmentWrapper(device.getDeviceContext(), bytes, 0, access, Long.BYTES);
  }

  @Override
  public int copyIn(long plan, XPUDeviceBufferState state, long at, MemorySegment host) {
    return device
        .getDeviceContext()
        .enqueueWriteBuffer(
            plan, state.getXPUBuffer().toBuffer() + at, host.byteSize(), host.address(), 0, null);
  }

  @Override
  public int copyOut(long plan, XPUDeviceBufferState state, long at, MemorySegment host) {
    return device
        .getDeviceContext()
        .enqueueReadBuffer(
            plan, state.getXPUBuffer().toBuffer() + at, host.byteSize(), host.address(), 0, null);
  }

  @Override
  public boolean lock(MemorySegment host) {
    return context().registerHostMemory(host.address(), host.byteSize());
  }

  @Override
  public void unlock(MemorySegment host) {
    context().unregisterHostMemory(host.address());
  }

  private PTXContext context() {
    return ((PTXDevice) device.getPhysicalDevice()).getPTXContext();
  }

  @Override
  public TornadoInstalledCode install(long plan, CompilableTask task, String entry, String source) {
    byte[] text = source.getBytes(Charset.defaultCharset());
    return device
        .getDeviceContext()
        .installCode(task.meta(), plan, entry, text, task.getMethod().getName(), false);
  }

  @Override
  public String source(TornadoInstalledCode code) {
    return ((PTXInstalledCode) code).getGeneratedSourceCode();
  }

  @Override
  public String entry(TornadoInstalledCode code) {
    return ((PTXInstalledCode) code).getName();
  }
}
