package dev.gyre.structures.arrow;

import static dev.gyre.structures.arrow.ArrowStruct.WORD;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The elements of an array, which are a part of its buffers.
 *
 * @param offset index of the first element in the buffers
 */
record Extent(long offset, long length) {

  /** More elements than any memory has; sizes in bytes do not overflow. */
  private static final long MAX_ELEMENTS = 1L << 56;

  /**
   * Returns the elements of an array after checking its numbers.
   *
   * @param name name of the array, for messages
   */
  static Extent of(MemorySegment array, String name, long buffers, long children) {
    Extent extent = new Extent(array.get(WORD, ArrowStruct.OFFSET), array.get(WORD, 0));
    long nulls = array.get(WORD, ArrowStruct.NULL_COUNT);
    if (Math.min(extent.length, extent.offset) < 0
        || Math.max(extent.length, extent.offset) > MAX_ELEMENTS
        || nulls < -1
        || nulls > extent.length) {
      throw new ArrowException(
          "%s has the length %d, the offset %d and %d nulls",
          name, extent.length, extent.offset, nulls);
    }
    long hasBuffers = array.get(WORD, ArrowStruct.BUFFER_COUNT);
    long hasChildren = array.get(WORD, ArrowStruct.CHILD_COUNT);
    if (hasBuffers != buffers || hasChildren != children) {
      throw new ArrowException(
          "%s has %d buffers and %d children: its format needs %d and %d",
          name, hasBuffers, hasChildren, buffers, children);
    }
    return extent;
  }

  /** Returns the index behind the last element. */
  long end() {
    return offset + length;
  }

  /** Returns a buffer of an array, which may be null if it has no bytes. */
  static MemorySegment buffer(
      MemorySegment array, String name, int index, long bytes, Arena arena) {
    long pointer = ArrowStruct.pointer(array, ArrowStruct.BUFFERS, index);
    if (pointer == 0 && bytes > 0) {
      throw new ArrowException("buffer %d of %s is null, and needs %d bytes", index, name, bytes);
    }
    return ArrowStruct.memory(pointer, bytes, arena);
  }

  /** Returns the bits of elements that are not null; no bits if no element is null. */
  MemorySegment validity(MemorySegment array, String name, Arena arena) {
    long nulls = array.get(WORD, ArrowStruct.NULL_COUNT);
    // A null pointer stands for no nulls, unless they are counted.
    boolean none =
        nulls <= 0 && (nulls == 0 || ArrowStruct.pointer(array, ArrowStruct.BUFFERS, 0) == 0);
    return none ? MemorySegment.NULL : buffer(array, name, 0, (end() + 7) / 8, arena);
  }
}
