package dev.gyre.structures.group;

import dev.gyre.kernels.map.TextLayout;
import dev.gyre.structures.group.KeyMap.Staged;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Private table of keys that are texts. The header of a row is the hash, the place of the text, and
 * its first two words. Longer texts are in an array of words, from the third word on.
 *
 * <p>A word has 8 bytes, the first one lowest; the last word is filled up with zeros.
 */
final class PartialOfTexts extends Partial {

  private static final int PLACE = 1;
  private static final int FIRST = 2;
  private static final int SECOND = 3;
  private static final int HEADER = 4;

  /** Longest text whose words are all in the header, in bytes. */
  private static final int SHORT_BYTES = 2 * Long.BYTES;

  /** Number of words of long texts from which the table is emptied. */
  private static final int MAX_TEXT_WORDS = 1 << 20;

  private final Seed seed;
  private long[] words = new long[KeyBlock.ROWS];
  private int usedWords;

  PartialOfTexts(StateRow states, Seed seed) {
    super(states, HEADER);
    this.seed = seed;
  }

  @Override
  boolean hasCapacity() {
    return usedWords < MAX_TEXT_WORDS;
  }

  @Override
  void search(KeyBlock keys, int[] at) {
    MemorySegment bytes = keys.bytes;
    long size = bytes.byteSize();
    int mask = slots.length - 1;
    for (int i = 0; i < keys.count; i++) {
      long offset = keys.offsets[keys.from + i];
      int length = keys.lengths[keys.from + i];
      if (keys.hasNulls && keys.nulls[i]) {
        continue;
      }
      if (length > SHORT_BYTES || offset + SHORT_BYTES > size) {
        at[i] = HEADER + findSlowly(bytes, offset, length, true);
        continue;
      }
      // All bits if there are more than 8 bytes; and if there is none.
      long two = (long) (Long.BYTES - length) >> (Long.SIZE - 1);
      long none = (long) (length - 1) >> (Long.SIZE - 1);
      // Shifts count modulo 64.
      long last = -1L >>> -(Byte.SIZE * length);
      long first = bytes.get(PairKeys.LONG, offset) & (last | two) & ~none;
      long second = bytes.get(PairKeys.LONG, offset + Long.BYTES) & last & two;
      long hash = seed.hash(first, second, length);
      int slot = (int) hash & mask;
      int row = slots[slot];
      while (row != 0
          && (rows[row + FIRST] != first
              || rows[row + SECOND] != second
              || rows[row + PLACE] != length)) {
        slot = (slot + 1) & mask;
        row = slots[slot];
      }
      if (row == 0) {
        row = newRow(hash, length, first, second);
        slots[slot] = row;
      }
      at[i] = row + HEADER;
    }
  }

  private int newRow(long hash, long place, long first, long second) {
    int row = newRow();
    rows[row] = hash;
    rows[row + PLACE] = place;
    rows[row + FIRST] = first;
    rows[row + SECOND] = second;
    return row;
  }

  /** Finds or adds the row of any text. */
  private int findSlowly(MemorySegment bytes, long offset, int length, boolean searches) {
    long first = word(bytes, offset, length, 0);
    long second = word(bytes, offset, length, 1);
    long hash = seed.hash(first, second, length);
    int count = TextLayout.words(length);
    for (int word = 2; word < count; word += 2) {
      long next = word(bytes, offset, length, word + 1);
      hash = seed.more(hash, word(bytes, offset, length, word), next);
    }
    int mask = slots.length - 1;
    int slot = (int) hash & mask;
    int row = searches ? slots[slot] : 0;
    while (row != 0
        && (rows[row] != hash
            || rows[row + FIRST] != first
            || rows[row + SECOND] != second
            || !hasRest(row, bytes, offset, length))) {
      slot = (slot + 1) & mask;
      row = slots[slot];
    }
    if (row == 0) {
      long place = TextLayout.place(count > 2 ? usedWords : 0, length);
      row = newRow(hash, place, first, second);
      if (count > 2) {
        addRest(bytes, offset, length, count);
      }
      if (searches) {
        slots[slot] = row;
      }
    }
    return row;
  }

  private void addRest(MemorySegment bytes, long offset, int length, int count) {
    if (words.length - usedWords < count) {
      words = Arrays.copyOf(words, Math.max(2 * words.length, Math.addExact(usedWords, count)));
    }
    for (int word = 2; word < count; word++) {
      words[usedWords++] = word(bytes, offset, length, word);
    }
  }

  private boolean hasRest(int row, MemorySegment bytes, long offset, int length) {
    long place = rows[row + PLACE];
    if (TextLayout.length(place) != length) {
      return false;
    }
    int start = (int) TextLayout.start(place);
    for (int word = 2; word < TextLayout.words(length); word++) {
      if (words[start + word - 2] != word(bytes, offset, length, word)) {
        return false;
      }
    }
    return true;
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

  @Override
  void appendKeys(KeyBlock keys, int[] at) {
    for (int i = 0; i < keys.count; i++) {
      if (!keys.hasNulls || !keys.nulls[i]) {
        long offset = keys.offsets[keys.from + i];
        at[i] = HEADER + findSlowly(keys.bytes, offset, keys.lengths[keys.from + i], false);
      }
    }
  }

  @Override
  long hash(int row) {
    return rows[row];
  }

  @Override
  void stage(int row, Staged keys) {
    long place = rows[row + PLACE];
    int length = TextLayout.length(place);
    int count = TextLayout.words(length);
    if (count <= 2) {
      keys.add(rows[row + FIRST], rows[row + SECOND], length);
      return;
    }
    long[] all = new long[count];
    all[0] = rows[row + FIRST];
    all[1] = rows[row + SECOND];
    System.arraycopy(words, (int) TextLayout.start(place), all, 2, count - 2);
    keys.add(all, length);
  }

  @Override
  void clearTexts() {
    usedWords = 0;
  }
}
