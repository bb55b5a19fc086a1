package dev.gyre.structures.map.words;

import dev.gyre.kernels.map.ShortText;
import dev.gyre.structures.map.Words;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Words of a text, page by page: where each begins and ends in the page.
 *
 * <p>A bit per byte says whether it belongs to a word. A word begins or ends where a bit differs
 * from the previous one. So no branch depends on the length of words.
 */
public final class WordPage {

  private static final int FIRST_BYTES = 1 << 12;

  /** Number of bytes whose bits are in one long. */
  private static final int BLOCK = Long.SIZE;

  /** Bytes of 0 after a page: they end its last word, and allow reads beyond the ends of words. */
  private static final int MARGIN = 2 * BLOCK;

  private final MemorySegment text;
  private final long to;
  private final Words words;
  private byte[] bytes = new byte[FIRST_BYTES + MARGIN];
  private int[] bounds = new int[FIRST_BYTES + MARGIN];

  /** Start of the next page, never within a word. */
  private long at;

  /**
   * Creates the pages of the words that begin in a range of a text.
   *
   * @param to offset after the last byte of the range
   */
  public WordPage(MemorySegment text, long from, long to, Words words) {
    this.text = text;
    this.to = to;
    this.words = words;
    this.at = from;
    while (at > 0 && at < to && isInWord(at - 1)) {
      at++;
    }
  }

  private boolean isInWord(long place) {
    return words.has(text.get(ValueLayout.JAVA_BYTE, place));
  }

  public boolean hasNext() {
    return at < to;
  }

  /** Moves to the next page; returns its number of words. */
  public int next() {
    int size = copy();
    int count = findBounds(size);
    boolean whole = size == text.byteSize() - at;
    while (count == 2 && bounds[0] == 0 && bounds[1] == size && !whole) {
      bytes = new byte[2 * (bytes.length - MARGIN) + MARGIN];
      bounds = new int[bytes.length];
      size = copy();
      count = findBounds(size);
      whole = size == text.byteSize() - at;
    }
    long rest = at + size;
    if (!whole && count > 0 && bounds[count - 1] == size) {
      // It may continue: it is the first word of the next page.
      count -= 2;
      rest = at + bounds[count];
    }
    while (count > 0 && at + bounds[count - 2] >= to) {
      count -= 2;
    }
    at = rest;
    return count / 2;
  }

  /** Copies as much text as fits; returns its size. */
  private int copy() {
    int size = (int) Math.min(bytes.length - MARGIN, text.byteSize() - at);
    MemorySegment.copy(text, ValueLayout.JAVA_BYTE, at, bytes, 0, size);
    Arrays.fill(bytes, size, Math.min(bytes.length, size + MARGIN), (byte) 0);
    return size;
  }

  /** Finds the beginnings and ends of words, alternately; returns their number. */
  private int findBounds(int size) {
    byte[] page = bytes;
    int[] found = bounds;
    int count = 0;
    long last = 0;
    for (int block = 0; block <= size; block += BLOCK) {
      long inWord = 0;
      for (int i = 0; i < BLOCK; i += Long.BYTES) {
        inWord |= words.members(ShortText.word(page, block + i)) << i;
      }
      long changes = inWord ^ (inWord << 1 | last);
      last = inWord >>> (BLOCK - 1);
      while (changes != 0) {
        found[count++] = block + Long.numberOfTrailingZeros(changes);
        changes &= changes - 1;
      }
    }
    return count;
  }

  /** Returns the text of the page, followed by zeros. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the beginning of a word. */
  public int begin(int word) {
    return bounds[2 * word];
  }

  /** Returns the end of a word. */
  public int end(int word) {
    return bounds[2 * word + 1];
  }
}
