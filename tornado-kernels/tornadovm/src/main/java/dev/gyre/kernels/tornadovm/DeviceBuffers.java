package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.Settings;
import dev.gyre.atomics.tornadovm.DeviceRoom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.exceptions.TornadoMemoryException;
import uk.ac.manchester.tornado.api.exceptions.TornadoOutOfMemoryException;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;
import uk.ac.manchester.tornado.runtime.common.XPUDeviceBufferState;

/**
 * The copies of memories on one device, and which copy is current.
 *
 * <p>A copy stays until its memory is freed or this is closed. Transfers are what the caller asks
 * for: one to the device when a launch needs a memory whose copy there is old or absent, one to the
 * host when {@link #toHost} finds that a launch ran since. {@link #prefetch} sends a memory beside
 * launches, in a stream of its own; all that concerns that memory waits for it first. Used by the
 * launcher's thread, but for what is declared by others: {@link #prefetch}, {@link #hostWrote} and
 * {@link #release}.
 */
final class DeviceBuffers implements AutoCloseable {

  /** Where the current contents of a memory are. */
  private enum Current {
    HOST,
    DEVICE,
    BOTH
  }

  private static final class Buffer {
    final LongArray array;
    final long bytes;
    final XPUDeviceBufferState state = new XPUDeviceBufferState();
    Current current = Current.HOST;
    boolean copied;
    boolean locked;

    Buffer(LongArray array, long bytes) {
      this.array = array;
      this.bytes = bytes;
    }
  }

  /** Bytes of the device that may be taken at most; by default all that it has. */
  static final String LIMIT_PROPERTY = "gyre.device.memory.limit";

  private final TornadoXPUDevice device;
  private final DeviceRoom room;
  private final long plan;
  private final Prefetches prefetches;
  private final Map<Memory, Buffer> buffers = new HashMap<>();
  private final BooleanSupplier abandoned;
  private final long largest;
  private final long limit;
  private long taken;

  /**
   * No copies yet.
   *
   * @param abandoned whether a kernel does not end: then nothing is taken from under it
   */
  DeviceBuffers(
      TornadoXPUDevice device, long plan, Prefetches prefetches, BooleanSupplier abandoned) {
    this.device = device;
    this.room = DeviceRoom.of(device);
    this.plan = plan;
    this.prefetches = prefetches;
    this.abandoned = abandoned;
    this.largest = device.getPhysicalDevice().getDeviceMaxAllocationSize();
    long all = device.getPhysicalDevice().getDeviceGlobalMemorySize();
    this.limit = Math.min(all, Settings.bytes(LIMIT_PROPERTY).orElse(all));
  }

  /** The memory as the array that kernels take; nothing is copied. */
  static LongArray arrayOf(Memory memory) {
    return LongArray.fromSegmentShallow(memory.segmentWithHeader());
  }

  /**
   * Makes the copy on the device current, and returns its address there.
   *
   * @throws MemoryExhaustedException if the device has no room for it
   */
  long toDevice(Memory memory) {
    prefetches.await(memory);
    synchronized (this) {
      Buffer buffer = bufferOf(memory);
      if (buffer.current == Current.HOST) {
        lock(buffer);
        device.streamIn(plan, buffer.array, 0, 0, buffer.state, null);
        buffer.current = Current.BOTH;
      }
      return buffer.state.getXPUBuffer().toBuffer();
    }
  }

  /** Begins to make the copy of what the host wrote current. */
  void prefetch(Memory memory) {
    hostWrote(memory);
    prefetches.start(memory, () -> send(memory));
  }

  private void send(Memory memory) {
    Buffer buffer;
    synchronized (this) {
      buffer = bufferOf(memory);
    }
    // Beside whatever else goes on: nobody touches this buffer before it has come to an end.
    lock(buffer);
    device.streamIn(prefetches.plan(), buffer.array, 0, 0, buffer.state, null);
    device.sync(prefetches.plan());
    deviceHas(memory);
  }

  /** Before the first copy: what is never copied need not be locked. */
  private void lock(Buffer buffer) {
    if (!buffer.copied) {
      buffer.copied = true;
      buffer.locked = room.lock(buffer.array.getSegmentWithHeader());
    }
  }

  private synchronized void deviceHas(Memory memory) {
    mark(memory, Current.BOTH);
  }

  private Buffer bufferOf(Memory memory) {
    Buffer buffer = buffers.get(memory);
    if (buffer == null) {
      buffer = allocate(memory);
      buffers.put(memory, buffer);
      memory.beforeFree(() -> release(memory));
    }
    return buffer;
  }

  /**
   * Has the device hold a memory whose contents the host does not care about: nothing is sent.
   *
   * @throws MemoryExhaustedException if the device has no room for it
   */
  void claim(Memory memory) {
    prefetches.await(memory);
    synchronized (this) {
      bufferOf(memory).current = Current.DEVICE;
    }
  }

  private Buffer allocate(Memory memory) {
    long bytes = memory.segmentWithHeader().byteSize();
    requireInReach(bytes);
    if (bytes > largest || bytes > limit - taken) {
      throw exhausted(bytes, null);
    }
    Buffer buffer = new Buffer(arrayOf(memory), bytes);
    try {
      room.take(buffer.array, buffer.state);
    } catch (TornadoOutOfMemoryException | TornadoMemoryException e) {
      throw exhausted(bytes, e);
    }
    taken += bytes;
    return buffer;
  }

  /** Fails if TornadoVM, whose arrays count in ints, cannot reach the last long of a memory. */
  static void requireInReach(long bytes) {
    if (bytes / Long.BYTES > Integer.MAX_VALUE) {
      throw new MemoryExhaustedException(
          "%d bytes in one piece are more than TornadoVM can address, which is %d"
              .formatted(bytes, (long) Integer.MAX_VALUE * Long.BYTES),
          bytes,
          null);
    }
  }

  private MemoryExhaustedException exhausted(long bytes, @Nullable Throwable cause) {
    return new MemoryExhaustedException(
        "%s cannot allocate %d bytes: of %d bytes %d are taken, and %d is the most in one piece"
            .formatted(
                device.getPhysicalDevice().getDeviceName().strip(), bytes, limit, taken, largest),
        bytes,
        cause);
  }

  /** A kernel that may write the memory was launched. */
  synchronized void deviceWrote(Memory memory) {
    mark(memory, Current.DEVICE);
  }

  /** The host wrote the memory. */
  void hostWrote(Memory memory) {
    prefetches.await(memory);
    synchronized (this) {
      mark(memory, Current.HOST);
    }
  }

  private void mark(Memory memory, Current current) {
    Buffer buffer = buffers.get(memory);
    if (buffer != null) {
      buffer.current = current;
    }
  }

  /** Makes the host's copy current. */
  synchronized void toHost(Memory memory) {
    Buffer buffer = buffers.get(memory);
    if (buffer != null && buffer.current == Current.DEVICE) {
      lock(buffer);
      int _ = device.streamOutBlocking(plan, buffer.array, 0, buffer.state, null);
      buffer.current = Current.BOTH;
    }
  }

  private void release(Memory memory) {
    prefetches.await(memory);
    synchronized (this) {
      Buffer buffer = buffers.remove(memory);
      if (buffer != null && !abandoned.getAsBoolean()) {
        // Memories are freed by any thread, and CUDA's context belongs to threads.
        device.enableThreadSharing();
        if (buffer.locked) {
          room.unlock(buffer.array.getSegmentWithHeader());
        }
        long _ = device.deallocate(buffer.state);
        taken -= buffer.bytes;
      }
    }
  }

  @Override
  public void close() {
    List<Memory> all;
    synchronized (this) {
      all = List.copyOf(buffers.keySet());
    }
    all.forEach(this::release);
  }
}
