package dev.gyre.structures.map.words;

import dev.gyre.atomics.GyreException;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.TextKey;
import dev.gyre.structures.map.table.TextTable;
import dev.gyre.structures.map.work.Sums;

/**
 * Keys with values on their way from a combiner to its map. On the JVM they are applied one by one
 * like single keys, with one entry to the lock for all. The rest, such as long keys and keys that
 * do not fit, is applied in bulk.
 */
public final class CombinerBatch implements AutoCloseable {

  /** Number of keys of a bulk operation of one step, which the calling thread does. */
  private static final int SIZE = TextStore.STEP;

  /** Number of reservations that are taken at once. */
  private static final int ROOM_AHEAD = 64;

  // Longs of an entry.
  private static final int FIRST = 0;
  private static final int SECOND = 1;
  private static final int LENGTH = 2;
  private static final int VALUE = 3;
  private static final int ENTRY_LONGS = 4;

  private final TextStore store;
  private final Apply apply;
  private final long[] entries = new long[ENTRY_LONGS * SIZE];
  private final CombinerRest rest;
  private int count;
  private long inserted;
  private long present;

  // Number of keys without a reservation after a pass.
  private long keysLacking;
  private long wordsLacking;

  public CombinerBatch(TextStore store, Apply apply) {
    this.store = store;
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
    entries[at + VALUE] = value;
    count++;
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
    InsertCounts known = counts();
    failure.tell(
        known, "of the keys since the last flush are known to be done: " + Sums.inWords(known));
    return failure;
  }

  private InsertCounts counts() {
    InsertCounts inBulk = rest.counts();
    return new InsertCounts(
        inserted + inBulk.inserted(), present + inBulk.present(), inBulk.full());
  }

  /** Sends all entries to the map, or leaves them to the next bulk insert. */
  private void send() {
    boolean again = count > 0;
    while (again) {
      TextTable used = applyAll();
      again = count > 0 && !store.isFixed() && keysLacking + wordsLacking > 0;
      if (again) {
        store.growth().grow(used, keysLacking, wordsLacking);
      }
    }
    while (count > 0) {
      int at = ENTRY_LONGS * (count - 1);
      rest.add(
          entries[at + FIRST],
          entries[at + SECOND],
          (int) entries[at + LENGTH],
          entries[at + VALUE]);
      count--;
    }
  }

  /** Applies the entries to the present table, and keeps the rest; returns the table. */
  private TextTable applyAll() {
    keysLacking = 0;
    wordsLacking = 0;
    Entry entry = store.lock().enterUpdate();
    try {
      TextTable table = store.table();
      if (store.onJvm()) {
        applyAll(table);
      }
      return table;
    } finally {
      entry.holder = OperationLock.LEFT;
      entry.left();
    }
  }

  private void applyAll(TextTable table) {
    int all = count;
    int left = 0;
    int room = 0;
    long before = inserted;
    int taken = 0;
    try {
      for (int i = 0; i < all; i++) {
        int at = ENTRY_LONGS * i;
        TextKey key =
            TextKey.of(entries[at + FIRST], entries[at + SECOND], (int) entries[at + LENGTH]);
        long value = entries[at + VALUE];
        long slot = key.find(table);
        if (slot == TextKey.NONE) {
          if (room == 0) {
            room = roomIn(table);
            taken += room;
          }
          slot = room > 0 ? key.insert(table, value, store.pollLimit()) : TextKey.NO_KEY;
          room -= slot == TextKey.NONE ? 1 : 0;
          inserted += slot == TextKey.NONE ? 1 : 0;
        }
        if (slot >= 0) {
          long _ = table.update(slot, value, apply.change().policy());
          present++;
        } else if (slot != TextKey.NONE) {
          keysLacking += slot == TextKey.NO_KEY ? 1 : 0;
          wordsLacking += slot == TextKey.NO_TEXT ? key.room() : 0;
          System.arraycopy(entries, at, entries, ENTRY_LONGS * left, ENTRY_LONGS);
          left++;
        }
      }
    } finally {
      table.inserted(inserted - before, taken);
    }
    count = left;
  }

  /** Takes some reservations; returns their number. */
  private static int roomIn(TextTable table) {
    return table.take(ROOM_AHEAD) ? ROOM_AHEAD : table.take(1) ? 1 : 0;
  }

  /** Sends all keys to the map; returns the counts since the last call. */
  public InsertCounts flush() {
    try {
      send();
      rest.flush();
    } catch (GyreException e) {
      throw told(e);
    }
    InsertCounts all = counts();
    rest.counted();
    inserted = 0;
    present = 0;
    return all;
  }

  /** Frees the memory; remaining keys are lost. */
  @Override
  public void close() {
    rest.close();
  }
}
