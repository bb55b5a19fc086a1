package dev.gyre.atomics;

/**
 * Range of bytes in the payload of a {@link Memory}: what a copy to or from a device moves.
 *
 * <p>A memory itself is the range of its whole payload. {@link Memory#range} returns a part of it.
 *
 * @since 0.1.0
 */
public sealed interface MemoryRange permits Memory, Memory.Range {

  /** Returns the memory that the range is part of. */
  Memory memory();

  /** Returns the offset of the range in the payload, in bytes. */
  long from();

  /** Returns the length of the range, in bytes. */
  long byteSize();
}
