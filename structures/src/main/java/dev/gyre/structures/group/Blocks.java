package dev.gyre.structures.group;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Allocates blocks of off-heap memory, and reuses small ones. Thread-safe.
 *
 * <p>To free a memory, the JVM stops all threads for a moment. Tables that grow in many threads
 * would wait for this most of the time. Blocks of at most 4 MiB are therefore parts of a few
 * memories, which {@link #close} frees; their sizes are powers of two. Each larger block is a
 * memory of its own, which {@link #give} frees.
 */
final class Blocks implements AutoCloseable {

  /** Binary logarithms of the smallest and the largest block that shares a memory, in bytes. */
  private static final int MIN_BITS = 10;

  private static final int MAX_BITS = 22;

  /** Makes each block a memory of its own, whatever its size. */
  static final Blocks SINGLE = new Blocks(0);

  /** Smallest and largest memory that small blocks share, unless a block is larger. */
  private static final long MIN_SHARED_BYTES = 1 << 16;

  private static final int MAX_SHARED_BITS = 26;

  /** Memories from this size on are filled with zeros page by page, when they are used. */
  private static final long PAGED_BYTES = 1 << 22;

  private final int maxBits;
  private final List<Memory> shared = new ArrayList<>();
  private final List<Deque<MemorySegment>> free =
      IntStream.rangeClosed(0, MAX_SHARED_BITS)
          .<Deque<MemorySegment>>mapToObj(_ -> new ArrayDeque<>())
          .toList();

  /** Memories of large blocks, by address. */
  private final Map<Long, Memory> large = new HashMap<>();

  private long sharedBytes;

  Blocks() {
    this(MAX_BITS);
  }

  private Blocks(int maxBits) {
    this.maxBits = maxBits;
  }

  private static int bits(long bytes) {
    return Math.max(MIN_BITS, Long.SIZE - Long.numberOfLeadingZeros(bytes - 1));
  }

  /**
   * Returns a block of at least some bytes. Its contents are undefined.
   *
   * @throws MemoryExhaustedException if the limit leaves too little memory
   */
  MemorySegment take(long bytes) {
    int bits = bits(bytes);
    if (bits <= maxBits) {
      try {
        return takeSmall(bits);
      } catch (MemoryExhaustedException e) {
        // A memory for this block alone may fit.
      }
    }
    Memory memory = Memory.ofBytes(bytes);
    synchronized (this) {
      large.put(memory.segment().address(), memory);
    }
    return memory.segment();
  }

  /** Takes a free block, or a part of a larger one, whose other parts become free. */
  private synchronized MemorySegment takeSmall(int bits) {
    int found = bits;
    while (found < free.size() && free.get(found).isEmpty()) {
      found++;
    }
    MemorySegment block = found < free.size() ? free.get(found).pop() : share(bits);
    while (block.byteSize() > 1L << bits) {
      long half = block.byteSize() / 2;
      free.get(bits(half)).push(block.asSlice(half));
      block = block.asSlice(0, half);
    }
    return block;
  }

  /** Returns a memory that a block and later ones share. */
  private MemorySegment share(int bits) {
    long next = Math.max(Math.min(4 * sharedBytes, PAGED_BYTES), sharedBytes / 4);
    long size = Math.clamp(Long.highestOneBit(next), MIN_SHARED_BYTES, 1 << MAX_SHARED_BITS);
    Memory memory = Memory.ofBytes(Math.max(size, 1L << bits));
    shared.add(memory);
    sharedBytes += memory.byteSize();
    return memory.segment();
  }

  /** Takes back a block that {@link #take} returned, unless it is closed. */
  void give(MemorySegment block) {
    Memory memory;
    synchronized (this) {
      memory = large.remove(block.address());
      if (memory == null && !shared.isEmpty()) {
        free.get(bits(block.byteSize())).push(block);
      }
    }
    if (memory != null) {
      memory.close();
    }
  }

  @Override
  public synchronized void close() {
    large.values().forEach(Memory::close);
    shared.forEach(Memory::close);
    large.clear();
    shared.clear();
    free.forEach(Deque::clear);
    sharedBytes = 0;
  }
}
