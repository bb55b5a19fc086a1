package dev.gyre.bench.cli;

import dev.gyre.datasets.csv.CsvTable;
import dev.gyre.kernels.Stage;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A map into which rows are loaded by the batch, and then looked up by the batch. There are two
 * batches: one is filled while the map works on the other.
 *
 * @param <B> batches
 */
abstract class MapJoin<B extends MapJoin.Batch> implements AutoCloseable {

  /** Rows: their keys, and the values that they have, or that are found. */
  abstract static class Batch implements AutoCloseable {

    private final long[] values;
    private final byte[] outcomes;
    private long hits;

    Batch(int most) {
      this.values = new long[most];
      this.outcomes = new byte[most];
    }

    abstract int count();

    /** A key. */
    abstract Object key(int row);

    /** Adds the key of a row, its first column. */
    abstract void addKey(CsvTable row);

    abstract void clear();

    @Override
    public void close() {}

    /** Adds a row of a key and a value, its second column. */
    final void add(CsvTable row) {
      values[count()] = row.number(1);
      addKey(row);
    }

    final boolean isFull() {
      return count() == values.length;
    }

    /** Of each row, its value. */
    final long[] values() {
      return count() == values.length ? values : Arrays.copyOf(values, count());
    }

    /** How many of the keys are in the map, once they were looked up. */
    final long hits() {
      return hits;
    }

    /** The value that was found; null if there is none. */
    final @Nullable Long found(int row) {
      return outcomes[row] == Outcome.FOUND.code() ? (Long) values[row] : null;
    }
  }

  private final int most;
  private final List<B> two;
  private int filling;
  private @Nullable Stage<Long> under;

  MapJoin(int most, B one, B other) {
    this.most = most;
    this.two = List.of(one, other);
  }

  /** Inserts keys that are not there, of equal ones any, and says of each what became of it. */
  abstract InsertCounts insert(B batch, byte[] outcomes);

  /** Of each row, the first row of the batch that has its key. */
  abstract long[] firstRows(B batch);

  /** Assigns the values of some rows. */
  abstract void assign(B batch, boolean[] rows);

  /** Looks up keys, and returns how many are there. */
  abstract long find(B batch, long[] values, byte[] outcomes);

  /** Begins something that is to be done with the map, after what was begun before. */
  abstract Stage<Long> begin(ToLongFunction<B> work, B batch);

  /** Number of keys in the map. */
  abstract long size();

  /** The batch that rows are added to. */
  final B filling() {
    return two.get(filling);
  }

  /** Begins to insert the batch, of equal keys the first. */
  final void insertFirsts() {
    turn(this::insertFirsts);
    filling().clear();
  }

  /**
   * Begins to look up the batch.
   *
   * @return the one before, which was looked up; it is to be cleared, and is what is filled then
   */
  final B find() {
    turn(this::find);
    return filling();
  }

  private void turn(ToLongFunction<B> work) {
    Stage<Long> before = under;
    under = begin(work, filling());
    filling = 1 - filling;
    if (before != null) {
      var _ = before.join();
    }
  }

  /**
   * Waits for the last batch.
   *
   * @return it; none is under way any more
   */
  final B last() {
    Stage<Long> before = under;
    under = null;
    if (before != null) {
      filling = 1 - filling;
      var _ = before.join();
    }
    return filling();
  }

  /**
   * Bulk inserts leave open which of equal keys in a batch comes first. So where another than the
   * first came, the value of the first is assigned.
   */
  private long insertFirsts(B batch) {
    byte[] outcomes = new byte[batch.count()];
    InsertCounts counts = insert(batch, outcomes);
    if (counts.present() > 0) {
      long[] first = firstRows(batch);
      boolean[] rows = new boolean[first.length];
      boolean any = false;
      for (int row = 0; row < first.length; row++) {
        if (outcomes[row] == Outcome.INSERTED.code() && first[row] != row) {
          rows[(int) first[row]] = true;
          any = true;
        }
      }
      if (any) {
        assign(batch, rows);
      }
    }
    return counts.inserted();
  }

  private long find(B batch) {
    int count = batch.count();
    Batch rows = batch;
    byte[] outcomes = count == most ? rows.outcomes : new byte[count];
    long[] found = count == most ? rows.values : new long[count];
    rows.hits = find(batch, found, outcomes);
    if (count < most) {
      System.arraycopy(found, 0, rows.values, 0, count);
      System.arraycopy(outcomes, 0, rows.outcomes, 0, count);
    }
    return rows.hits;
  }

  @Override
  public void close() {
    if (under != null) {
      boolean _ = under.cancel();
    }
    two.forEach(Batch::close);
  }
}
