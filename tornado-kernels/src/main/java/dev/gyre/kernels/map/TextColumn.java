package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;

/**
 * Texts as kernels see them: one after another in an array of words, and where each is.
 *
 * @param words the texts; see {@link TextLayout}
 * @param places the {@linkplain TextLayout#place place} of each
 */
public record TextColumn(DeviceLongs words, DeviceLongs places) {

  /** Where a text is. */
  public long place(long index) {
    return places.get(index);
  }

  /** Length of a text, in bytes. */
  public int length(long index) {
    return TextLayout.length(places.get(index));
  }

  /** A byte of a text, from 0 to 255. */
  public int byteAt(long index, int at) {
    long word = words.get(TextLayout.start(places.get(index)) + (at >> 3));
    return (int) (word >> ((at & 7) << 3)) & 0xff;
  }
}
