package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryRange;
import dev.gyre.atomics.tornadovm.DeviceRoom;
import dev.gyre.atomics.tornadovm.SharedMemory.Pages;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;
import uk.ac.manchester.tornado.runtime.common.XPUDeviceBufferState;

/**
 * A memory as one device knows it: who works on it, its copy there if it has one, and which copy is
 * current. Guarded by the {@link DeviceBuffers} it belongs to, but for {@link #lock} and {@link
 * #free}: they are for who works on it alone.
 */
final class DeviceBuffer {

  /** Where the current contents of a memory are. */
  enum Current {
    HOST,
    DEVICE,
    BOTH
  }

  final Memory memory;

  /** Of a memory that is open when it is first held; it may have begun to close since. */
  private final MemorySegment segment;

  /** What the memory runs before it is freed. */
  final Runnable beforeFree;

  final XPUDeviceBufferState state = new XPUDeviceBufferState();

  /** Works, queued or under way, that touch the memory or its copy. */
  int users;

  Current current = Current.HOST;

  /** How much of the payload is to be sent, in bytes, where the host's is current. */
  long toSend;

  /** How often the host said that it wrote. */
  long writes;

  /** Null where there is no room on the device. */
  @Nullable LongArray array;

  /** Why the device does not have what it was to be sent, and nobody can send it again. */
  @Nullable Throwable loss;

  /** What kernels are given where they use the memory where it lies; 0 where it is copied. */
  private long sharedAddress;

  private @Nullable Pages pages;

  private boolean copied;

  /** Written by who works on the memory alone, read by any thread. */
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

  /** A range of the payload. */
  MemorySegment payload(MemoryRange range) {
    return segment.asSlice(Memory.HEADER_BYTES + range.from(), range.byteSize());
  }

  /** A range of the payload up to the end of its last long. */
  MemorySegment payloadLongs(MemoryRange range) {
    long from = Memory.HEADER_BYTES + range.from();
    long end = wholeLongs(range.from() + range.byteSize());
    return segment.asSlice(from, Math.min(segment.byteSize(), Memory.HEADER_BYTES + end) - from);
  }

  /** The header and the beginning of the payload, in whole longs. */
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

  /** Has kernels use the memory where it lies. */
  void share(long address, Pages what) {
    sharedAddress = address;
    pages = what;
    if (isPinned()) {
      LockedMemories.add(memory);
    }
  }

  /** Whether kernels use the memory where it lies. */
  boolean isShared() {
    return sharedAddress != 0;
  }

  /** Whether kernels use the memory where it lies, with the host. */
  boolean isPinned() {
    return pages == Pages.STAY;
  }

  /** What kernels are given. */
  long address() {
    return isShared() ? sharedAddress : state.getXPUBuffer().toBuffer();
  }

  /** Before the first copy: what is never copied need not be locked. */
  void lock(DeviceRoom room) {
    if (!copied && !isShared()) {
      copied = true;
      locked = room.lock(segment);
      if (locked) {
        LockedMemories.add(memory);
      }
    }
  }

  /** Whether the driver keeps the memory's pages: they must not be freed behind its back. */
  boolean isLocked() {
    return locked;
  }

  /** Gives the room on the device back, and the pages of the host to the system. */
  void free(DeviceRoom room, TornadoXPUDevice device) {
    LongArray host = array;
    if (host != null || locked) {
      // Memories are freed by any thread, and CUDA's context belongs to threads.
      room.bindThread();
    }
    if (locked) {
      LockedMemories.remove(memory, () -> room.unlock(segment));
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
