package dev.gyre.atomics.tornadovm.opencl;

import dev.gyre.atomics.tornadovm.SharedMemory;
import java.lang.foreign.MemorySegment;

/**
 * Memory of host and device from an OpenCL driver: fine-grained shared virtual memory, whose pages
 * the driver places.
 */
final class OpenClSharedMemory implements SharedMemory {

  private static final long FINE_GRAIN_BUFFER = 1 << 1;
  private static final long ATOMICS = 1 << 3;

  private final long context;
  private final long capabilities;

  /**
   * Creates the shared memory of a device.
   *
   * @param context the driver's {@code cl_context}
   * @param device the driver's {@code cl_device_id}
   */
  OpenClSharedMemory(long context, long device) {
    this.context = context;
    this.capabilities = OpenClDriver.sharedCapabilitiesOf(device);
  }

  @Override
  public String problem(Pages pages) {
    long needed = FINE_GRAIN_BUFFER | ATOMICS;
    return (capabilities & needed) == needed
        ? ""
        : "it does not declare fine-grained shared virtual memory with atomics; ordinary memory is"
            + " copied from where it lies";
  }

  @Override
  public Block make(Pages pages, long bytes) {
    MemorySegment segment = OpenClDriver.sharedMemory(context, bytes);
    long buffer = OpenClDriver.bufferOf(context, segment);
    segment.fill((byte) 0);
    return new Block(
        segment,
        buffer,
        () -> {
          OpenClDriver.releaseBuffer(buffer);
          OpenClDriver.freeShared(context, segment);
        });
  }

  @Override
  public boolean updatesAtomically() {
    return (capabilities & ATOMICS) != 0;
  }
}
