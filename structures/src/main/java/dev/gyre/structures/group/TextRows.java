package dev.gyre.structures.group;

import dev.gyre.kernels.map.TextLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Rows whose keys are texts. The header is the hash, the place of the text, and its first two
 * words. All words of a longer text are in the memory of texts; its place says how many words
 * before the end they begin.
 *
 * <p>A word has 8 bytes, the first one lowest; the last word is filled up with zeros.
 */
final class TextRows extends KeyRows {

  private static final int PLACE = Long.BYTES;
  private static final int FIRST = 2 * Long.BYTES;
  private static final int SECOND = 3 * Long.BYTES;
  private static final int HEADER = 4 * Long.BYTES;

  TextRows(Blocks blocks, Seed seed, int stateWords) {
    super(blocks, seed, HEADER, stateWords);
  }

  private int lengthAt(long at) {
    return TextLayout.length(word(at + PLACE));
  }

  @Override
  long rowText(long row) {
    return textBytes(lengthAt(at(row)));
  }

  @Override
  void add(KeyBlock keys) {
    MemorySegment bytes = keys.bytes;
    long size = bytes.byteSize();
    for (int i = 0; i < keys.count; i++) {
      long offset = keys.offsets[keys.from + i];
      int length = keys.lengths[keys.from + i];
      if (keys.hasNulls && keys.nulls[i]) {
        addShort(0, 0, 0);
      } else if (Integer.compareUnsigned(length, SHORT_BYTES) > 0 || offset + SHORT_BYTES > size) {
        requireReserved(keys.count - i, length);
        addSlowly(bytes, offset, length);
      } else {
        // All bits if there are more than 8 bytes; and if there is none.
        long two = (long) (Long.BYTES - length) >> (Long.SIZE - 1);
        long none = (long) (length - 1) >> (Long.SIZE - 1);
        // Shifts count modulo 64.
        long last = -1L >>> -(Byte.SIZE * length);
        addShort(
            length,
            bytes.get(PairKeys.LONG, offset) & (last | two) & ~none,
            bytes.get(PairKeys.LONG, offset + Long.BYTES) & last & two);
      }
    }
  }

  /**
   * Throws if a caller has changed a length since memory was reserved for the rows that are left.
   */
  private void requireReserved(int rows, int length) {
    if (length < 0 || !fits(rows, textBytes(length))) {
      throw changed();
    }
  }

  private void addShort(int length, long first, long second) {
    addRow(seed.hash(length, first, second), length, first, second);
  }

  private void addRow(long hash, long place, long first, long second) {
    long at = newRow();
    set(at, hash);
    set(at + PLACE, place);
    set(at + FIRST, first);
    set(at + SECOND, second);
  }

  private void addSlowly(MemorySegment bytes, long offset, int length) {
    long first = word(bytes, offset, length, 0);
    long second = word(bytes, offset, length, 1);
    if (length <= SHORT_BYTES) {
      addShort(length, first, second);
      return;
    }
    long size = textBytes(length);
    long start = newText(size);
    long to = textAt(start);
    long hash = length;
    int words = (int) (size >> 3);
    for (int word = 0; word < words; word += 2) {
      long even = word(bytes, offset, length, word);
      long odd = word(bytes, offset, length, word + 1);
      hash = seed.hash(hash, even, odd);
      set(to + (long) word * Long.BYTES, even);
      if (word + 1 < words) {
        set(to + (word + 1L) * Long.BYTES, odd);
      }
    }
    addRow(hash, place(start, length), first, second);
  }

  /** Returns a word of a text; 0 behind its end. */
  private static long word(MemorySegment bytes, long offset, int length, int index) {
    int left = length - index * Long.BYTES;
    long at = offset + (long) index * Long.BYTES;
    if (left > 0 && at + Long.BYTES <= bytes.byteSize()) {
      long word = bytes.get(PairKeys.LONG, at);
      return left >= Long.BYTES ? word : word & ((1L << (Byte.SIZE * left)) - 1);
    }
    long word = 0;
    for (int i = Math.min(left, Long.BYTES) - 1; i >= 0; i--) {
      word = word << Byte.SIZE | (bytes.get(ValueLayout.JAVA_BYTE, at + i) & 0xff);
    }
    return word;
  }

  /** Returns the place of the words of a text that is not short. */
  private long textOf(long at) {
    return textAt(start(word(at + PLACE)));
  }

  private static long start(long place) {
    return TextLayout.start(place) * Long.BYTES;
  }

  private static long place(long start, int length) {
    return TextLayout.place(start / Long.BYTES, length);
  }

  @Override
  void copyText(KeyRows from, long at) {
    int length = lengthAt(at);
    long bytes = textBytes(length);
    if (bytes > 0) {
      long source = from.textAt(start(word(at + PLACE)));
      long start = newText(bytes);
      long to = textAt(start);
      for (long i = 0; i < bytes; i += Long.BYTES) {
        set(to + i, from.word(source + i));
      }
      set(at + PLACE, place(start, length));
    }
  }

  @Override
  long hash(long row) {
    return word(at(row));
  }

  @Override
  boolean equal(long row, KeyRows others, long other) {
    long a = at(row);
    long b = others.at(other);
    if (word(a) != others.word(b)
        || word(a + FIRST) != others.word(b + FIRST)
        || word(a + SECOND) != others.word(b + SECOND)) {
      return false;
    }
    int length = lengthAt(a);
    TextRows texts = (TextRows) others;
    return length == texts.lengthAt(b) && (length <= SHORT_BYTES || hasText(a, texts, b, length));
  }

  @Override
  long difference(long row, KeyRows others, long other) {
    long a = at(row);
    long b = others.at(other);
    return (word(a) ^ others.word(b))
        | (word(a + PLACE) ^ others.word(b + PLACE))
        | (word(a + FIRST) ^ others.word(b + FIRST))
        | (word(a + SECOND) ^ others.word(b + SECOND));
  }

  private boolean hasText(long at, TextRows others, long other, int length) {
    long a = textOf(at);
    long b = others.textOf(other);
    for (long i = SHORT_BYTES; i < textBytes(length); i += Long.BYTES) {
      if (word(a + i) != others.word(b + i)) {
        return false;
      }
    }
    return true;
  }

  @Override
  void readKeys(long from, KeyBlock block) {
    block.beTexts(words());
    for (int i = 0; i < block.count; i++) {
      long at = at(from + i);
      block.lengths[i] = lengthAt(at);
      block.offsets[i] = (block.lengths[i] > SHORT_BYTES ? textOf(at) : at + FIRST) - at(0);
    }
  }

  @Override
  void requireValid(long at) {
    long place = word(at + PLACE);
    long start = start(place);
    int length = lengthAt(at);
    if (place < 0 || (length > SHORT_BYTES && (start > usedText() || start < textBytes(length)))) {
      throw new IllegalArgumentException("a text is outside its section");
    }
  }
}
