package dev.gyre.atomics.tornadovm.opencl;

import dev.gyre.atomics.tornadovm.DeviceCompiler;
import dev.gyre.atomics.tornadovm.SharedMemory;
import dev.gyre.atomics.tornadovm.Syntax;
import dev.gyre.atomics.tornadovm.c.CDialect;
import dev.gyre.atomics.tornadovm.c.CStructure;
import dev.gyre.atomics.tornadovm.graal.FixArithmeticPhase;
import dev.gyre.atomics.tornadovm.graal.Printer;
import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;
import java.util.Optional;
import uk.ac.manchester.tornado.api.enums.TornadoVMBackendType;
import uk.ac.manchester.tornado.drivers.opencl.OCLDeviceContext;
import uk.ac.manchester.tornado.drivers.opencl.graal.OCLInstalledCode;
import uk.ac.manchester.tornado.drivers.opencl.graal.asm.OCLAssembler;
import uk.ac.manchester.tornado.drivers.opencl.graal.lir.OCLUnary;
import uk.ac.manchester.tornado.drivers.opencl.runtime.OCLTornadoDevice;
import uk.ac.manchester.tornado.runtime.common.TornadoInstalledCode;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;
import uk.ac.manchester.tornado.runtime.common.XPUDeviceBufferState;
import uk.ac.manchester.tornado.runtime.graal.TornadoSuites;
import uk.ac.manchester.tornado.runtime.graal.backend.XPUBackend;
import uk.ac.manchester.tornado.runtime.tasks.CompilableTask;
import uk.ac.manchester.tornado.runtime.tasks.meta.TaskDataContext;

/** Compiler of TornadoVM's OpenCL backend. */
public final class OpenClCompiler extends DeviceCompiler {

  /**
   * Build options: the language version with C11 atomics, without the fast arithmetic that
   * TornadoVM requests by default.
   */
  private static final String FLAGS = "-cl-std=CL3.0 -w";

  /**
   * Build option for correctly rounded quotients and roots of floats, if the device supports it.
   */
  private static final String ROUNDED = " -cl-fp32-correctly-rounded-divide-sqrt";

  private static final Printer PRINTER =
      Printer.of(
          OCLAssembler.class,
          (assembler, line) -> {
            assembler.indent();
            assembler.emit(line);
            assembler.eol();
          },
          OCLAssembler::toString,
          access -> ((OCLUnary.MemoryAccess) access).getValue(),
          "%s");

  private final OCLTornadoDevice device;

  public OpenClCompiler(TornadoXPUDevice device) {
    super(device, PRINTER);
    this.device = (OCLTornadoDevice) device;
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
    OpenClFeatures features = features();
    return features.hasInlinePtx() ? new InlinePtxSyntax(features) : new OpenClSyntax(features);
  }

  private OpenClFeatures features() {
    return OpenClDriver.featuresOf(device.getPhysicalDevice().getDevicePointer());
  }

  @Override
  public void configure(TaskDataContext task) {
    boolean rounds = features().declares(OpenClFeatures.ROUNDED_DIVISION);
    task.setCompilerFlags(TornadoVMBackendType.OPENCL, rounds ? FLAGS + ROUNDED : FLAGS);
  }

  @Override
  protected FixArithmeticPhase arithmetic() {
    return FixArithmeticPhase.forC(CDialect.OPENCL, PRINTER);
  }

  @Override
  public Optional<String> flaw(String source) {
    return CStructure.flaw(source);
  }

  @Override
  public String driver() {
    return OpenClDriver.versionOf(device.getPhysicalDevice().getDevicePointer());
  }

  @Override
  public String computeCapability() {
    return OpenClDriver.computeCapabilityOf(device.getPhysicalDevice().getDevicePointer());
  }

  /**
   * Returns the number of blocks: the registers suffice for a number of threads, and so for as many
   * in smaller blocks.
   */
  @Override
  public int blocksPerUnit(TornadoInstalledCode code, int blockSize) {
    long largest =
        OpenClDriver.largestBlock(
            ((OCLInstalledCode) code).getKernel().getOclKernelID(),
            device.getPhysicalDevice().getDevicePointer());
    return (int) Math.max(1, largest / blockSize);
  }

  @Override
  public int copyIn(long plan, XPUDeviceBufferState state, long at, MemorySegment host) {
    long buffer = state.getXPUBuffer().toBuffer();
    return context().enqueueWriteBuffer(plan, buffer, at, host.byteSize(), host.address(), 0, null);
  }

  @Override
  public int copyOut(long plan, XPUDeviceBufferState state, long at, MemorySegment host) {
    long buffer = state.getXPUBuffer().toBuffer();
    return context().enqueueReadBuffer(plan, buffer, at, host.byteSize(), host.address(), 0, null);
  }

  private OCLDeviceContext context() {
    return (OCLDeviceContext) device.getDeviceContext();
  }

  @Override
  public SharedMemory sharedMemory() {
    return new OpenClSharedMemory(
        context().getPlatformContext().getContextId(),
        device.getPhysicalDevice().getDevicePointer());
  }

  @Override
  public long sharedBytes() {
    return OpenClDriver.sharedBytesOf(device.getPhysicalDevice().getDevicePointer());
  }

  @Override
  public TornadoInstalledCode install(long plan, CompilableTask task, String entry, String source) {
    byte[] text = source.getBytes(Charset.defaultCharset());
    return context().installCode(plan, task.meta(), task.getId(), entry, text);
  }

  @Override
  public String source(TornadoInstalledCode code) {
    return ((OCLInstalledCode) code).getGeneratedSourceCode();
  }

  @Override
  public String entry(TornadoInstalledCode code) {
    return ((OCLInstalledCode) code).getName();
  }
}
