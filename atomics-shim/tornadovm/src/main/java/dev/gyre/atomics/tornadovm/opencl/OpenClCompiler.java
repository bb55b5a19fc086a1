package dev.gyre.atomics.tornadovm.opencl;

import dev.gyre.atomics.tornadovm.DeviceCompiler;
import dev.gyre.atomics.tornadovm.MiscompiledKernelException;
import dev.gyre.atomics.tornadovm.Syntax;
import dev.gyre.atomics.tornadovm.c.CDialect;
import dev.gyre.atomics.tornadovm.c.CStructure;
import dev.gyre.atomics.tornadovm.graal.MendArithmeticPhase;
import dev.gyre.atomics.tornadovm.graal.Printer;
import java.util.Optional;
import uk.ac.manchester.tornado.api.enums.TornadoVMBackendType;
import uk.ac.manchester.tornado.drivers.opencl.OCLTargetDevice;
import uk.ac.manchester.tornado.drivers.opencl.graal.OCLInstalledCode;
import uk.ac.manchester.tornado.drivers.opencl.graal.asm.OCLAssembler;
import uk.ac.manchester.tornado.drivers.opencl.graal.lir.OCLUnary;
import uk.ac.manchester.tornado.drivers.opencl.runtime.OCLTornadoDevice;
import uk.ac.manchester.tornado.runtime.common.TornadoInstalledCode;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;
import uk.ac.manchester.tornado.runtime.graal.backend.XPUBackend;
import uk.ac.manchester.tornado.runtime.tasks.meta.TaskDataContext;

/** TornadoVM's OpenCL backend. */
public final class OpenClCompiler implements DeviceCompiler {

  /**
   * How kernels are built: with the language that has C11 atomics, and without the fast arithmetic
   * that TornadoVM asks for when nothing is said.
   */
  private static final String FLAGS = "-cl-std=CL3.0 -w";

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
    this.device = (OCLTornadoDevice) device;
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
  public Syntax syntax() {
    OCLTargetDevice physical = device.getPhysicalDevice();
    OpenClFeatures features = OpenClDriver.featuresOf(physical.getDevicePointer());
    return features.hasInlinePtx() ? new InlinePtxSyntax(features) : new OpenClSyntax(features);
  }

  @Override
  public void mend() {
    MendArithmeticPhase.forC(CDialect.OPENCL, PRINTER)
        .insertInto(device.getBackend().getTornadoSuites().getSuites().getLowTier());
  }

  @Override
  public void configure(TaskDataContext task) {
    task.setCompilerFlags(TornadoVMBackendType.OPENCL, FLAGS);
  }

  @Override
  public void check(String source) {
    Optional<String> flaw = CStructure.flaw(source);
    if (flaw.isPresent()) {
      throw new MiscompiledKernelException(flaw.get());
    }
  }

  @Override
  public Printer printer() {
    return PRINTER;
  }

  @Override
  public String driver() {
    return OpenClDriver.versionOf(device.getPhysicalDevice().getDevicePointer());
  }

  @Override
  public String computeCapability() {
    return OpenClDriver.computeCapabilityOf(device.getPhysicalDevice().getDevicePointer());
  }

  /** Registers for so many threads of the kernel are there, so for as many in smaller blocks. */
  @Override
  public int blocksPerUnit(TornadoInstalledCode code, int blockSize) {
    long largest =
        OpenClDriver.largestBlock(
            ((OCLInstalledCode) code).getKernel().getOclKernelID(),
            device.getPhysicalDevice().getDevicePointer());
    return (int) Math.max(1, largest / blockSize);
  }

  @Override
  public String source(TornadoInstalledCode code) {
    return ((OCLInstalledCode) code).getGeneratedSourceCode();
  }
}
