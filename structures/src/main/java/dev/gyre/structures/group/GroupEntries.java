package dev.gyre.structures.group;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Copy of groups in off-heap memory, for a result, a merge and a saved file.
 *
 * <p>A row has two words for the key, followed by the state. The words are the long and 0, or the
 * place of the text in bytes and its length. The second word is negative for the null key.
 *
 * @param texts bytes of all texts
 * @param stride number of words of a row
 * @param owned what is freed
 */
record GroupEntries(
    boolean areTexts, MemorySegment texts, MemorySegment rows, int stride, Runnable owned)
    implements AutoCloseable {

  /** Number of words before the state. */
  static final int HEADER = 2;

  /** Second word of the null key. */
  static final int NULL = -1;

  /** Returns the number of groups. */
  long count() {
    return rows.byteSize() / Long.BYTES / stride;
  }

  /** Returns whether each row is consistent with the texts. */
  boolean isValid() {
    boolean valid = count() * stride * Long.BYTES == rows.byteSize();
    for (long row = 0; row < count() && valid; row++) {
      long at = word(row, 0);
      long length = word(row, 1);
      boolean inside = at >= 0 && at <= texts.byteSize() && length <= texts.byteSize() - at;
      valid = length <= Integer.MAX_VALUE && (!areTexts || inside);
    }
    return valid;
  }

  private long word(long row, int word) {
    return rows.get(ValueLayout.JAVA_LONG, (row * stride + word) * Long.BYTES);
  }

  void setKey(long row, long first, long second) {
    long at = row * stride * Long.BYTES;
    rows.set(ValueLayout.JAVA_LONG, at, first);
    rows.set(ValueLayout.JAVA_LONG, at + Long.BYTES, second);
  }

  /** Returns where the state of a row is, in bytes. */
  long state(long row) {
    return (row * stride + HEADER) * Long.BYTES;
  }

  /** Copies the state of a row. */
  void copyState(long row, long[] to, int at) {
    MemorySegment.copy(rows, ValueLayout.JAVA_LONG, state(row), to, at, stride - HEADER);
  }

  /** Sets a block to the keys from a row on; returns how many. */
  int read(long from, KeyBlock block) {
    block.count = (int) Math.min(KeyBlock.ROWS, count() - from);
    block.hasNulls = true;
    block.areTexts = areTexts;
    if (areTexts) {
      block.beTexts(texts);
    }
    for (int i = 0; i < block.count; i++) {
      block.nulls[i] = word(from + i, 1) < 0;
      if (areTexts) {
        block.offsets[i] = word(from + i, 0);
        block.lengths[i] = Math.max(0, (int) word(from + i, 1));
      } else {
        block.numbers[i] = word(from + i, 0);
      }
    }
    return block.count;
  }

  @Override
  public void close() {
    owned.run();
  }
}
