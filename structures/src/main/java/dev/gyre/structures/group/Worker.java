package dev.gyre.structures.group;

import dev.gyre.kernels.group.GroupStates;
import dev.gyre.structures.group.Batch.Column;
import dev.gyre.structures.group.StateRow.OfColumn;
import dev.gyre.structures.group.device.Totals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Adds rows to private tables. One thread at a time uses a worker. */
final class Worker implements AutoCloseable {

  /** The thread that used this worker last. */
  long lastThread;

  private final KeyReader keys;
  private final StateRow states;

  /** A table of the groups, and one for each set of distinct values. */
  private final List<Grouping.Part> parts = new ArrayList<>();

  private final List<CompositeKeys> pairs = new ArrayList<>();
  private final long[] at = new long[KeyBlock.ROWS];
  private final long[] chosen = new long[KeyBlock.ROWS];
  private final long[] values = new long[KeyBlock.ROWS];

  Worker(int keyColumns, Grouping groups, List<Grouping> distincts) {
    this.keys = new KeyReader(keyColumns);
    this.states = groups.states;
    parts.add(groups.new Part());
    for (Grouping distinct : distincts) {
      pairs.add(new CompositeKeys(keys.block(), new KeyBlock()));
      parts.add(distinct.new Part());
    }
  }

  /** Merges a copy of groups with the same plan. */
  void absorb(GroupState state) {
    for (int i = 0; i < parts.size(); i++) {
      parts.get(i).absorb(state.parts().get(i));
    }
  }

  /**
   * Merges groups that a device hands over, in blocks, and forgets them. After an error, a group is
   * either merged and forgotten, or neither.
   *
   * @param from the first group
   * @param to the end of the groups
   * @param columns the column of each value of the totals
   * @param keys returns the keys of some groups
   */
  void absorb(
      Totals totals, int from, int to, List<String> columns, Function<int[], KeyBlock> keys) {
    int[] used = IntStream.range(from, to).filter(group -> totals.rows(group) > 0).toArray();
    try (KeyRows made = KeyRows.of(Blocks.SINGLE, false, Seed.next(), states.words())) {
      made.reserve(KeyBlock.ROWS, 0, 0, 1);
      long _ = made.newRows(KeyBlock.ROWS);
      for (int next = 0; next < used.length; next += KeyBlock.ROWS) {
        int[] groups = Arrays.copyOfRange(used, next, Math.min(used.length, next + KeyBlock.ROWS));
        for (int i = 0; i < groups.length; i++) {
          made.clearState(i + 1L);
          chosen[i] = made.state(i + 1L);
          set(totals, columns, groups[i], made, chosen[i]);
        }
        parts.getFirst().merge(keys.apply(groups), made.words(), chosen);
        for (int group : groups) {
          totals.states().forget(group);
        }
      }
    }
  }

  /** Sets the state of a group of a device. */
  private void set(Totals totals, List<String> columns, int group, KeyRows to, long state) {
    GroupStates from = totals.states();
    long rows = totals.rows(group);
    set(to, state, states.rowCount(), rows);
    for (OfColumn of : states.columns()) {
      int value = columns.indexOf(of.column());
      set(to, state, of.count(), rows - (value < 0 ? 0 : totals.nulls(group, value)));
      if (value >= 0 && of.needsValues()) {
        long low = from.word(group, value, GroupStates.LOW);
        if (of.sum() >= 0 && of.field().isReal()) {
          set(to, state, of.sum(), low);
        } else if (of.sum() >= 0) {
          long high = from.word(group, value, GroupStates.HIGH);
          StateRow.addLong(to.words(), state, of.sum(), low, low >> (Long.SIZE - 1));
          StateRow.addLong(to.words(), state, of.sum(), high << Integer.SIZE, high >> Integer.SIZE);
        }
        // A maximum, and the complement of a minimum: their words are in unsigned order.
        set(to, state, of.min(), from.word(group, value, GroupStates.MIN) ^ Long.MIN_VALUE);
        set(to, state, of.max(), from.word(group, value, GroupStates.MAX) ^ Long.MIN_VALUE);
      }
    }
  }

  private static void set(KeyRows rows, long state, int word, long value) {
    if (word >= 0) {
      rows.set(state + (long) word * Long.BYTES, value);
    }
  }

  /** Returns the private table of the groups, or of a set of distinct values behind it. */
  Grouping.Part part(int index) {
    return parts.get(index);
  }

  /** Adds all rows of a batch. */
  void add(Plan.Bound columns, int rows) {
    // Input rows that wait have no nulls.
    boolean mayWait = true;
    for (Column column : columns.values()) {
      mayWait &= !column.hasNulls();
    }
    // As a long: the end of the last block may be beyond the ints.
    for (long from = 0; from < rows; from += KeyBlock.ROWS) {
      addBlock(columns, (int) from, (int) Math.min(KeyBlock.ROWS, rows - from), mayWait);
    }
  }

  private void addBlock(Plan.Bound columns, int from, int count, boolean mayWait) {
    Grouping.Part main = parts.getFirst();
    int waiting = main.locate(keys.read(columns.keys(), from, count), mayWait, at);
    if (waiting < count) {
      states.count(main.groups().words(), at, count);
    }
    for (int i = 0; i < states.columns().size(); i++) {
      KeyBlock.copy(columns.values().get(i).content(), from, count, values);
      if (waiting > 0) {
        main.setWaiting(i, values, waiting);
      }
      if (waiting < count) {
        addValues(states.columns().get(i), columns.values().get(i), from, count);
      }
    }
    for (int i = 0; i < pairs.size(); i++) {
      CompositeKeys pair = pairs.get(i);
      pair.combine(columns.distincts().get(i), from);
      int _ = parts.get(i + 1).locate(pair, true, chosen);
    }
  }

  private void addValues(OfColumn state, Column column, int from, int count) {
    boolean chooses = column.hasNulls();
    int used = chooses ? choose(column, from, count) : count;
    state.add(parts.getFirst().groups().words(), chooses ? chosen : at, values, used);
  }

  /** Moves the places and values of rows that are not null to the front. */
  private int choose(Column column, int from, int count) {
    int used = 0;
    for (int i = 0; i < count; i++) {
      chosen[used] = at[i];
      values[used] = values[i];
      used += column.isNull(from + i) ? 0 : 1;
    }
    return used;
  }

  /** Gives the rows of the private tables to the groups. */
  void flush() {
    parts.forEach(Grouping.Part::flush);
  }

  @Override
  public void close() {
    keys.close();
    pairs.forEach(CompositeKeys::close);
  }
}
