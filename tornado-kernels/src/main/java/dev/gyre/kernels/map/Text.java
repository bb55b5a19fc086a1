package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;

/**
 * The text of a key, as kernels read it: bytes, of a string those of UTF-8.
 *
 * @param words where all of its words are, unless there is one only
 * @param start the first of them
 * @param first the first word itself
 * @param length in bytes
 */
public record Text(DeviceLongs words, long start, long first, int length) {

  /** Eight bytes of it, the first one lowest; those behind the end are 0. */
  public long word(int index) {
    long word = first;
    if (index > 0) {
      word = words.get(start + index);
    }
    return word;
  }

  /** A byte of it, from -128 to 127. */
  public int byteAt(int index) {
    return (byte) (word(index >> 3) >> ((index & 7) << 3));
  }
}
