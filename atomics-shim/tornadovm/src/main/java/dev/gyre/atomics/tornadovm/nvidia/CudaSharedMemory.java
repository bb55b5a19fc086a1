package dev.gyre.atomics.tornadovm.nvidia;

import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.tornadovm.SharedMemory;
import java.lang.foreign.MemorySegment;

/** Memory of host and device from CUDA's driver. */
public final class CudaSharedMemory implements SharedMemory {

  // Names and numbers of the driver's API.
  private static final int CAN_MAP_HOST_MEMORY = 19;
  private static final int CONCURRENT_MANAGED_ACCESS = 89;
  private static final int HOST_NATIVE_ATOMIC_SUPPORTED = 86;

  private final Runnable bindThread;

  /**
   * Creates the shared memory of a device.
   *
   * @param bindThread makes the device current for the calling thread
   */
  public CudaSharedMemory(Runnable bindThread) {
    this.bindThread = bindThread;
  }

  private boolean has(int attribute) {
    bindThread.run();
    return CudaDriver.attribute(attribute) != 0;
  }

  @Override
  public String problem(Pages pages) {
    return switch (pages) {
      case STAY -> has(CAN_MAP_HOST_MEMORY) ? "" : "it cannot reach memory of the host";
      case MOVE ->
          has(CONCURRENT_MANAGED_ACCESS)
              ? ""
              : "host and device cannot use managed memory at the same time there";
    };
  }

  @Override
  public Block make(Pages pages, long bytes) {
    bindThread.run();
    if (pages == Pages.MOVE) {
      long left = CudaDriver.freeBytes();
      if (bytes > left) {
        throw new MemoryExhaustedException(
            "unified memory of %d bytes is more than the device has free, which is %d"
                .formatted(bytes, left),
            bytes,
            null);
      }
    }
    boolean stays = pages == Pages.STAY;
    MemorySegment segment = stays ? CudaDriver.hostMemory(bytes) : CudaDriver.managed(bytes);
    long address = stays ? CudaDriver.addressOf(segment) : segment.address();
    segment.fill((byte) 0);
    Runnable free =
        () -> {
          bindThread.run();
          CudaDriver.free(segment, stays);
        };
    return new Block(segment, address, free);
  }

  @Override
  public boolean updatesAtomically() {
    return has(HOST_NATIVE_ATOMIC_SUPPORTED);
  }
}
