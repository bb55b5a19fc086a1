package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.tornadovm.graal.FixArithmeticPhase;
import dev.gyre.atomics.tornadovm.graal.PairLoadsPhase;
import dev.gyre.atomics.tornadovm.graal.Printer;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;
import uk.ac.manchester.tornado.api.common.Access;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.runtime.common.TornadoInstalledCode;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;
import uk.ac.manchester.tornado.runtime.common.XPUDeviceBufferState;
import uk.ac.manchester.tornado.runtime.graal.TornadoSuites;
import uk.ac.manchester.tornado.runtime.graal.backend.XPUBackend;
import uk.ac.manchester.tornado.runtime.tasks.CompilableTask;
import uk.ac.manchester.tornado.runtime.tasks.meta.TaskDataContext;

/**
 * TornadoVM's compiler for one device, with what kernels and the shim need. Its abstract methods
 * differ between backends.
 */
public abstract class DeviceCompiler {

  private final TornadoXPUDevice device;
  private final Printer printer;

  protected DeviceCompiler(TornadoXPUDevice device, Printer printer) {
    this.device = device;
    this.printer = printer;
  }

  public final TornadoXPUDevice device() {
    return device;
  }

  public final Printer printer() {
    return printer;
  }

  public abstract XPUBackend<?> backend();

  /** Returns the phases of the backend's compiler. */
  public abstract TornadoSuites suites();

  public abstract Syntax syntax();

  /** Sets how the device's driver compiles the text of a task. */
  public void configure(TaskDataContext task) {}

  /**
   * Returns where the backend lost the kernel's control flow, or reads what it has not computed.
   */
  public abstract Optional<String> flaw(String source);

  /**
   * Returns a divisor of the address of each memory's payload on the device, as {@link #allocate}
   * places it.
   */
  public long payloadAlignment() {
    return PayloadAlignment.ofAllocations();
  }

  /** Returns the phase that fixes arithmetic that the backend mistranslates. */
  protected abstract FixArithmeticPhase arithmetic();

  /** Adds the phases that fix what the backend mistranslates. */
  public final void fix() {
    var tier = suites().getLowTier();
    // First, while shifts are unchanged.
    new PairLoadsPhase(syntax(), printer, payloadAlignment()).insertInto(tier);
    arithmetic().insertInto(tier);
  }

  /** Returns the version of the driver; empty if unknown. */
  public abstract String driver();

  /**
   * Returns the compute capability of an NVIDIA GPU, such as {@code 9.0}; empty for other devices.
   */
  public abstract String computeCapability();

  /**
   * Returns how many blocks of a size fit on one compute unit, with the registers of a kernel; at
   * least 1. Runs on the thread for which the device is current.
   */
  public abstract int blocksPerUnit(TornadoInstalledCode code, int blockSize);

  /** Returns the shared memory of a block, in bytes. */
  public abstract long sharedBytes();

  /** Returns the text of a compiled kernel. */
  public abstract String source(TornadoInstalledCode code);

  /** Returns the name of a kernel in its text. */
  public abstract String entry(TornadoInstalledCode code);

  /** See {@link Lowering#install(long, CompilableTask, String, String)}. */
  public abstract TornadoInstalledCode install(
      long plan, CompilableTask task, String entry, String source);

  /** See {@link Lowering#image}. */
  public ByteBuffer image(TornadoInstalledCode code) {
    return ByteBuffer.allocate(0);
  }

  /** See {@link Lowering#load}. */
  public TornadoInstalledCode load(String entry, String source, ByteBuffer image) {
    throw new UnsupportedOperationException("the driver has what it made of texts to itself");
  }

  /**
   * Returns the compiler of texts within the process, with its version; empty if the driver
   * compiles them.
   */
  public String translator() {
    return "";
  }

  /** Makes the device current for the calling thread, if the driver distinguishes threads. */
  public void bindThread() {
    device().enableThreadSharing();
  }

  /** See {@link DeviceMemoryDriver#take}. */
  public void allocate(LongArray array, XPUDeviceBufferState state) {
    long _ = device().allocate(array, 0, state, Access.READ_WRITE);
  }

  /** Queues a copy as {@link DeviceMemoryDriver#copyIn}; returns the number of its event. */
  public abstract int copyIn(long plan, XPUDeviceBufferState state, long at, MemorySegment host);

  /** Queues a copy as {@link DeviceMemoryDriver#copyOut}; returns the number of its event. */
  public abstract int copyOut(long plan, XPUDeviceBufferState state, long at, MemorySegment host);

  /** See {@link DeviceMemoryDriver#lock}. */
  public boolean lock(MemorySegment host) {
    return false;
  }

  /** See {@link DeviceMemoryDriver#gainsByLocking}. */
  public boolean gainsByLocking() {
    return false;
  }

  /** See {@link DeviceMemoryDriver#unlock}. */
  public void unlock(MemorySegment host) {}

  /** Returns memory that host and device access in place. */
  public abstract SharedMemory sharedMemory();
}
