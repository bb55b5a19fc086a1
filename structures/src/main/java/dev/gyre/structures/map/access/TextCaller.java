package dev.gyre.structures.map.access;

import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.StackReserve;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.ArenaChunk;
import dev.gyre.structures.map.table.TextKey;
import dev.gyre.structures.map.table.TextReader;
import dev.gyre.structures.map.table.TextTable;
import dev.gyre.structures.map.work.OutcomeCounts;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Inserts of several texts by the calling thread, one by one; see {@link TextAccess}. Other
 * operations run concurrently.
 */
public final class TextCaller {

  private final TextStore store;

  public TextCaller(TextStore store) {
    this.store = store;
  }

  /** Inserts the keys of a list as the method below does; the capacity is not fixed. */
  public InsertCounts insert(String[] keys, long[] values, Change change, long @Nullable [] found) {
    // Before a function is passed: if the stack ends where it is linked, it can never be linked.
    StackReserve.require();
    // If one of them is not a valid key, none is inserted.
    TextKey[] all = new TextKey[keys.length];
    for (int i = 0; i < keys.length; i++) {
      all[i] = TextKey.of(Objects.requireNonNull(keys[i], "key"));
    }
    return store.inserts(
        all.length,
        sums -> {
          boolean _ = insert(all.length, i -> all[i], values, change, found, sums);
        });
  }

  /**
   * Inserts keys one by one on the JVM, or changes the values of present keys. All are inserted in
   * one entry of the lock, so that a reader that waits for updates sees all of them or none.
   *
   * @param found if not null, gets the value of each key after the insert; may be the array of
   *     values
   * @return false, without an effect, if the capacity is fixed and too small
   */
  public boolean insert(
      int count,
      IntFunction<TextKey> keys,
      long[] values,
      Change change,
      long @Nullable [] found,
      OutcomeCounts sums) {
    long[] slots = new long[count];
    while (true) {
      TextTable used;
      long absent = 0;
      long words = 0;
      boolean hasText;
      Entry entry = store.lock().enterSingle();
      try {
        store.requireOpen();
        used = store.table();
        TextReader reader = store.reader();
        for (int i = 0; i < count; i++) {
          TextKey key = keys.apply(i);
          long slot = reader == null ? key.find(used) : reader.find(key);
          slots[i] = slot;
          // A present key may be removed before its value is changed.
          if (slot < 0 || store.isRemovable()) {
            absent++;
            words += key.arenaWords();
          }
        }
        try (ArenaChunk chunk = new ArenaChunk(used, store.wordOwner(entry), words)) {
          hasText = chunk.isInside();
          if (hasText && used.takeAll(entry, absent)) {
            insertAll(used, entry, slots, keys, values, change, found, sums, absent, chunk);
            return true;
          }
        }
      } finally {
        entry.holder = OperationLock.LEFT;
        entry.left();
      }
      if (store.isFixed()) {
        return false;
      }
      store.grow(used, absent, hasText ? 0 : words);
    }
  }

  /**
   * Inserts all keys, into capacity for absent keys and words that were taken.
   *
   * @param slots slots of keys that are present
   */
  private void insertAll(
      TextTable used,
      Entry entry,
      long[] slots,
      IntFunction<TextKey> keys,
      long[] values,
      Change change,
      long @Nullable [] found,
      OutcomeCounts sums,
      long capacity,
      ArenaChunk chunk) {
    Span span = Span.kernel();
    long inserted = 0;
    int done = 0;
    try {
      for (; done < slots.length; done++) {
        long value = values[done];
        long slot = slots[done];
        OptionalLong before = null;
        for (int tries = 0; before == null; tries++) {
          if (slot < 0) {
            TextKey key = keys.apply(done);
            slot = key.insert(used, value, store.pollLimit(), chunk);
            if (slot == TextKey.STUCK) {
              slot =
                  SingleUpdates.insertedAgain(
                      store, () -> key.insert(used, value, store.pollLimit(), chunk));
            }
            inserted += slot < 0 ? 1 : 0;
          }
          before =
              slot < 0 ? OptionalLong.of(value) : TextAccess.changed(used, slot, value, change);
          if (before == null) {
            slot = TextKey.NONE;
            SingleUpdates.pause(tries);
          }
        }
        if (found != null) {
          found[done] = before.getAsLong();
        }
      }
    } finally {
      used.insertedSome(entry, inserted, capacity);
      sums.add(MapCodes.INSERTED, inserted);
      sums.add(MapCodes.PRESENT, done - inserted);
    }
    span.ran("insert", store.device().target().label(), 1, 0);
  }
}
