package dev.gyre.structures.group;

/**
 * Rows of a block by the length of their texts, so that the processor predicts where loops over
 * words end.
 */
final class LengthOrder {

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
    int pairs = Math.clamp((length - 1) >> KeyRows.SHORT_SHIFT, 0, MAX_PAIRS);
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
