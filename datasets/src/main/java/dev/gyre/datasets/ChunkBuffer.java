package dev.gyre.datasets;

import dev.gyre.atomics.Memory;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Memory for one chunk; grows. */
final class ChunkBuffer implements AutoCloseable {

  /** One read asks for no more, so that a reader that is to stop does so soon. */
  private static final long READ_BYTES = 4L << 20;

  private Memory memory;

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
      Memory larger = Memory.ofBytes(Math.max(capacity, 2 * memory.byteSize()));
      MemorySegment.copy(memory.segment(), 0, larger.segment(), 0, keep);
      memory.close();
      memory = larger;
    }
  }

  /** A window on the bytes from {@code from} on, to read into; at most {@link #READ_BYTES} long. */
  ByteBuffer window(long from) {
    long bytes = Math.min(READ_BYTES, capacity() - from);
    return memory.segment().asSlice(from, bytes).asByteBuffer();
  }

  @Override
  public void close() {
    memory.close();
  }
}
