package dev.gyre.structures.group;

import dev.gyre.structures.group.Batch.Column;
import dev.gyre.structures.group.StateRow.OfColumn;
import java.util.ArrayList;
import java.util.List;

/** Adds rows to private tables. One thread at a time uses a worker. */
final class Worker implements AutoCloseable {

  private final KeyReader keys;
  private final StateRow states;
  private final Grouping.Part main;
  private final List<PairKeys> pairs = new ArrayList<>();
  private final List<Grouping.Part> distincts = new ArrayList<>();
  private final long[] at = new long[KeyBlock.ROWS];
  private final long[] chosen = new long[KeyBlock.ROWS];
  private final long[] values = new long[KeyBlock.ROWS];

  Worker(int keyColumns, Grouping groups, List<Grouping> distinctGroups) {
    this.keys = new KeyReader(keyColumns);
    this.states = groups.states;
    this.main = groups.new Part();
    try {
      for (Grouping distinct : distinctGroups) {
        pairs.add(new PairKeys(keys.block()));
        distincts.add(distinct.new Part());
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  Grouping.Part main() {
    return main;
  }

  Grouping.Part distinct(int index) {
    return distincts.get(index);
  }

  /** Adds all rows of a batch. */
  void add(Plan.Bound columns, int rows) {
    for (int from = 0; from < rows; from += KeyBlock.ROWS) {
      addBlock(columns, from, Math.min(KeyBlock.ROWS, rows - from));
    }
  }

  private void addBlock(Plan.Bound columns, int from, int count) {
    KeyBlock block = keys.read(columns.keys(), from, count);
    main.locate(block, at);
    states.count(main.rows.words(), at, count);
    for (int i = 0; i < states.columns().size(); i++) {
      addValues(states.columns().get(i), columns.values().get(i), from, count);
    }
    for (int i = 0; i < distincts.size(); i++) {
      PairKeys pair = pairs.get(i);
      pair.append(columns.distincts().get(i), from);
      pair.takeNullsOfSecond();
      distincts.get(i).locate(pair, chosen);
    }
  }

  private void addValues(OfColumn state, Column column, int from, int count) {
    KeyBlock.copy(column.content(), from, count, values);
    long[] places = at;
    int used = count;
    if (column.hasNulls()) {
      used = 0;
      for (int i = 0; i < count; i++) {
        chosen[used] = at[i];
        values[used] = values[i];
        used += column.isNull(from + i) ? 0 : 1;
      }
      places = chosen;
    }
    state.add(main.rows.words(), places, values, used);
  }

  /** Gives the rows of the private tables to the groups. */
  void flush() {
    main.flush();
    distincts.forEach(Grouping.Part::flush);
  }

  @Override
  public void close() {
    keys.close();
    main.close();
    pairs.forEach(PairKeys::close);
    distincts.forEach(Grouping.Part::close);
  }
}
