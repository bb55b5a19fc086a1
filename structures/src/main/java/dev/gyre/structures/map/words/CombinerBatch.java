package dev.gyre.structures.map.words;

import dev.gyre.atomics.GyreException;
import dev.gyre.structures.StackReserve;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.Outcome;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.access.TextCaller;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.TextKey;
import dev.gyre.structures.map.work.OutcomeCounts;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Keys with values on their way from a combiner to its map. On the JVM they are applied one by one
 * like single keys, with one entry to the lock for all. The rest, such as long keys and keys that
 * do not fit, is applied in bulk.
 */
public final class CombinerBatch implements AutoCloseable {

  /** Number of keys of a bulk operation of one step, which the calling thread does. */
  private static final int SIZE = TextStore.STEP;

  // Longs of an entry.
  private static final int FIRST = 0;
  private static final int SECOND = 1;
  private static final int LENGTH = 2;
  private static final int ENTRY_LONGS = 3;

  private final TextStore store;
  private final TextCaller caller;
  private final Apply apply;
  private final long[] entries = new long[ENTRY_LONGS * SIZE];
  private final long[] values = new long[SIZE];
  private final IntFunction<TextKey> keys;
  private int count;

  /** Keys that are applied in bulk, with their values. */
  private @Nullable TextKeys rest;

  private final long[] restValues = new long[SIZE];

  /** Whether these keys may be entries again, whose values must be applied after theirs. */
  private boolean isRestOlder;

  /** Sums of the keys that were applied since the last flush. */
  private OutcomeCounts sums = new OutcomeCounts();

  public CombinerBatch(TextStore store, Apply apply) {
    // Before a function is passed: if the stack ends where it is linked, it can never be linked.
    StackReserve.require();
    this.keys = this::key;
    this.store = store;
    this.caller = new TextCaller(store);
    this.apply = apply;
  }

  /** Adds a key of up to two words. */
  public void add(long first, long second, int length, long value) {
    if (count == SIZE) {
      try {
        send();
      } catch (GyreException e) {
        throw withCounts(e);
      }
    }
    int at = ENTRY_LONGS * count;
    entries[at + FIRST] = first;
    entries[at + SECOND] = second;
    entries[at + LENGTH] = length;
    values[count++] = value;
  }

  /** Adds a key of any length. */
  public void add(byte[] key, int from, int to, long value) {
    try {
      TextKeys batch = rest();
      batch.add(key, from, to);
      restValues[batch.count() - 1] = value;
    } catch (GyreException e) {
      throw withCounts(e);
    }
  }

  /** Sets the progress of an exception to that of all keys since the last flush. */
  private GyreException withCounts(GyreException failure) {
    InsertCounts known = sums.inserts();
    failure.attach(
        known,
        "of the keys since the last flush are known to be done: %s",
        new OutcomeCounts.Words(known));
    return failure;
  }

  private TextKey key(int index) {
    int at = ENTRY_LONGS * index;
    return TextKey.of(entries[at + FIRST], entries[at + SECOND], (int) entries[at + LENGTH]);
  }

  /** Sends all entries to the map, or leaves them to the next bulk insert. */
  private void send() {
    if (store.onJvm() && count > 0 && !isRestOlder) {
      long before = applied();
      try {
        boolean _ = caller.insert(count, keys, values, apply.change(), null, sums);
      } finally {
        dropFirst((int) (applied() - before));
      }
    }
    int moved = 0;
    try {
      for (; moved < count; moved++) {
        int at = ENTRY_LONGS * moved;
        TextKeys batch = rest();
        batch.add(entries[at + FIRST], entries[at + SECOND], (int) entries[at + LENGTH]);
        restValues[batch.count() - 1] = values[moved];
        isRestOlder = true;
      }
    } finally {
      dropFirst(moved);
    }
  }

  /** Returns the number of keys that were applied since the last flush. */
  private long applied() {
    InsertCounts all = sums.inserts();
    return all.inserted() + all.present();
  }

  /** Removes the first entries, which were applied or moved; others remain after a failure. */
  private void dropFirst(int done) {
    count -= done;
    System.arraycopy(entries, ENTRY_LONGS * done, entries, 0, ENTRY_LONGS * count);
    System.arraycopy(values, done, values, 0, count);
  }

  /** Returns a batch with capacity for another key. */
  private TextKeys rest() {
    TextKeys batch = rest;
    if (batch == null) {
      batch = new TextKeys(SIZE, 2 * SIZE);
      rest = batch;
    } else if (batch.count() == SIZE) {
      insert(batch);
    }
    return batch;
  }

  private void insert(TextKeys batch) {
    byte[] outcomes = new byte[batch.count()];
    Longs all = Longs.of(restValues).part(0, batch.count());
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
    isRestOlder = false;
  }

  /** Keeps the keys in the batch that were not tried. */
  private void keepSkipped(TextKeys batch, byte[] outcomes) {
    byte[][] all = new byte[outcomes.length][];
    Arrays.setAll(all, batch::bytes);
    batch.clear();
    for (int i = 0; i < outcomes.length; i++) {
      if (outcomes[i] == Outcome.SKIPPED.code()) {
        restValues[batch.count()] = restValues[i];
        batch.add(all[i], 0, all[i].length);
      }
    }
  }

  /** Sends all keys to the map; returns the counts since the last call. */
  public InsertCounts flush() {
    try {
      send();
      if (rest != null && rest.count() > 0) {
        insert(rest);
      }
    } catch (GyreException e) {
      throw withCounts(e);
    }
    InsertCounts all = sums.inserts();
    sums = new OutcomeCounts();
    return all;
  }

  /** Frees the memory; remaining keys are lost. */
  @Override
  public void close() {
    if (rest != null) {
      rest.close();
    }
  }
}
