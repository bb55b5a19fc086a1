package dev.gyre.structures.map;

import dev.gyre.atomics.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Ints in an array, a segment or a memory: what bulk operations read and write. A view; the
 * elements stay where they are.
 */
public final class Ints {

  /** Never started: stands for a thread other than the caller's. */
  private static final Thread ANOTHER = new Thread();

  private final MemorySegment segment;
  private final long length;

  private Ints(MemorySegment segment) {
    if (!segment.isAccessibleBy(ANOTHER)) {
      throw new IllegalArgumentException(
          "the segment belongs to one thread, and bulk operations use several: allocate it from"
              + " Arena.ofShared() or Arena.ofAuto()");
    }
    this.segment = segment;
    this.length = segment.byteSize() / Integer.BYTES;
  }

  /** The elements of an array. */
  public static Ints of(int... array) {
    return new Ints(MemorySegment.ofArray(array));
  }

  /**
   * The elements of a segment, in the byte order of the machine, at any alignment.
   *
   * @throws IllegalArgumentException if its size is no multiple of the size of an element, or it
   *     can be used by one thread only
   */
  public static Ints of(MemorySegment segment) {
    if (segment.byteSize() % Integer.BYTES != 0) {
      throw new IllegalArgumentException(
          "a segment of %d bytes does not hold whole elements of %d bytes"
              .formatted(segment.byteSize(), Integer.BYTES));
    }
    return new Ints(segment);
  }

  /**
   * The first elements of a memory.
   *
   * @throws IllegalArgumentException if it holds fewer
   * @throws dev.gyre.atomics.ClosedException if the memory was closed
   */
  public static Ints of(Memory memory, long length) {
    if (length < 0 || length > memory.byteSize() / Integer.BYTES) {
      throw new IllegalArgumentException(
          "a memory of %d bytes does not hold %d elements of %d bytes"
              .formatted(memory.byteSize(), length, Integer.BYTES));
    }
    return new Ints(memory.segment().asSlice(0, length * Integer.BYTES));
  }

  /** Number of elements. */
  public long length() {
    return length;
  }

  boolean isReadOnly() {
    return segment.isReadOnly();
  }

  /** Copies elements to an array, from its start. */
  void read(long from, int[] to, int count) {
    MemorySegment.copy(segment, ValueLayout.JAVA_INT_UNALIGNED, from * Integer.BYTES, to, 0, count);
  }

  /** Copies elements to another place. */
  void read(long from, MemorySegment to, long at, long count) {
    MemorySegment.copy(
        segment, from * Integer.BYTES, to, at * Integer.BYTES, count * Integer.BYTES);
  }

  /** Copies elements from another place. */
  void write(long to, MemorySegment from, long at, long count) {
    MemorySegment.copy(
        from, at * Integer.BYTES, segment, to * Integer.BYTES, count * Integer.BYTES);
  }

  void set(long index, int value) {
    segment.set(ValueLayout.JAVA_INT_UNALIGNED, index * Integer.BYTES, value);
  }
}
