package dev.gyre.datasets;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryInUseException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Memory for one chunk; grows. */
final class ChunkBuffer implements AutoCloseable {

  /** One read asks for no more, so that a reader that is to stop does so soon. */
  private static final long READ_BYTES = 4L << 20;

  private Memory memory;

  /** Smaller ones that a device was working on. */
  private final List<Memory> inUse = new ArrayList<>();

  ChunkBuffer(long bytes) {
    memory = Memory.ofBytes(bytes);
  }

  Memory memory() {
    return memory;
  }

  long capacity() {
    return memory.byteSize();
  }

  /** Makes room for at least {@code capacity} bytes and keeps the first {@code keep} ones. */
  void grow(long capacity, long keep) {
    if (capacity > memory.byteSize()) {
      Memory smaller = memory;
      Memory larger = Memory.ofBytes(Math.max(capacity, 2 * smaller.byteSize()));
      MemorySegment.copy(smaller.segment(), 0, larger.segment(), 0, keep);
      memory = larger;
      try {
        smaller.close();
      } catch (MemoryInUseException e) {
        // Said by close(), if it still is then.
        inUse.add(smaller);
      }
    }
  }

  /** A window on the bytes from {@code from} on, to read into; at most {@link #READ_BYTES} long. */
  ByteBuffer window(long from) {
    long bytes = Math.min(READ_BYTES, capacity() - from);
    return memory.segment().asSlice(from, bytes).asByteBuffer();
  }

  /**
   * Frees all that can be; may be called again.
   *
   * @throws MemoryInUseException if a device works on some of it
   */
  @Override
  public void close() {
    MemoryInUseException failure = null;
    for (Memory each : Stream.concat(inUse.stream(), Stream.of(memory)).toList()) {
      try {
        each.close();
      } catch (MemoryInUseException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
