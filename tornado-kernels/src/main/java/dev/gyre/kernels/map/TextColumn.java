package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;

/**
 * Column of texts for kernels.
 *
 * @param words the words of all texts; see {@link TextLayout}
 * @param places the {@linkplain TextLayout#place place} of each text
 * @since 0.1.0
 */
public record TextColumn(DeviceLongs words, DeviceLongs places) {

  /** Returns the place of a text. */
  public long place(long index) {
    return places.get(index);
  }

  /** Returns the length of a text, in bytes. */
  public int length(long index) {
    return TextLayout.length(places.get(index));
  }

  /** Returns a byte of a text, from 0 to 255. */
  public int byteAt(long index, int at) {
    long word = words.get(TextLayout.start(places.get(index)) + (at >> 3));
    return (int) (word >> ((at & 7) << 3)) & 0xff;
  }
}
