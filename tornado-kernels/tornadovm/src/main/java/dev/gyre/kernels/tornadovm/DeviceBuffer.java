package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryRange;
import dev.gyre.atomics.tornadovm.DeviceMemoryDriver;
import dev.gyre.atomics.tornadovm.SharedMemory.Pages;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;
import uk.ac.manchester.tornado.runtime.common.XPUDeviceBufferState;

/**
 * State of a memory on one device: the works that use it, its copy on the device if there is one,
 * and which copy is current.
 *
 * <p>Guarded by its {@link DeviceBuffers}, except {@link #lock} and {@link #free}, which only a
 * thread that uses the memory exclusively calls.
 */
final class DeviceBuffer {

  /** Place of the current contents of a memory. */
  enum Current {
    HOST,
    DEVICE,
    BOTH
  }

  final Memory memory;

  /**
   * The segment of a memory that was open when it was first pinned; it may have begun to close
   * since.
   */
  private final MemorySegment segment;

  /** Action that the memory runs before it is freed. */
  final Runnable beforeFree;

  final XPUDeviceBufferState state = new XPUDeviceBufferState();

  /** Number of queued or running works that access the memory or its copy. */
  int users;

  Current current = Current.HOST;

  /** Bytes of the payload to send, if the host's copy is current. */
  long toSend;

  /** Number of writes that the host has declared. */
  long writes;

  /** Array on the device; null if it has no copy. */
  @Nullable LongArray array;

  /** Failure because of which the contents are lost on the device. */
  @Nullable Throwable loss;

  /** Address for kernels that access the memory in place; 0 if it is copied. */
  private long sharedAddress;

  private @Nullable Pages pages;

  private boolean copied;

  /** Written by the thread that uses the memory exclusively, read by any thread. */
  private volatile boolean locked;

  DeviceBuffer(Memory memory, Runnable beforeFree) {
    this.memory = memory;
    this.segment = memory.segmentWithHeader();
    this.beforeFree = beforeFree;
    this.toSend = memory.byteSize();
  }

  MemorySegment segment() {
    return segment;
  }

  /** Returns a range of the payload. */
  MemorySegment payload(MemoryRange range) {
    return segment.asSlice(Memory.HEADER_BYTES + range.from(), range.byteSize());
  }

  /** Returns a range of the payload up to the end of its last long. */
  MemorySegment payloadLongs(MemoryRange range) {
    long from = Memory.HEADER_BYTES + range.from();
    long end = wholeLongs(range.from() + range.byteSize());
    return segment.asSlice(from, Math.min(segment.byteSize(), Memory.HEADER_BYTES + end) - from);
  }

  /** Returns the header and the beginning of the payload, in whole longs. */
  MemorySegment segment(long payload) {
    long longs = wholeLongs(payload);
    return segment.asSlice(0, Math.min(segment.byteSize(), Memory.HEADER_BYTES + longs));
  }

  private static long wholeLongs(long bytes) {
    return Math.ceilDiv(bytes, Long.BYTES) * Long.BYTES;
  }

  long bytes() {
    return array == null ? 0 : array.getSegmentWithHeader().byteSize();
  }

  /** Lets kernels access the memory in place. */
  void share(long address, Pages what) {
    sharedAddress = address;
    pages = what;
    if (isPinned()) {
      LockedMemories.add(memory);
    }
  }

  /** Returns whether kernels access the memory in place. */
  boolean isShared() {
    return sharedAddress != 0;
  }

  /** Returns whether kernels access the memory in place, together with the host. */
  boolean isPinned() {
    return pages == Pages.STAY;
  }

  /** Returns the address for kernels. */
  long address() {
    return isShared() ? sharedAddress : state.getXPUBuffer().toBuffer();
  }

  /** Pins the memory before its first copy: memory that is never copied need not be pinned. */
  void lock(DeviceMemoryDriver driver) {
    if (!copied && !isShared()) {
      copied = true;
      locked = driver.lock(segment);
      if (locked) {
        LockedMemories.add(memory);
      }
    }
  }

  /**
   * Returns whether the driver has pinned the pages: they must not be freed before it releases
   * them.
   */
  boolean isLocked() {
    return locked;
  }

  /** Frees the memory on the device, and releases the pages of the host. */
  void free(DeviceMemoryDriver driver, TornadoXPUDevice device) {
    LongArray host = array;
    if (host != null || locked) {
      // Any thread may free memories, and the context of CUDA belongs to threads.
      driver.bindThread();
    }
    if (locked) {
      LockedMemories.remove(memory, () -> driver.unlock(segment));
      locked = false;
      copied = false;
    }
    if (isPinned()) {
      LockedMemories.forget(memory);
    }
    if (host != null) {
      long _ = device.deallocate(state);
      array = null;
    }
  }
}
