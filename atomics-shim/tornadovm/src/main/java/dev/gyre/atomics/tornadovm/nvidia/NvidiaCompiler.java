package dev.gyre.atomics.tornadovm.nvidia;

import dev.gyre.atomics.tornadovm.DeviceCompiler;
import dev.gyre.atomics.tornadovm.SharedMemory;
import dev.gyre.atomics.tornadovm.graal.Printer;
import uk.ac.manchester.tornado.api.common.Access;
import uk.ac.manchester.tornado.api.memory.XPUBuffer;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.drivers.common.TornadoBufferProvider;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;
import uk.ac.manchester.tornado.runtime.common.XPUDeviceBufferState;

/** Common part of the PTX and the CUDA backend, which both use CUDA's driver. */
public abstract class NvidiaCompiler extends DeviceCompiler {

  protected NvidiaCompiler(TornadoXPUDevice device, Printer printer) {
    super(device, printer);
  }

  /** Returns the driver's buffers. */
  protected abstract TornadoBufferProvider buffers();

  /** Returns a buffer of the backend for a segment, without memory. */
  protected abstract XPUBuffer wrapper(long bytes, Access access);

  @Override
  public final String driver() {
    return NvidiaDriver.version();
  }

  /** Allocates memory as the backend's wrapper does, without pinning pages of the host. */
  @Override
  public final void allocate(LongArray array, XPUDeviceBufferState state) {
    long bytes = array.getSegmentWithHeader().byteSize();
    XPUBuffer buffer = wrapper(bytes, Access.READ_WRITE);
    long address = buffers().getOrAllocateBufferWithSize(bytes, Access.READ_WRITE);
    buffer.setBuffer(new XPUBuffer.XPUBufferWrapper(address, 0));
    state.setXPUBuffer(buffer);
  }

  @Override
  public final boolean gainsByLocking() {
    return true;
  }

  @Override
  public final SharedMemory sharedMemory() {
    return new CudaSharedMemory(this::bindThread);
  }

  @Override
  public final long sharedBytes() {
    return NvidiaDriver.SHARED_BYTES;
  }
}
