package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.Settings;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;

/** Counts the bytes of memories on a device, up to a limit. */
final class DeviceCapacity {

  /** Setting: limit of bytes on the device; all of it by default. */
  static final String LIMIT_PROPERTY = "gyre.device.memory.limit";

  private final String device;
  private final long largest;
  private final long limit;
  private long taken;

  DeviceCapacity(TornadoXPUDevice device) {
    this.device = device.getPhysicalDevice().getDeviceName().strip();
    this.largest = device.getPhysicalDevice().getDeviceMaxAllocationSize();
    long all = device.getPhysicalDevice().getDeviceGlobalMemorySize();
    this.limit = Math.min(all, Settings.bytes(LIMIT_PROPERTY).orElse(all));
  }

  /**
   * Takes capacity for a memory.
   *
   * @throws MemoryExhaustedException if it is exhausted
   */
  synchronized void take(long bytes) {
    requireInReach(bytes);
    if (bytes > largest || bytes > limit - taken) {
      throw exhausted(bytes, null);
    }
    taken += bytes;
  }

  synchronized void giveBack(long bytes) {
    taken -= bytes;
  }

  synchronized MemoryExhaustedException exhausted(long bytes, @Nullable Throwable cause) {
    return new MemoryExhaustedException(
        "%s cannot allocate %d bytes: of %d bytes %d are taken, and %d is the most in one piece"
            .formatted(device, bytes, limit, taken, largest),
        bytes,
        cause);
  }

  /**
   * Throws if TornadoVM, whose arrays have int indexes, cannot access the last long of a memory.
   */
  static void requireInReach(long bytes) {
    if (bytes / Long.BYTES > Integer.MAX_VALUE) {
      throw new MemoryExhaustedException(
          "%d bytes in one piece are more than TornadoVM can address, which is %d"
              .formatted(bytes, (long) Integer.MAX_VALUE * Long.BYTES),
          bytes,
          null);
    }
  }
}
