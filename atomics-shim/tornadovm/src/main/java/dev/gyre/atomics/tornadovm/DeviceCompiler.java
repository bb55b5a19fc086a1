package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.tornadovm.cuda.CudaCompiler;
import dev.gyre.atomics.tornadovm.graal.Printer;
import dev.gyre.atomics.tornadovm.opencl.OpenClCompiler;
import dev.gyre.atomics.tornadovm.ptx.PtxCompiler;
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

/** TornadoVM's compiler for one device, as far as kernels and the shim need it. */
public interface DeviceCompiler {

  XPUBackend<?> backend();

  /** The phases of the backend's compiler. */
  TornadoSuites suites();

  Syntax syntax();

  Printer printer();

  /** Sets how the device's driver compiles the text of a task. */
  default void configure(TaskDataContext task) {}

  /** Where the backend lost the kernel's control flow, or reads what it has not computed. */
  default Optional<String> flaw(String source) {
    return Optional.empty();
  }

  /**
   * What the address of each memory's payload is a multiple of on the device, as {@link #takeRoom}
   * places it.
   */
  default long payloadAlignment() {
    return PayloadAlignment.ofAllocations();
  }

  /** Mends what the backend compiles wrong. */
  default void mend() {}

  /** Version of the driver; empty where not known. */
  String driver();

  /** Compute capability of an NVIDIA GPU, such as {@code 9.0}; empty for other devices. */
  String computeCapability();

  /**
   * How many blocks of a size one compute unit has room for, with the registers that a kernel
   * takes; at least 1. On the thread that the device is current on.
   */
  int blocksPerUnit(TornadoInstalledCode code, int blockSize);

  /** How much memory a block can share, in bytes. */
  long sharedBytes();

  /** The text of a kernel that the device's compiler made. */
  String source(TornadoInstalledCode code);

  /** The name of a kernel in its text. */
  String entry(TornadoInstalledCode code);

  /** See {@link Lowering#install(long, CompilableTask, String, String)}. */
  TornadoInstalledCode install(long plan, CompilableTask task, String entry, String source);

  /** See {@link Lowering#image}. */
  default ByteBuffer image(TornadoInstalledCode code) {
    return ByteBuffer.allocate(0);
  }

  /** See {@link Lowering#load}. */
  default TornadoInstalledCode load(String entry, String source, ByteBuffer image) {
    throw new UnsupportedOperationException("the driver has what it made of texts to itself");
  }

  /** What compiles texts within the process, and its version; empty where the driver does. */
  default String translator() {
    return "";
  }

  /** Makes the device current on the thread that calls this, where drivers tell threads apart. */
  default void bindThread() {
    device().enableThreadSharing();
  }

  /** See {@link DeviceRoom#take}. */
  default void takeRoom(LongArray array, XPUDeviceBufferState state) {
    long _ = device().allocate(array, 0, state, Access.READ_WRITE);
  }

  /** Queues a copy as {@link DeviceRoom#copyIn}; returns the number of its event. */
  int copyIn(long plan, XPUDeviceBufferState state, long at, MemorySegment host);

  /** Queues a copy as {@link DeviceRoom#copyOut}; returns the number of its event. */
  int copyOut(long plan, XPUDeviceBufferState state, long at, MemorySegment host);

  /** See {@link DeviceRoom#lock}. */
  default boolean lock(MemorySegment host) {
    return false;
  }

  /** See {@link DeviceRoom#gainsByLocking}. */
  default boolean gainsByLocking() {
    return false;
  }

  /** See {@link DeviceRoom#unlock}. */
  default void unlock(MemorySegment host) {}

  /** Memory that host and device use where it lies. */
  SharedMemory sharedMemory();

  TornadoXPUDevice device();

  /** The compiler of a device. Classes of other backends are not touched: they may not be there. */
  static DeviceCompiler of(TornadoXPUDevice device) {
    return switch (device.getTornadoVMBackend()) {
      case OPENCL -> new OpenClCompiler(device);
      case PTX -> new PtxCompiler(device);
      case CUDA -> new CudaCompiler(device);
      default ->
          throw new IllegalArgumentException(
              "the shim is not lowered for " + device.getTornadoVMBackend());
    };
  }
}
