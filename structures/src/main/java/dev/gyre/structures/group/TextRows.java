package dev.gyre.structures.group;

import dev.gyre.kernels.map.TextLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

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

  /** Is read instead of bytes that have no two words. */
  private static final MemorySegment TOO_SHORT = Arena.global().allocate(SHORT_BYTES);

  /** Power of two above the lengths of short texts. */
  private static final int MASKS = 2 * SHORT_BYTES;

  /** For each length of a short text, which bits of two words belong to it. */
  private static final long[] FIRST_MASKS = new long[MASKS];

  private static final long[] SECOND_MASKS = new long[MASKS];

  static {
    for (int length = 1; length <= SHORT_BYTES; length++) {
      // Shifts count modulo 64.
      long last = -1L >>> -(Byte.SIZE * length);
      FIRST_MASKS[length] = length < Long.BYTES ? last : -1;
      SECOND_MASKS[length] = length > Long.BYTES ? last : 0;
    }
  }

  /** Keys that are not short, or end with their bytes. */
  private final LengthOrder others = new LengthOrder();

  TextRows(Blocks blocks, Seed seed, int stateWords) {
    super(blocks, seed, HEADER, stateWords);
  }

  @Override
  int length(long at) {
    return TextLayout.length(word(at, PLACE));
  }

  @Override
  long rowText(long row) {
    return textBytes(length(at(row)));
  }

  @Override
  void add(KeyBlock keys) {
    // As locals, because HotSpot would read fields of objects again for each key.
    long[] offsets = keys.offsets;
    int[] lengths = keys.lengths;
    int from = keys.from;
    int count = keys.count;
    boolean @Nullable [] nulls = keys.hasNulls ? keys.nulls : null;
    long limit = keys.bytes.byteSize() - SHORT_BYTES;
    MemorySegment bytes = limit < 0 ? TOO_SHORT : keys.bytes;
    Seed hashing = seed;
    others.begin();
    int[] slow = others.rows;
    int left = 0;
    long start = newRows(count);
    int size = rowBytes();
    for (int i = 0; i < count; i++) {
      boolean isNull = nulls != null && nulls[i];
      long offset = isNull ? 0 : offsets[from + i];
      int length = isNull ? 0 : lengths[from + i];
      // Without a branch: all bits if the text is not short, or ends with the bytes.
      long isSlow = ((limit - offset) | (SHORT_BYTES - (length & 0xffff_ffffL))) >> (Long.SIZE - 1);
      slow[left] = i;
      left -= (int) isSlow;
      // Long texts are read too, so that they are in the cache afterwards.
      offset &= ~((limit - offset) >> (Long.SIZE - 1));
      int of = length & ~(int) isSlow & (MASKS - 1);
      long first = bytes.get(CompositeKeys.LONG, offset) & FIRST_MASKS[of];
      long second = bytes.get(CompositeKeys.LONG, offset + Long.BYTES) & SECOND_MASKS[of];
      long at = start + (long) i * size;
      set(at, hashing.hash(length, first, second), length, first, second);
    }
    if (LengthOrder.pays(left, count)) {
      for (int i = 0; i < left; i++) {
        others.length(i, lengths[from + slow[i]]);
      }
      slow = others.sort(left);
    }
    for (int i = 0; i < left; i++) {
      int row = LengthOrder.row(slow[i]);
      boolean isNull = nulls != null && nulls[row];
      long offset = isNull ? 0 : offsets[from + row];
      setText(start + (long) row * size, keys.bytes, offset, isNull ? 0 : lengths[from + row]);
    }
  }

  private void set(long at, long hash, long place, long first, long second) {
    set(at, 0, hash);
    set(at, PLACE, place);
    set(at, FIRST, first);
    set(at, SECOND, second);
  }

  private void setText(long at, MemorySegment bytes, long offset, int length) {
    long size = textBytes(length);
    // A caller may have changed a length since memory was reserved for the texts.
    if (length < 0 || !fits(0, size)) {
      throw changed();
    }
    long hash = length;
    long start = newText(size);
    long to = textAt(start);
    long last = lastPair(length);
    // Not <, with which HotSpot would unroll the loop: it has few iterations.
    for (long i = 0; i != last; i += SHORT_BYTES) {
      long even = bytes.get(CompositeKeys.LONG, offset + i);
      long odd = bytes.get(CompositeKeys.LONG, offset + i + Long.BYTES);
      hash = seed.hash(hash, even, odd);
      set(to + i, even);
      set(to + i + Long.BYTES, odd);
    }
    int left = (int) (length - last);
    long from = offset + last;
    boolean isInside = from + SHORT_BYTES <= bytes.byteSize();
    long even =
        isInside
            ? bytes.get(CompositeKeys.LONG, from) & FIRST_MASKS[left]
            : word(bytes, from, left);
    long odd =
        isInside
            ? bytes.get(CompositeKeys.LONG, from + Long.BYTES) & SECOND_MASKS[left]
            : word(bytes, from + Long.BYTES, left - Long.BYTES);
    hash = seed.hash(hash, even, odd);
    if (length <= SHORT_BYTES) {
      set(at, hash, length, even, odd);
      return;
    }
    set(to + last, even);
    // Without a branch: the last word is the second one of its pair, or the first one again.
    set(to + size - Long.BYTES, left > Long.BYTES ? odd : even);
    set(at, hash, place(start, length), word(to), word(to, Long.BYTES));
  }

  /** Returns the distance of the last pair of words from the beginning of a text. */
  private static long lastPair(int length) {
    return Math.max(0, length - 1) & -SHORT_BYTES;
  }

  /** Returns a word of which only some bytes are there; 0 behind them. */
  private static long word(MemorySegment bytes, long at, int left) {
    long word = 0;
    for (int i = Math.min(left, Long.BYTES) - 1; i >= 0; i--) {
      word = word << Byte.SIZE | (bytes.get(ValueLayout.JAVA_BYTE, at + i) & 0xff);
    }
    return word;
  }

  /** Returns the place of the words of a text that is not short. */
  private long textOf(long at) {
    return textAt(start(word(at, PLACE)));
  }

  private static long start(long place) {
    return TextLayout.start(place) * Long.BYTES;
  }

  private static long place(long start, int length) {
    return TextLayout.place(start / Long.BYTES, length);
  }

  @Override
  void copyText(KeyRows from, long at) {
    int length = length(at);
    long bytes = textBytes(length);
    if (bytes > 0) {
      long source = from.textAt(start(word(at, PLACE)));
      long start = newText(bytes);
      long to = textAt(start);
      for (long i = 0; i < bytes; i += Long.BYTES) {
        set(to + i, from.word(source + i));
      }
      set(at, PLACE, place(start, length));
    }
  }

  @Override
  long hash(long at) {
    return word(at);
  }

  @Override
  boolean equal(long at, KeyRows others, long other) {
    if (word(at) != others.word(other)
        || word(at, FIRST) != others.word(other, FIRST)
        || word(at, SECOND) != others.word(other, SECOND)) {
      return false;
    }
    int length = length(at);
    TextRows texts = (TextRows) others;
    return length == texts.length(other)
        && (length <= SHORT_BYTES || hasText(at, texts, other, length));
  }

  @Override
  long difference(long at, KeyRows others, long other) {
    long place = others.word(other, PLACE);
    // Different texts with the same first words may have the same place, in two memories.
    return TextLayout.start(place)
        | (word(at, PLACE) ^ place)
        | (word(at, FIRST) ^ others.word(other, FIRST))
        | (word(at, SECOND) ^ others.word(other, SECOND));
  }

  private boolean hasText(long at, TextRows others, long other, int length) {
    long a = textOf(at);
    long b = others.textOf(other);
    long last = lastPair(length);
    for (long i = SHORT_BYTES; i != last; i += SHORT_BYTES) {
      if (word(a + i) != others.word(b + i)
          || word(a + i, Long.BYTES) != others.word(b + i, Long.BYTES)) {
        return false;
      }
    }
    long end = textBytes(length) - Long.BYTES;
    return word(a + last) == others.word(b + last) && word(a + end) == others.word(b + end);
  }

  @Override
  void readKeys(long from, KeyBlock block) {
    block.beTexts(words());
    for (int i = 0; i < block.count; i++) {
      long at = at(from + i);
      block.lengths[i] = length(at);
      block.offsets[i] = (block.lengths[i] > SHORT_BYTES ? textOf(at) : at + FIRST) - at(0);
    }
  }

  @Override
  void requireValid(long at) {
    long place = word(at, PLACE);
    long start = start(place);
    int length = length(at);
    if (place < 0 || (length > SHORT_BYTES && (start > usedText() || start < textBytes(length)))) {
      throw new IllegalArgumentException("a text is outside its section");
    }
  }

  /**
   * Rows of a block by the length of their texts, so that the processor predicts where loops over
   * words end.
   */
  static final class LengthOrder {

    /** Number of pairs of words from which on lengths are not distinguished. */
    private static final int MAX_PAIRS = 15;

    /** Rows in any order. */
    int[] rows = {};

    private int[] sorted = {};

    /** Makes room for the rows of a block. */
    void begin() {
      if (rows.length == 0) {
        // One more, because a loop without branches writes behind the last row.
        rows = new int[KeyBlock.ROWS + 1];
        sorted = new int[KeyBlock.ROWS];
      }
    }

    /** Returns whether it pays to sort some rows of a block: not if most are short. */
    static boolean pays(int count, int all) {
      return 2 * count > all;
    }

    /** Sets the length of the text of the row at an index. */
    void length(int index, int length) {
      int pairs = Math.clamp((length - 1) >> SHORT_SHIFT, 0, MAX_PAIRS);
      rows[index] |= pairs << KeyBlock.ROW_BITS;
    }

    /** Returns the row of an element. */
    static int row(int element) {
      return element & (KeyBlock.ROWS - 1);
    }

    /** Returns the first rows in the order of their lengths, which are set. */
    int[] sort(int count) {
      int[] next = new int[MAX_PAIRS + 2];
      for (int i = 0; i < count; i++) {
        next[(rows[i] >> KeyBlock.ROW_BITS) + 1]++;
      }
      for (int i = 1; i <= MAX_PAIRS; i++) {
        next[i] += next[i - 1];
      }
      for (int i = 0; i < count; i++) {
        sorted[next[rows[i] >> KeyBlock.ROW_BITS]++] = rows[i];
      }
      return sorted;
    }
  }
}
