package dev.gyre.bench.cli;

import dev.gyre.datasets.csv.CsvTable;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.Outcome;
import dev.gyre.structures.map.TextKeys;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Rows: their keys, and the values that they have, or that are found.
 *
 * @param <K> keys of a batch
 */
abstract class MapBatch<K> implements AutoCloseable {

  final long[] values;
  final byte[] outcomes;
  long hits;

  private MapBatch(int most) {
    this.values = new long[most];
    this.outcomes = new byte[most];
  }

  abstract int count();

  abstract K keys();

  /** Returns a key. */
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

  /** Returns of each row its value. */
  final Longs values() {
    return Longs.of(isFull() ? values : Arrays.copyOf(values, count()));
  }

  /** Returns how many of the keys are in the map, once they were looked up. */
  final long hits() {
    return hits;
  }

  /** Returns the value that was found; null if it is absent. */
  final @Nullable Long found(int row) {
    return outcomes[row] == Outcome.FOUND.code() ? (Long) values[row] : null;
  }

  /** Rows whose keys are numbers. */
  static final class OfLongs extends MapBatch<Longs> {
    private final long[] keys;
    private int count;

    OfLongs(int most) {
      super(most);
      this.keys = new long[most];
    }

    @Override
    int count() {
      return count;
    }

    @Override
    Longs keys() {
      return Longs.of(isFull() ? keys : Arrays.copyOf(keys, count));
    }

    @Override
    Object key(int row) {
      return keys[row];
    }

    @Override
    void addKey(CsvTable row) {
      keys[count] = row.number(0);
      count++;
    }

    @Override
    void clear() {
      count = 0;
    }
  }

  /** Rows whose keys are texts. */
  static final class OfTexts extends MapBatch<TextKeys> {
    private final TextKeys keys = new TextKeys();

    OfTexts(int most) {
      super(most);
    }

    @Override
    int count() {
      return keys.count();
    }

    @Override
    TextKeys keys() {
      return keys;
    }

    @Override
    Object key(int row) {
      return keys.text(row);
    }

    @Override
    void addKey(CsvTable row) {
      try {
        var _ = keys.add(row.text(0));
      } catch (IllegalArgumentException e) {
        throw row.bad(String.valueOf(e.getMessage()));
      }
    }

    @Override
    void clear() {
      keys.clear();
    }

    @Override
    public void close() {
      keys.close();
    }
  }
}
