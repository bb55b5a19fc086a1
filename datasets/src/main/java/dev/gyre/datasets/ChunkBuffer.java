package dev.gyre.datasets;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryInUseException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Growing memory for one chunk. */
final class ChunkBuffer implements AutoCloseable {

  /** Largest size of one read, in bytes, so that a reader stops soon when it is asked to. */
  private static final long READ_BYTES = 4L << 20;

  private Memory memory;

  /** Smaller memories that a device was using. */
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

  /** Grows to at least {@code capacity} bytes and keeps the first {@code keep} bytes. */
  void grow(long capacity, long keep) {
    if (capacity > memory.byteSize()) {
      Memory smaller = memory;
      Memory larger = Memory.ofBytes(Math.max(capacity, 2 * smaller.byteSize()));
      MemorySegment.copy(smaller.segment(), 0, larger.segment(), 0, keep);
      memory = larger;
      try {
        smaller.close();
      } catch (MemoryInUseException e) {
        // close() reports it, if it is still in use then.
        inUse.add(smaller);
      }
    }
  }

  /**
   * Returns a buffer of the bytes from {@code from} to {@code to}, to read into; at most {@link
   * #READ_BYTES} long.
   */
  ByteBuffer window(long from, long to) {
    long bytes = Math.min(READ_BYTES, to - from);
    return memory.segment().asSlice(from, bytes).asByteBuffer();
  }

  /**
   * Frees all memory that is not in use. May be called again.
   *
   * @throws MemoryInUseException if a device uses some of it
   */
  @Override
  public void close() {
    closeAll(Stream.concat(inUse.stream(), Stream.of(memory)).toList(), Memory::close);
  }

  /** Closes all, also if some are in use, which the exception says. */
  static <T> void closeAll(List<T> all, Consumer<T> close) {
    MemoryInUseException failure = null;
    for (T each : all) {
      try {
        close.accept(each);
      } catch (MemoryInUseException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
