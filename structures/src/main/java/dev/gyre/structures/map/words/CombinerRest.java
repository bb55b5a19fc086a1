package dev.gyre.structures.map.words;

import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.Outcome;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.work.Sums;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Keys with values that a combiner sends to its map in bulk; created on demand. */
public final class CombinerRest implements AutoCloseable {

  /** Number of keys of a bulk operation of one step, which the calling thread does. */
  private static final int SIZE = TextStore.STEP;

  private final TextStore store;
  private final Apply apply;
  private final long[] values = new long[SIZE];
  private @Nullable TextKeys keys;
  private Sums sums = new Sums();

  CombinerRest(TextStore store, Apply apply) {
    this.store = store;
    this.apply = apply;
  }

  /** Adds a key of up to two words. */
  void add(long first, long second, int length, long value) {
    TextKeys batch = batch();
    batch.add(first, second, length);
    values[batch.count() - 1] = value;
  }

  /** Adds a key of any length. */
  void add(byte[] key, int from, int to, long value) {
    TextKeys batch = batch();
    batch.add(key, from, to);
    values[batch.count() - 1] = value;
  }

  /** Returns a batch with capacity for another key. */
  private TextKeys batch() {
    TextKeys batch = keys;
    if (batch == null) {
      batch = new TextKeys(SIZE, 2 * SIZE);
      keys = batch;
    } else if (batch.count() == SIZE) {
      insert(batch);
    }
    return batch;
  }

  private void insert(TextKeys batch) {
    byte[] outcomes = new byte[batch.count()];
    Longs all = Longs.of(values).part(0, batch.count());
    boolean done = false;
    try {
      sums.addInserts(
          () ->
              store.insert(batch, all, apply.change(), null, BulkOptions.NONE.outcomes(outcomes)));
      done = true;
    } finally {
      if (!done) {
        keepSkipped(batch, outcomes);
      }
    }
    batch.clear();
  }

  /** Keeps the keys in the batch that were not tried. */
  private void keepSkipped(TextKeys batch, byte[] outcomes) {
    byte[][] all = new byte[outcomes.length][];
    Arrays.setAll(all, batch::bytes);
    batch.clear();
    for (int i = 0; i < outcomes.length; i++) {
      if (outcomes[i] == Outcome.SKIPPED.code()) {
        values[batch.count()] = values[i];
        batch.add(all[i], 0, all[i].length);
      }
    }
  }

  /** Sends all keys to the map. */
  void flush() {
    if (keys != null && keys.count() > 0) {
      insert(keys);
    }
  }

  /** Returns the sums of the keys since they were counted; those of other keys may be added. */
  Sums sums() {
    return sums;
  }

  /** Resets the counts. */
  void counted() {
    sums = new Sums();
  }

  /** Frees the memory; remaining keys are lost. */
  @Override
  public void close() {
    if (keys != null) {
      keys.close();
    }
  }
}
