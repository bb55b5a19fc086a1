package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Internal;

/**
 * Rows of words: keys or values that are records, with a word per component.
 *
 * @since 0.1.0
 */
@Internal
public interface Rows {

  /** Returns a word of a row that no thread writes. */
  long get(long row, int column);

  /** Returns the first words of a row, at least one, as components of a key. */
  static KeyParts parts(Rows rows, long row, int words) {
    long second = 0;
    long third = 0;
    long fourth = 0;
    if (words > 1) {
      second = rows.get(row, 1);
    }
    if (words > 2) {
      third = rows.get(row, 2);
    }
    if (words > 3) {
      fourth = rows.get(row, 3);
    }
    return new KeyParts(rows.get(row, 0), second, third, fourth);
  }

  /**
   * Rows in a memory.
   *
   * @param first index of the first row
   * @param stride words from one row to the next
   */
  record InMemory(DeviceLongs words, long first, long stride) implements Rows {
    @Override
    public long get(long row, int column) {
      return words.get(first + row * stride + column);
    }
  }

  /** One row for all indexes. */
  record One(long first, long second, long third, long fourth) implements Rows {
    @Override
    public long get(long row, int column) {
      long front = column == 0 ? first : second;
      long back = column == 2 ? third : fourth;
      return column < 2 ? front : back;
    }
  }

  /**
   * Numbers that represent rows, as in {@link RecordSlots}. Writing a number copies its row, or
   * zeros.
   *
   * @param table table with the rows
   * @param first first word of the row in a slot
   * @param stride words from one slot to the next
   * @param words words of a row
   * @param rows destination of rows
   */
  record Found(DeviceLongs table, long first, long stride, int words, DeviceLongs rows)
      implements Numbers {

    @Override
    public long get(long index) {
      return index;
    }

    /**
     * Copies a row.
     *
     * @param place its slot plus 1, or 0
     */
    @Override
    public void set(long index, long place) {
      long from = (place - 1) * stride + first;
      for (int word = 0; word < words; word++) {
        long value = 0;
        if (place > 0) {
          // relaxed: each word separately, while other threads may change it
          value = table.loadRelaxed(from + word);
        }
        rows.set(index * words + word, value);
      }
    }

    @Override
    public Numbers copy() {
      return new Found(table, first, stride, words, rows);
    }
  }
}
