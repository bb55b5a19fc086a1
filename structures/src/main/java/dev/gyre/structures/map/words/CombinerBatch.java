package dev.gyre.structures.map.words;

import dev.gyre.atomics.GyreException;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.access.TextAccess;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.TextKey;
import dev.gyre.structures.map.work.Sums;
import java.util.function.IntFunction;

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
  private final TextAccess access;
  private final Apply apply;
  private final long[] entries = new long[ENTRY_LONGS * SIZE];
  private final long[] values = new long[SIZE];
  private final IntFunction<TextKey> keys = this::key;
  private final CombinerRest rest;
  private int count;

  public CombinerBatch(TextStore store, Apply apply) {
    this.store = store;
    this.access = new TextAccess(store);
    this.apply = apply;
    this.rest = new CombinerRest(store, apply);
  }

  /** Adds a key of up to two words. */
  public void add(long first, long second, int length, long value) {
    if (count == SIZE) {
      try {
        send();
      } catch (GyreException e) {
        throw told(e);
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
      rest.add(key, from, to, value);
    } catch (GyreException e) {
      throw told(e);
    }
  }

  /** Sets the progress of an exception to that of all keys since the last flush. */
  private GyreException told(GyreException failure) {
    InsertCounts known = rest.sums().inserts();
    failure.tell(
        known, "of the keys since the last flush are known to be done: " + Sums.inWords(known));
    return failure;
  }

  private TextKey key(int index) {
    int at = ENTRY_LONGS * index;
    return TextKey.of(entries[at + FIRST], entries[at + SECOND], (int) entries[at + LENGTH]);
  }

  /** Sends all entries to the map, or leaves them to the next bulk insert. */
  private void send() {
    if (store.onJvm() && count > 0) {
      long before = applied();
      try {
        boolean _ = access.insert(count, keys, values, apply.change(), null, rest.sums());
      } finally {
        dropFirst((int) (applied() - before));
      }
    }
    for (; count > 0; count--) {
      int at = ENTRY_LONGS * (count - 1);
      rest.add(
          entries[at + FIRST], entries[at + SECOND], (int) entries[at + LENGTH], values[count - 1]);
    }
  }

  /** Returns the number of keys that were applied since the last flush. */
  private long applied() {
    InsertCounts all = rest.sums().inserts();
    return all.inserted() + all.present();
  }

  /** Removes entries that were applied; there are others only if an insert failed. */
  private void dropFirst(int done) {
    count -= done;
    System.arraycopy(entries, ENTRY_LONGS * done, entries, 0, ENTRY_LONGS * count);
    System.arraycopy(values, done, values, 0, count);
  }

  /** Sends all keys to the map; returns the counts since the last call. */
  public InsertCounts flush() {
    try {
      send();
      rest.flush();
    } catch (GyreException e) {
      throw told(e);
    }
    InsertCounts all = rest.sums().inserts();
    rest.counted();
    return all;
  }

  /** Frees the memory; remaining keys are lost. */
  @Override
  public void close() {
    rest.close();
  }
}
