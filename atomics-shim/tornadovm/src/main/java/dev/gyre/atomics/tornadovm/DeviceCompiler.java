package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.tornadovm.graal.MendArithmeticPhase;
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
 * TornadoVM's compiler for one device, as far as kernels and the shim need it. Backends differ in
 * what is abstract here.
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

  /** The phases of the backend's compiler. */
  public abstract TornadoSuites suites();

  public abstract Syntax syntax();

  /** Sets how the device's driver compiles the text of a task. */
  public void configure(TaskDataContext task) {}

  /** Where the backend lost the kernel's control flow, or reads what it has not computed. */
  public abstract Optional<String> flaw(String source);

  /**
   * What the address of each memory's payload is a multiple of on the device, as {@link #takeRoom}
   * places it.
   */
  public long payloadAlignment() {
    return PayloadAlignment.ofAllocations();
  }

  /** The phase that fixes arithmetic which the backend compiles wrong. */
  protected abstract MendArithmeticPhase arithmetic();

  /** Adds the phases that fix what the backend compiles wrong. */
  public final void mend() {
    var tier = suites().getLowTier();
    // First, while shifts are still what they are.
    new PairLoadsPhase(syntax(), printer, payloadAlignment()).insertInto(tier);
    arithmetic().insertInto(tier);
  }

  /** Version of the driver; empty where not known. */
  public abstract String driver();

  /** Compute capability of an NVIDIA GPU, such as {@code 9.0}; empty for other devices. */
  public abstract String computeCapability();

  /**
   * How many blocks of a size one compute unit has room for, with the registers that a kernel
   * takes; at least 1. On the thread that the device is current on.
   */
  public abstract int blocksPerUnit(TornadoInstalledCode code, int blockSize);

  /** How much memory a block can share, in bytes. */
  public abstract long sharedBytes();

  /** The text of a kernel that the device's compiler made. */
  public abstract String source(TornadoInstalledCode code);

  /** The name of a kernel in its text. */
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

  /** What compiles texts within the process, and its version; empty where the driver does. */
  public String translator() {
    return "";
  }

  /** Makes the device current on the thread that calls this, where drivers tell threads apart. */
  public void bindThread() {
    device().enableThreadSharing();
  }

  /** See {@link DeviceRoom#take}. */
  public void takeRoom(LongArray array, XPUDeviceBufferState state) {
    long _ = device().allocate(array, 0, state, Access.READ_WRITE);
  }

  /** Queues a copy as {@link DeviceRoom#copyIn}; returns the number of its event. */
  public abstract int copyIn(long plan, XPUDeviceBufferState state, long at, MemorySegment host);

  /** Queues a copy as {@link DeviceRoom#copyOut}; returns the number of its event. */
  public abstract int copyOut(long plan, XPUDeviceBufferState state, long at, MemorySegment host);

  /** See {@link DeviceRoom#lock}. */
  public boolean lock(MemorySegment host) {
    return false;
  }

  /** See {@link DeviceRoom#gainsByLocking}. */
  public boolean gainsByLocking() {
    return false;
  }

  /** See {@link DeviceRoom#unlock}. */
  public void unlock(MemorySegment host) {}

  /** Memory that host and device use where it lies. */
  public abstract SharedMemory sharedMemory();
}
