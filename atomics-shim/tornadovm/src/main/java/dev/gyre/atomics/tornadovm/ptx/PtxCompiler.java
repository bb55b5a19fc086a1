package dev.gyre.atomics.tornadovm.ptx;

import dev.gyre.atomics.tornadovm.DeviceCompiler;
import dev.gyre.atomics.tornadovm.SharedMemory;
import dev.gyre.atomics.tornadovm.Syntax;
import dev.gyre.atomics.tornadovm.graal.MendArithmeticPhase;
import dev.gyre.atomics.tornadovm.graal.PairLoadsPhase;
import dev.gyre.atomics.tornadovm.graal.Printer;
import dev.gyre.atomics.tornadovm.nvidia.CudaDriver;
import dev.gyre.atomics.tornadovm.nvidia.CudaSharedMemory;
import dev.gyre.atomics.tornadovm.nvidia.NvidiaDriver;
import dev.gyre.atomics.tornadovm.nvidia.PtxSyntax;
import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;
import java.util.Optional;
import uk.ac.manchester.tornado.api.common.Access;
import uk.ac.manchester.tornado.api.memory.XPUBuffer;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.drivers.ptx.CUDAComputeCapability;
import uk.ac.manchester.tornado.drivers.ptx.PTXContext;
import uk.ac.manchester.tornado.drivers.ptx.PTXDevice;
import uk.ac.manchester.tornado.drivers.ptx.PTXDeviceContext;
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

/** TornadoVM's PTX backend. */
public final class PtxCompiler implements DeviceCompiler {

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
    this.device = (PTXTornadoDevice) device;
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
    return ((PTXSuitesProvider) device.getBackend().getTornadoSuites()).getSuites();
  }

  @Override
  public Syntax syntax() {
    return new PtxSyntax(capability().getMajor() >= 8);
  }

  @Override
  public void mend() {
    // First, while shifts are still what they are.
    new PairLoadsPhase(syntax(), PRINTER, payloadAlignment()).insertInto(suites().getLowTier());
    MendArithmeticPhase.forPtx(PRINTER).insertInto(suites().getLowTier());
  }

  @Override
  public Optional<String> flaw(String source) {
    return PtxBlocks.flaw(source).or(() -> PtxPredicates.flaw(source));
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
    return capability().getMajor() + "." + capability().getMinor();
  }

  private CUDAComputeCapability capability() {
    return ((PTXDevice) device.getPhysicalDevice()).getComputeCapability();
  }

  @Override
  public int blocksPerUnit(TornadoInstalledCode code, int blockSize) {
    return CudaDriver.blocksPerUnit(source(code), blockSize);
  }

  /**
   * As {@code PTXMemorySegmentWrapper.allocate} does, which locks the pages of the host as well.
   */
  @Override
  public void takeRoom(LongArray array, XPUDeviceBufferState state) {
    PTXDeviceContext context = device.getDeviceContext();
    long bytes = array.getSegmentWithHeader().byteSize();
    XPUBuffer room = new PTXMemorySegmentWrapper(context, bytes, 0, Access.READ_WRITE, Long.BYTES);
    long address =
        context.getBufferProvider().getOrAllocateBufferWithSize(bytes, Access.READ_WRITE);
    room.setBuffer(new XPUBuffer.XPUBufferWrapper(address, 0));
    state.setXPUBuffer(room);
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
  public boolean gainsByLocking() {
    return true;
  }

  @Override
  public void unlock(MemorySegment host) {
    context().unregisterHostMemory(host.address());
  }

  private PTXContext context() {
    return ((PTXDevice) device.getPhysicalDevice()).getPTXContext();
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
