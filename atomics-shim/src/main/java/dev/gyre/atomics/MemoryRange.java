package dev.gyre.atomics;

/**
 * A range of the payload of a {@link Memory}, which is what a copy to a device or from there moves.
 * A memory itself is the range of its whole payload; {@link Memory#range} makes others.
 */
public sealed interface MemoryRange permits Memory, Memory.Range {

  /** The memory that the range is of. */
  Memory memory();

  /** Where the range begins in the payload, in bytes. */
  long from();

  /** Length of the range, in bytes. */
  long byteSize();
}
