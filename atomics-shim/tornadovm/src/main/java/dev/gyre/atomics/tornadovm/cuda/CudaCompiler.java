package dev.gyre.atomics.tornadovm.cuda;

import dev.gyre.atomics.tornadovm.Syntax;
import dev.gyre.atomics.tornadovm.c.CDialect;
import dev.gyre.atomics.tornadovm.c.CStructure;
import dev.gyre.atomics.tornadovm.graal.FixArithmeticPhase;
import dev.gyre.atomics.tornadovm.graal.Printer;
import dev.gyre.atomics.tornadovm.nvidia.CudaDriver;
import dev.gyre.atomics.tornadovm.nvidia.NvidiaCompiler;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.Optional;
import uk.ac.manchester.tornado.api.common.Access;
import uk.ac.manchester.tornado.api.memory.XPUBuffer;
import uk.ac.manchester.tornado.drivers.common.TornadoBufferProvider;
import uk.ac.manchester.tornado.drivers.cuda.CUDAContext;
import uk.ac.manchester.tornado.drivers.cuda.CUDADevice;
import uk.ac.manchester.tornado.drivers.cuda.CUDADeviceContext;
import uk.ac.manchester.tornado.drivers.cuda.CUDAProgram;
import uk.ac.manchester.tornado.drivers.cuda.graal.CUDAInstalledCode;
import uk.ac.manchester.tornado.drivers.cuda.graal.asm.CUDAAssembler;
import uk.ac.manchester.tornado.drivers.cuda.graal.lir.CUDAUnary;
import uk.ac.manchester.tornado.drivers.cuda.mm.CUDAMemorySegmentWrapper;
import uk.ac.manchester.tornado.drivers.cuda.runtime.CUDATornadoDevice;
import uk.ac.manchester.tornado.runtime.common.TornadoInstalledCode;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;
import uk.ac.manchester.tornado.runtime.common.XPUDeviceBufferState;
import uk.ac.manchester.tornado.runtime.graal.TornadoSuites;
import uk.ac.manchester.tornado.runtime.graal.backend.XPUBackend;
import uk.ac.manchester.tornado.runtime.tasks.CompilableTask;

/**
 * Compiler of TornadoVM's CUDA backend, which uses NVRTC. It compiles for the architecture of the
 * present device, and takes no options.
 */
public final class CudaCompiler extends NvidiaCompiler {

  private static final Printer PRINTER =
      Printer.of(
          CUDAAssembler.class,
          (assembler, line) -> {
            assembler.indent();
            assembler.emit(line);
            assembler.eol();
          },
          CUDAAssembler::toString,
          access -> ((CUDAUnary.MemoryAccess) access).getValue(),
          "%s");

  private final CUDATornadoDevice device;

  public CudaCompiler(TornadoXPUDevice device) {
    super(device, PRINTER);
    this.device = (CUDATornadoDevice) device;
  }

  @Override
  public XPUBackend<?> backend() {
    return device.getBackend();
  }

  @Override
  public TornadoSuites suites() {
    return device.getBackend().getTornadoSuites().getSuites();
  }

  @Override
  public Syntax syntax() {
    return new CudaSyntax(physical().getComputeCapabilityMajor() >= 8);
  }

  @Override
  protected FixArithmeticPhase arithmetic() {
    return FixArithmeticPhase.forC(CDialect.CUDA, PRINTER);
  }

  @Override
  public Optional<String> flaw(String source) {
    return CStructure.flaw(source);
  }

  @Override
  public String computeCapability() {
    return physical().getComputeCapabilityMajor() + "." + physical().getComputeCapabilityMinor();
  }

  private CUDADevice physical() {
    return (CUDADevice) device.getPhysicalDevice();
  }

  /**
   * Makes TornadoVM's context current, which it does itself for allocations, copies and launches,
   * and not for freeing. Its handle is the address of a structure that begins with the driver's
   * handle.
   */
  @Override
  public void bindThread() {
    CudaDriver.setCurrent(context().getContextId());
  }

  /**
   * Returns the number of blocks. TornadoVM's handle of a kernel is the address of a structure that
   * begins with the function.
   */
  @Override
  public int blocksPerUnit(TornadoInstalledCode code, int blockSize) {
    return CudaDriver.blocksPerUnit(
        ((CUDAInstalledCode) code).getKernel().getOclKernelID(), blockSize);
  }

  @Override
  protected TornadoBufferProvider buffers() {
    return deviceContext().getBufferProvider();
  }

  @Override
  protected XPUBuffer wrapper(long bytes, Access access) {
    return new CUDAMemorySegmentWrapper(bytes, deviceContext(), 0, access, Long.BYTES);
  }

  @Override
  public int copyIn(long plan, XPUDeviceBufferState state, long at, MemorySegment host) {
    long buffer = state.getXPUBuffer().toBuffer();
    return deviceContext()
        .enqueueWriteBuffer(plan, buffer, at, host.byteSize(), host.address(), 0, null);
  }

  @Override
  public int copyOut(long plan, XPUDeviceBufferState state, long at, MemorySegment host) {
    long buffer = state.getXPUBuffer().toBuffer();
    return deviceContext()
        .enqueueReadBuffer(plan, buffer, at, host.byteSize(), host.address(), 0, null);
  }

  private CUDADeviceContext deviceContext() {
    return (CUDADeviceContext) device.getDeviceContext();
  }

  @Override
  public boolean lock(MemorySegment host) {
    return context().registerPinnedMemory(host.address(), host.byteSize()) == 0;
  }

  @Override
  public void unlock(MemorySegment host) {
    int _ = context().unregisterPinnedMemory(host.address());
  }

  private CUDAContext context() {
    return deviceContext().getPlatformContext();
  }

  @Override
  public TornadoInstalledCode install(long plan, CompilableTask task, String entry, String source) {
    byte[] text = source.getBytes(Charset.defaultCharset());
    return deviceContext().installCode(plan, task.meta(), task.getId(), entry, text);
  }

  @Override
  public ByteBuffer image(TornadoInstalledCode code) {
    return CudaImages.of(((CUDAInstalledCode) code).getProgram());
  }

  @Override
  public TornadoInstalledCode load(String entry, String source, ByteBuffer image) {
    return CudaImages.load(deviceContext(), entry, source, image);
  }

  @Override
  public String translator() {
    return "NVRTC " + CUDAProgram.getNvrtcVersion();
  }

  @Override
  public String source(TornadoInstalledCode code) {
    return ((CUDAInstalledCode) code).getGeneratedSourceCode();
  }

  @Override
  public String entry(TornadoInstalledCode code) {
    return ((CUDAInstalledCode) code).getName();
  }
}
