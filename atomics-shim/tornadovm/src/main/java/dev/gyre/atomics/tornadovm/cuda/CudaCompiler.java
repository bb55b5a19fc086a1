package dev.gyre.atomics.tornadovm.cuda;

import dev.gyre.atomics.tornadovm.DeviceCompiler;
import dev.gyre.atomics.tornadovm.SharedMemory;
import dev.gyre.atomics.tornadovm.Syntax;
import dev.gyre.atomics.tornadovm.c.CDialect;
import dev.gyre.atomics.tornadovm.c.CStructure;
import dev.gyre.atomics.tornadovm.graal.MendArithmeticPhase;
import dev.gyre.atomics.tornadovm.graal.PairLoadsPhase;
import dev.gyre.atomics.tornadovm.graal.Printer;
import dev.gyre.atomics.tornadovm.nvidia.CudaDriver;
import dev.gyre.atomics.tornadovm.nvidia.CudaSharedMemory;
import dev.gyre.atomics.tornadovm.nvidia.NvidiaDriver;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.Optional;
import uk.ac.manchester.tornado.api.common.Access;
import uk.ac.manchester.tornado.api.memory.XPUBuffer;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
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
 * TornadoVM's CUDA backend, which NVRTC serves. It compiles for the architecture of the device that
 * is there, and takes no options.
 */
public final class CudaCompiler implements DeviceCompiler {

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
    this.device = (CUDATornadoDevice) device;
  }

  @Override
  public TornadoXPUDevice device() {
    return device;
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
  public void mend() {
    var tier = suites().getLowTier();
    // First, while shifts are still what they are.
    new PairLoadsPhase(syntax(), PRINTER, payloadAlignment()).insertInto(tier);
    MendArithmeticPhase.forC(CDialect.CUDA, PRINTER).insertInto(tier);
  }

  @Override
  public Optional<String> flaw(String source) {
    return CStructure.flaw(source);
  }

  @Override
  public Printer printer() {
    return PRINTER;
  }

  @Override
  public String driver() {
    return NvidiaDriver.version();
  }

  @Override
  public String computeCapability() {
    return physical().getComputeCapabilityMajor() + "." + physical().getComputeCapabilityMinor();
  }

  private CUDADevice physical() {
    return (CUDADevice) device.getPhysicalDevice();
  }

  /**
   * TornadoVM makes its context current where it allocates, copies and launches, but not where it
   * frees. Its handle is the address of a structure that begins with the driver's.
   */
  @Override
  public void bindThread() {
    CudaDriver.setCurrent(context().getContextId());
  }

  /** TornadoVM's handle of a kernel is the address of a structure that begins with the function. */
  @Override
  public int blocksPerUnit(TornadoInstalledCode code, int blockSize) {
    return CudaDriver.blocksPerUnit(
        ((CUDAInstalledCode) code).getKernel().getOclKernelID(), blockSize);
  }

  /**
   * As {@code CUDAMemorySegmentWrapper.allocate} does, which locks the pages of the host as well.
   */
  @Override
  public void takeRoom(LongArray array, XPUDeviceBufferState state) {
    CUDADeviceContext context = deviceContext();
    long bytes = array.getSegmentWithHeader().byteSize();
    XPUBuffer room = new CUDAMemorySegmentWrapper(bytes, context, 0, Access.READ_WRITE, Long.BYTES);
    long address =
        context.getBufferProvider().getOrAllocateBufferWithSize(bytes, Access.READ_WRITE);
    room.setBuffer(new XPUBuffer.XPUBufferWrapper(address, 0));
    state.setXPUBuffer(room);
  }

  @Override
  public int copyIn(long plan, XPUDeviceBufferState state, long at, MemorySegment host) {
    long room = state.getXPUBuffer().toBuffer();
    return deviceContext()
        .enqueueWriteBuffer(plan, room, at, host.byteSize(), host.address(), 0, null);
  }

  @Override
  public int copyOut(long plan, XPUDeviceBufferState state, long at, MemorySegment host) {
    long room = state.getXPUBuffer().toBuffer();
    return deviceContext()
        .enqueueReadBuffer(plan, room, at, host.byteSize(), host.address(), 0, null);
  }

  private CUDADeviceContext deviceContext() {
    return (CUDADeviceContext) device.getDeviceContext();
  }

  @Override
  public boolean lock(MemorySegment host) {
    return context().registerPinnedMemory(host.address(), host.byteSize()) == 0;
  }

  @Override
  public boolean gainsByLocking() {
    return true;
  }

  @Override
  public void unlock(MemorySegment host) {
    int _ = context().unregisterPinnedMemory(host.address());
  }

  private CUDAContext context() {
    return deviceContext().getPlatformContext();
  }

  @Override
  public SharedMemory sharedMemory() {
    return new CudaSharedMemory(this::bindThread);
  }

  @Override
  public long sharedBytes() {
    return NvidiaDriver.SHARED_BYTES;
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
