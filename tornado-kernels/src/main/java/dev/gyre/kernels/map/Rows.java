package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;

/** Rows of words: keys or values that are records, each component in a word. */
public interface Rows {

  /** A word of a row, which nobody writes to. */
  long get(long row, int column);

  /** The first words of a row, as components of a key; there is one at least. */
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
   * @param first where the first row begins
   * @param stride from one row to the next
   */
  record InMemory(DeviceLongs words, long first, long stride) implements Rows {
    @Override
    public long get(long row, int column) {
      return words.get(first + row * stride + column);
    }
  }

  /** One row, whatever its number. */
  record One(long first, long second, long third, long fourth) implements Rows {
    @Override
    public long get(long row, int column) {
      long front = column == 0 ? first : second;
      long back = column == 2 ? third : fourth;
      return column < 2 ? front : back;
    }
  }

  /**
   * Numbers of a batch of rows, in place of the rows themselves, as {@link RecordSlots} has them.
   * Where a kernel writes what it found, a row is copied, or zeros.
   *
   * @param table where rows are found
   * @param first word of a slot at which its row begins
   * @param stride words from one slot to the next
   * @param words of a row
   * @param rows where they go
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
     * @param place its slot, and 1 more; or 0
     */
    @Override
    public void set(long index, long place) {
      long from = (place - 1) * stride + first;
      for (int word = 0; word < words; word++) {
        long value = 0;
        if (place > 0) {
          // relaxed: each word by itself, beside threads that change it
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
