package dev.gyre.atomics.tornadovm;

import java.lang.foreign.MemorySegment;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;
import uk.ac.manchester.tornado.runtime.common.XPUDeviceBufferState;

/**
 * Device memory for memories of the host.
 *
 * <p>TornadoVM pins the pages of the host when it allocates device memory, for which the system
 * must touch all of them. Data that stays on the device never needs that. So pages are pinned here
 * by a separate call, before their first copy.
 */
public final class DeviceMemoryDriver {

  /**
   * Size of a slice of a long copy, in bytes. A device with a copy engine processes all copies of
   * one direction in order: the small input of a kernel would wait behind the text for the next
   * one. Therefore long copies are split into slices, two of which are queued at a time.
   */
  private static final long SLICE_BYTES = 16L << 20;

  private static final int NO_EVENT = -1;

  private final DeviceCompiler backend;

  private DeviceMemoryDriver(DeviceCompiler backend) {
    this.backend = backend;
  }

  /** Returns the device memory of a device. */
  public static DeviceMemoryDriver of(TornadoXPUDevice device) {
    return new DeviceMemoryDriver(DeviceCompilers.of(device));
  }

  /** Makes the device current for the calling thread, which may then free memory. */
  public void bindThread() {
    backend.bindThread();
  }

  /**
   * Allocates device memory for an array, without copying or touching pages of the host.
   *
   * @param state receives the allocation; {@link TornadoXPUDevice#deallocate} frees it
   * @throws uk.ac.manchester.tornado.api.exceptions.TornadoOutOfMemoryException if device memory is
   *     exhausted
   */
  public void take(LongArray array, XPUDeviceBufferState state) {
    backend.allocate(array, state);
  }

  /**
   * Queues a copy of host memory to device memory, from an offset on. The end of a long copy may be
   * still to come when this method returns.
   *
   * @param plan number of TornadoVM's execution plan, whose stream is used
   */
  public void copyIn(long plan, XPUDeviceBufferState state, long at, MemorySegment host) {
    inSlices(plan, host, (from, part) -> backend.copyIn(plan, state, at + from, part));
  }

  /** Queues a copy of device memory, from an offset on, to host memory. */
  public void copyOut(long plan, XPUDeviceBufferState state, long at, MemorySegment host) {
    inSlices(plan, host, (from, part) -> backend.copyOut(plan, state, at + from, part));
  }

  /** Copy of a part of host memory. */
  private interface Slice {
    int queue(long from, MemorySegment part);
  }

  /** Waits for all except the last two slices. */
  private void inSlices(long plan, MemorySegment host, Slice slice) {
    long most = backend.gainsByLocking() ? SLICE_BYTES : Long.MAX_VALUE;
    int before = NO_EVENT;
    for (long from = 0; from < host.byteSize(); from += most) {
      MemorySegment part = host.asSlice(from, Math.min(most, host.byteSize() - from));
      int event = slice.queue(from, part);
      if (before != NO_EVENT) {
        backend.device().resolveEvent(plan, before).waitForEvents(plan);
      }
      before = event;
    }
  }

  /**
   * Pins the pages of host memory, so that the device copies it by its copy engine; if that is
   * impossible or useless, copies take longer.
   *
   * @return whether it must be unpinned before it is freed
   */
  public boolean lock(MemorySegment host) {
    return backend.lock(host);
  }

  /** Returns whether pinned memory is copied faster. */
  public boolean gainsByLocking() {
    return backend.gainsByLocking();
  }

  /** Returns memory that host and device access in place. */
  public SharedMemory shared() {
    return backend.sharedMemory();
  }

  /** Unpins what {@link #lock} pinned. */
  public void unlock(MemorySegment host) {
    backend.unlock(host);
  }
}
