package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.MemoryInUseException;
import dev.gyre.atomics.MemoryRange;
import dev.gyre.atomics.tornadovm.DeviceMemoryDriver;
import dev.gyre.atomics.tornadovm.SharedMemory;
import dev.gyre.atomics.tornadovm.SharedMemory.Pages;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.tornadovm.DeviceBuffer.Current;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.exceptions.TornadoMemoryException;
import uk.ac.manchester.tornado.api.exceptions.TornadoOutOfMemoryException;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;

/**
 * Copies of memories on one device: which copy is current, and which works use it.
 *
 * <p><b>Lifetime.</b> A thread that queues work {@linkplain #hold pins} its memories until the work
 * has ended. A memory is freed, on the device and on the host, when no work pins it. If the device
 * does not come back, pinned memories are kept.
 *
 * <p><b>Transfers.</b> A copy stays until its memory is freed or this is closed. Transfers happen
 * on demand: to the device when a launch needs a memory whose copy is missing or out of date, and
 * to the host when {@link #beginToHost} finds that a launch ran since. A thread of the queue that
 * has pinned the memory transfers it, one thread at a time per memory.
 */
final class DeviceBuffers implements AutoCloseable {

  private static final long LOOK_MILLIS = 100;

  private final TornadoXPUDevice device;
  private final DeviceMemoryDriver driver;
  private final DeviceQueue queue;
  private final Map<Memory, DeviceBuffer> buffers = new HashMap<>();
  private final DeviceCapacity capacity;
  private boolean closed;

  /** Creates an object without copies. */
  DeviceBuffers(TornadoXPUDevice device, DeviceQueue queue) {
    this.device = device;
    this.driver = DeviceMemoryDriver.of(device);
    this.queue = queue;
    this.capacity = new DeviceCapacity(device);
  }

  /** Returns the memory as the array that kernels take; nothing is copied. */
  static LongArray arrayOf(Memory memory) {
    return LongArray.fromSegmentShallow(memory.segmentWithHeader());
  }

  /**
   * Pins memories until the result is run, once.
   *
   * @throws ClosedException if one is closed
   */
  synchronized Runnable hold(List<Memory> memories) {
    Set<DeviceBuffer> held = new HashSet<>();
    for (Memory memory : memories) {
      if (memory.isClosed()) {
        throw new ClosedException("memory of " + memory.byteSize() + " bytes");
      }
      held.add(bufferOf(memory));
    }
    held.forEach(buffer -> buffer.users++);
    List<Memory> touched = held.stream().map(buffer -> buffer.memory).toList();
    LockedMemories.hold(touched);
    return () -> {
      LockedMemories.letGo(touched);
      letGo(held);
    };
  }

  private void letGo(Set<DeviceBuffer> held) {
    List<DeviceBuffer> over;
    synchronized (this) {
      held.forEach(buffer -> buffer.users--);
      notifyAll();
      // Memories that were pinned when this was closed, or since.
      over = closed ? held.stream().filter(buffer -> buffer.users == 0).toList() : List.of();
    }
    over.forEach(this::giveUp);
  }

  /** Keeps pinned memories for ever: it is unknown what still accesses them. */
  synchronized void keep(List<Memory> memories) {
    memories.forEach(memory -> held(memory).users++);
  }

  private DeviceBuffer bufferOf(Memory memory) {
    DeviceBuffer buffer = buffers.get(memory);
    if (buffer == null) {
      buffer = new DeviceBuffer(memory, () -> release(memory));
      memory.beforeFree(buffer.beforeFree);
      buffers.put(memory, buffer);
    }
    return buffer;
  }

  private synchronized DeviceBuffer held(Memory memory) {
    DeviceBuffer buffer = buffers.get(memory);
    if (buffer == null) {
      throw new IllegalStateException("a memory that nobody holds");
    }
    return buffer;
  }

  /**
   * Makes the copy on the device current, if it is not; returns its address.
   *
   * @param stream stream of the copy, which may be running when this method returns or throws
   * @throws MemoryExhaustedException if the device memory is exhausted
   */
  long toDevice(Memory memory, DeviceStream stream) {
    DeviceBuffer buffer = held(memory);
    if (buffer.isShared()) {
      return buffer.address();
    }
    var _ = allocated(buffer);
    requireSent(buffer);
    if (moves(buffer, Current.HOST)) {
      requireOnHost(memory);
      boolean sent = false;
      try {
        buffer.lock(driver);
        Span span = Span.copy();
        MemorySegment part = buffer.segment(buffer.toSend);
        driver.copyIn(stream.plan(), buffer.state, 0, part);
        sent = true;
        copied(span, "to the device", part.byteSize() - Memory.HEADER_BYTES, stream);
      } finally {
        if (!sent) {
          notSent(memory);
        }
      }
    }
    return buffer.address();
  }

  private synchronized void requireSent(DeviceBuffer buffer) {
    Throwable loss = buffer.loss;
    if (loss instanceof MemoryExhaustedException full) {
      throw full;
    }
    if (loss != null) {
      throw new GyreException("a memory could not be sent: " + loss, loss);
    }
  }

  /**
   * Returns how many writes the host has declared: work that is queued now comes before later ones.
   */
  synchronized long writes(Memory memory) {
    DeviceBuffer buffer = buffers.get(memory);
    return buffer == null ? 0 : buffer.writes;
  }

  /**
   * Begins to send a range of one memory of the host to the start of the payload of another memory
   * on the device, followed by what the host wrote there; see {@link #toDevice}.
   *
   * @param writes {@link #writes} when this was queued: later writes of the host are still to come
   */
  void toDevice(Memory memory, MemoryRange from, long writes, DeviceStream stream) {
    long bytes = from.byteSize();
    MemorySegment part = held(from.memory()).payload(from);
    DeviceBuffer buffer = held(memory);
    if (buffer.isShared()) {
      MemorySegment.copy(part, 0, buffer.payload(memory.first(bytes)), 0, bytes);
      return;
    }
    var _ = allocated(buffer);
    Span span = Span.copy();
    long rest = unsent(buffer) - bytes;
    if (rest > 0) {
      MemorySegment behind = buffer.payload(memory.range(bytes, rest));
      driver.copyIn(stream.plan(), buffer.state, Memory.HEADER_BYTES + bytes, behind);
    }
    driver.copyIn(stream.plan(), buffer.state, Memory.HEADER_BYTES, part);
    hasFrom(buffer, writes);
    copied(span, "to the device", bytes, stream);
  }

  /** Ends the span of a copy, for which the thread waits only if it is recorded. */
  private static void copied(Span span, String what, long bytes, DeviceStream stream) {
    if (span.isRecorded()) {
      stream.sync();
      span.moved(what, bytes);
    }
  }

  /**
   * Begins to copy a range from the device to a range of another memory on the host. A memory
   * without a copy on the device is as on the host.
   */
  void toHost(MemoryRange range, MemoryRange to, DeviceStream stream) {
    DeviceBuffer buffer = held(range.memory());
    MemorySegment part = held(to.memory()).payload(to);
    if (buffer.array == null || isOnHost(buffer)) {
      MemorySegment.copy(buffer.payload(range), 0, part, 0, part.byteSize());
      return;
    }
    Span span = Span.copy();
    driver.copyOut(stream.plan(), buffer.state, Memory.HEADER_BYTES + range.from(), part);
    copied(span, "to the host", part.byteSize(), stream);
  }

  private synchronized long unsent(DeviceBuffer buffer) {
    return buffer.current == Current.HOST && buffer.memory.isOnHost() ? buffer.toSend : 0;
  }

  private synchronized void hasFrom(DeviceBuffer buffer, long writes) {
    if (buffer.writes == writes) {
      buffer.current = Current.DEVICE;
      buffer.loss = null;
    }
  }

  private synchronized boolean isOnHost(DeviceBuffer buffer) {
    return buffer.current == Current.HOST;
  }

  /** Lets kernels access a memory in place, at an address of the driver. */
  synchronized void share(Memory memory, long address, Pages pages) {
    bufferOf(memory).share(address, pages);
  }

  /** Returns whether kernels access a memory in place, together with the host. */
  synchronized boolean isPinned(Memory memory) {
    DeviceBuffer buffer = buffers.get(memory);
    return buffer != null && buffer.isPinned();
  }

  /** Returns the memory that host and device access in place. */
  SharedMemory shared() {
    return driver.shared();
  }

  /** Throws for a memory that the host cannot access. */
  static void requireOnHost(Memory memory) {
    if (!memory.isOnHost()) {
      throw new GyreException(
          "memory of %d bytes is on one device alone: give a part of it, or bring one back, by copyIn and copyOut with another memory"
              .formatted(memory.byteSize()));
    }
  }

  /** Returns whether a memory is copied in place as fast as one that was copied before. */
  synchronized boolean copiesInPlace(Memory memory) {
    DeviceBuffer buffer = buffers.get(memory);
    return !driver.gainsByLocking()
        || LockedMemories.has(memory)
        || (buffer != null && buffer.isShared());
  }

  /**
   * Notes that a part of another memory could not be sent to this one. The next use fails, unless
   * the host has written it since.
   *
   * @param writes {@link #writes} when that was queued
   */
  synchronized void lose(Memory memory, long writes, Throwable why) {
    DeviceBuffer buffer = buffers.get(memory);
    if (buffer != null && buffer.writes == writes) {
      buffer.loss = why;
    }
  }

  /**
   * Returns whether the current contents are only in a given place; they are then about to be in
   * both.
   */
  private synchronized boolean moves(DeviceBuffer buffer, Current only) {
    boolean moves = buffer.current == only;
    if (moves) {
      buffer.current = Current.BOTH;
    }
    return moves;
  }

  /**
   * Allocates a memory on the device without sending its contents.
   *
   * @throws MemoryExhaustedException if the device memory is exhausted
   */
  void claim(Memory memory) {
    DeviceBuffer buffer = held(memory);
    if (buffer.isShared()) {
      return;
    }
    var _ = allocated(buffer);
    mark(memory, Current.DEVICE);
  }

  private LongArray allocated(DeviceBuffer buffer) {
    synchronized (buffer) {
      LongArray array = buffer.array;
      return array == null ? allocate(buffer) : array;
    }
  }

  private LongArray allocate(DeviceBuffer buffer) {
    LongArray array = LongArray.fromSegmentShallow(buffer.segment());
    long bytes = array.getSegmentWithHeader().byteSize();
    capacity.take(bytes);
    boolean allocated = false;
    try {
      driver.take(array, buffer.state);
      buffer.array = array;
      allocated = true;
      return array;
    } catch (TornadoOutOfMemoryException | TornadoMemoryException e) {
      throw capacity.exhausted(bytes, e);
    } finally {
      if (!allocated) {
        capacity.giveBack(bytes);
      }
    }
  }

  /** Notes that a kernel that may write the memory was launched. */
  void deviceWrote(Memory memory) {
    mark(memory, Current.DEVICE);
  }

  /** Notes that a copy to the device failed. */
  void notSent(Memory memory) {
    mark(memory, Current.HOST);
  }

  /** Notes that the host wrote a number of bytes at the start of the memory. */
  synchronized void hostWrote(Memory memory, long bytes) {
    DeviceBuffer buffer = buffers.get(memory);
    if (buffer != null) {
      buffer.toSend = buffer.current == Current.HOST ? Math.max(buffer.toSend, bytes) : bytes;
      buffer.current = Current.HOST;
      buffer.writes++;
      buffer.loss = null;
    }
  }

  private synchronized void mark(Memory memory, Current current) {
    DeviceBuffer buffer = buffers.get(memory);
    if (buffer != null) {
      buffer.current = current;
    }
  }

  /**
   * Begins to copy a range to the host. It is there after a wait for the stream; if that fails,
   * call {@link #deviceWrote} again. If the range is not the whole memory, the device's copy
   * remains current.
   *
   * @return whether there is something to wait for
   */
  boolean beginToHost(MemoryRange range, DeviceStream stream) {
    Memory memory = range.memory();
    DeviceBuffer buffer = held(memory);
    boolean begins = buffer.array != null && moves(buffer, Current.DEVICE);
    if (begins) {
      boolean all = false;
      try {
        buffer.lock(driver);
        Span span = Span.copy();
        // Without the header, which the device has only if the memory was sent.
        MemorySegment part = buffer.payloadLongs(range);
        driver.copyOut(stream.plan(), buffer.state, Memory.HEADER_BYTES + range.from(), part);
        all = range.byteSize() == memory.byteSize();
        copied(span, "to the host", part.byteSize(), stream);
      } finally {
        if (!all) {
          mark(memory, Current.DEVICE);
        }
      }
    }
    return begins;
  }

  /** Waits until no work pins a memory, and frees its copy on the device. */
  private void release(Memory memory) {
    DeviceBuffer buffer = awaitUnheld(memory);
    if (buffer != null) {
      long bytes = 0;
      synchronized (buffer) {
        // On a stuck device, freeing may block for ever: the copy is left there.
        boolean stuck = queue.isStuck();
        if (stuck && buffer.isLocked()) {
          throw kept(memory);
        }
        if (!stuck) {
          bytes = buffer.bytes();
          buffer.free(driver, device);
        }
      }
      capacity.giveBack(bytes);
      synchronized (this) {
        var _ = buffers.remove(memory, buffer);
      }
    }
  }

  private synchronized @Nullable DeviceBuffer awaitUnheld(Memory memory) {
    DeviceBuffer buffer = buffers.get(memory);
    boolean interrupted = false;
    while (buffer != null && buffer.users > 0 && !queue.isStuck()) {
      try {
        wait(LOOK_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      queue.look();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (buffer != null && buffer.users > 0) {
      throw kept(memory);
    }
    return buffer;
  }

  private MemoryInUseException kept(Memory memory) {
    return new MemoryInUseException(
        ("memory of %d bytes is not freed: %s was abandoned with work that may "
                + "still use it; close it again when that work has ended")
            .formatted(memory.byteSize(), device.getPhysicalDevice().getDeviceName().strip()),
        null);
  }

  /** Frees all copies, except copies that a stuck device may access. */
  @Override
  public void close() {
    List<DeviceBuffer> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(buffers.values());
    }
    all.forEach(this::giveUp);
  }

  private void giveUp(DeviceBuffer buffer) {
    try {
      release(buffer.memory);
      buffer.memory.forget(buffer.beforeFree);
    } catch (MemoryInUseException e) {
      // Closing the memory reports it, and tries again.
    }
  }
}
