package dev.gyre.structures.group;

import dev.gyre.structures.group.Batch.Column;
import dev.gyre.structures.group.StateRow.OfColumn;
import java.util.ArrayList;
import java.util.List;

/** Adds rows to private tables. One thread at a time uses a worker. */
final class Worker implements AutoCloseable {

  private final KeyReader keys;
  private final StateRow states;

  /** A table of the groups, and one for each set of distinct values. */
  private final List<Grouping.Part> parts = new ArrayList<>();

  private final List<PairKeys> pairs = new ArrayList<>();
  private final long[] at = new long[KeyBlock.ROWS];
  private final long[] chosen = new long[KeyBlock.ROWS];
  private final long[] values = new long[KeyBlock.ROWS];

  Worker(int keyColumns, Grouping groups, List<Grouping> distincts) {
    this.keys = new KeyReader(keyColumns);
    this.states = groups.states;
    parts.add(groups.new Part());
    for (Grouping distinct : distincts) {
      pairs.add(new PairKeys(keys.block()));
      parts.add(distinct.new Part());
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
      PairKeys pair = pairs.get(i);
      pair.append(columns.distincts().get(i), from);
      pair.takeNullsOfSecond();
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
    pairs.forEach(PairKeys::close);
    parts.forEach(Grouping.Part::close);
  }
}
