package dev.gyre.structures.group;

/** Sorts the rows of a thread by partition, and notes which partitions have got theirs. */
final class RowsByPartition {

  /** Rows in the order of their partitions. */
  int[] rows = {};

  /** The partitions that have got their rows. */
  boolean[] given = {};

  private int[] ofRows = {};

  /** Sorts rows, of which no partition has got any. Returns the ends of the partitions. */
  int[] sort(KeyRows from, int count) {
    given = new boolean[count];
    int[] ends = new int[count + 1];
    int used = (int) from.used();
    if (rows.length < used) {
      rows = new int[used];
      ofRows = new int[used];
    }
    for (int row = 1; row < used; row++) {
      int part = Grouping.partition(from.hash(from.at(row)), count);
      ofRows[row] = part;
      ends[part + 1]++;
    }
    for (int part = 0; part < count; part++) {
      ends[part + 1] += ends[part];
    }
    for (int row = 1; row < used; row++) {
      rows[ends[ofRows[row]]++] = row;
    }
    return ends;
  }

  /** Returns the bytes of the texts of some sorted rows besides their headers. */
  long text(KeyRows from, int begin, int end) {
    long text = 0;
    for (int i = begin; i < end && from.usedText() > 0; i++) {
      text += from.rowText(rows[i]);
    }
    return text;
  }

  /** Removes the input rows that were given, or clears the states of groups that were. */
  void removeGiven(KeyRows from, boolean areGroups) {
    int left = 0;
    for (int row = 1; row < from.used(); row++) {
      if (!given[ofRows[row]]) {
        rows[left++] = row - 1;
      } else if (areGroups) {
        from.clearState(row);
      }
    }
    if (!areGroups) {
      from.keep(1, rows, left, 0);
    } else if (from.hasNull() && given[0]) {
      from.clearState(0);
    }
  }
}
