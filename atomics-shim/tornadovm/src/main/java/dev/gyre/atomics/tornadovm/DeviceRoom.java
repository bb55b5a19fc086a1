package dev.gyre.atomics.tornadovm;

import java.lang.foreign.MemorySegment;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;
import uk.ac.manchester.tornado.runtime.common.XPUDeviceBufferState;

/**
 * Room on a device for memory of the host.
 *
 * <p>TornadoVM locks the pages of the host when it takes room for them, which has the system find
 * them all. What stays on the device needs that never, so here they are locked by a call of its
 * own, before they are copied for the first time.
 */
public final class DeviceRoom {

  /**
   * Where the device copies by itself, all copies one way stand in one line: what a small kernel is
   * to be told waits behind the text for the next one. So long copies go in slices of so many
   * bytes, of which two are in that line at a time.
   */
  private static final long SLICE_BYTES = 16L << 20;

  private static final int NO_EVENT = -1;

  private final DeviceCompiler backend;

  private DeviceRoom(DeviceCompiler backend) {
    this.backend = backend;
  }

  /** Room on a device. */
  public static DeviceRoom of(TornadoXPUDevice device) {
    return new DeviceRoom(DeviceCompilers.of(device));
  }

  /** Makes the device current on the thread that calls this, which may then give room back. */
  public void bindThread() {
    backend.bindThread();
  }

  /**
   * Takes room for an array; nothing is copied, and no page of the host is touched.
   *
   * @param state where the room is noted; {@link TornadoXPUDevice#deallocate} gives it back
   * @throws uk.ac.manchester.tornado.api.exceptions.TornadoOutOfMemoryException if there is none
   */
  public void take(LongArray array, XPUDeviceBufferState state) {
    backend.takeRoom(array, state);
  }

  /**
   * Queues a copy of memory of the host to room that was taken, from some byte of it on; of a long
   * one the end is still to come when this returns.
   *
   * @param plan number of TornadoVM's execution plan, whose stream it goes through
   */
  public void copyIn(long plan, XPUDeviceBufferState state, long at, MemorySegment host) {
    inSlices(plan, host, (from, part) -> backend.copyIn(plan, state, at + from, part));
  }

  /** Queues a copy of room that was taken, from some byte of it on, to memory of the host. */
  public void copyOut(long plan, XPUDeviceBufferState state, long at, MemorySegment host) {
    inSlices(plan, host, (from, part) -> backend.copyOut(plan, state, at + from, part));
  }

  /** Queues a copy of a part of memory of the host. */
  private interface Slice {
    int queue(long from, MemorySegment part);
  }

  /** Waits for all but the last two slices. */
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
   * Locks the pages of memory of the host, so that the device copies it by itself; where that is
   * not possible, or of no use, copies take longer.
   *
   * @return whether it is to be unlocked before it is freed
   */
  public boolean lock(MemorySegment host) {
    return backend.lock(host);
  }

  /** Whether memory that is locked is copied faster than other. */
  public boolean gainsByLocking() {
    return backend.gainsByLocking();
  }

  /** Memory that host and device use where it lies. */
  public SharedMemory shared() {
    return backend.sharedMemory();
  }

  /** Unlocks what {@link #lock} locked. */
  public void unlock(MemorySegment host) {
    backend.unlock(host);
  }
}
