package dev.gyre.structures.map;

import java.util.Arrays;

/**
 * Keys with values on their way from a combiner to its map. Most are there already: on the JVM
 * these are updated in one go, as single keys are; the others are inserted in bulk.
 */
final class CombinerBatch implements AutoCloseable {

  /** So many that one operation is one step, which the thread that calls does by itself. */
  private static final int SIZE = TextStore.STEP;

  private static final InsertCounts NOTHING = new InsertCounts(0, 0, 0);

  // Longs of an entry.
  private static final int FIRST = 0;
  private static final int SECOND = 1;
  private static final int LENGTH = 2;
  private static final int VALUE = 3;
  private static final int ENTRY_LONGS = 4;

  private final TextLongMap map;
  private final Apply apply;
  private final long[] entries = new long[ENTRY_LONGS * SIZE];
  private final TextKeys keys = new TextKeys(SIZE, 2 * SIZE);
  private final long[] values = new long[SIZE];
  private int count;
  private InsertCounts counts = NOTHING;

  CombinerBatch(TextLongMap map, Apply apply) {
    this.map = map;
    this.apply = apply;
  }

  /** Adds a key of up to two words. */
  void add(long first, long second, int length, long value) {
    if (count == SIZE) {
      send();
    }
    int at = ENTRY_LONGS * count;
    entries[at + FIRST] = first;
    entries[at + SECOND] = second;
    entries[at + LENGTH] = length;
    entries[at + VALUE] = value;
    count++;
  }

  /** Adds a key of any length. */
  void add(byte[] key, int from, int to, long value) {
    insertIfFull();
    keys.add(key, from, to);
    values[keys.count() - 1] = value;
  }

  /** Has the map take all entries, or keeps those for which it has no room for the next insert. */
  private void send() {
    updatePresent();
    while (count > 0) {
      insertIfFull();
      int at = ENTRY_LONGS * (count - 1);
      keys.add(entries[at + FIRST], entries[at + SECOND], (int) entries[at + LENGTH]);
      values[keys.count() - 1] = entries[at + VALUE];
      count--;
    }
  }

  /** Applies the values of keys that are in the map, and keeps the others. */
  private void updatePresent() {
    TextStore store = map.store;
    store.gate().enterUpdate();
    try {
      if (!store.onJvm()) {
        return;
      }
      int all = count;
      int left = 0;
      for (int i = 0; i < all; i++) {
        int at = ENTRY_LONGS * i;
        if (!update(store.table(), at)) {
          System.arraycopy(entries, at, entries, ENTRY_LONGS * left, ENTRY_LONGS);
          left++;
        }
      }
      count = left;
      counts = plus(counts, new InsertCounts(0, (long) all - left, 0));
    } finally {
      store.gate().leave(Gate.Mode.UPDATE);
    }
  }

  private boolean update(TextTable table, int at) {
    int length = (int) entries[at + LENGTH];
    long slot = TextKey.of(entries[at + FIRST], entries[at + SECOND], length).find(table);
    if (slot >= 0) {
      long _ = TextAccess.update(table, slot, entries[at + VALUE], apply.policy());
    }
    return slot >= 0;
  }

  private void insertIfFull() {
    if (keys.count() == SIZE) {
      insert();
    }
  }

  private void insert() {
    byte[] outcomes = new byte[keys.count()];
    Longs all = Longs.of(values).part(0, keys.count());
    boolean done = false;
    try {
      counts =
          plus(counts, map.insertOrApply(keys, all, apply, BulkOptions.NONE.outcomes(outcomes)));
      done = true;
    } finally {
      if (!done) {
        keepSkipped(outcomes);
      }
    }
    keys.clear();
  }

  /** Leaves in the batch what was not tried. */
  private void keepSkipped(byte[] outcomes) {
    byte[][] all = new byte[outcomes.length][];
    Arrays.setAll(all, keys::bytes);
    keys.clear();
    for (int i = 0; i < outcomes.length; i++) {
      if (outcomes[i] == Outcome.SKIPPED.code()) {
        values[keys.count()] = values[i];
        keys.add(all[i], 0, all[i].length);
      }
    }
  }

  private static InsertCounts plus(InsertCounts a, InsertCounts b) {
    return new InsertCounts(
        a.inserted() + b.inserted(), a.present() + b.present(), a.full() + b.full());
  }

  /** Has the map take all keys; returns what became of those since the last call. */
  InsertCounts flush() {
    send();
    insert();
    InsertCounts all = counts;
    counts = NOTHING;
    return all;
  }

  boolean isClosed() {
    return keys.isClosed();
  }

  /** Frees the memory; keys that are left are lost. */
  @Override
  public void close() {
    keys.close();
  }
}
