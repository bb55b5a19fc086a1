package dev.gyre.structures.map.access;

import dev.gyre.atomics.IntTwin;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberCode;
import dev.gyre.kernels.map.SingleKeys;
import dev.gyre.kernels.map.SingleKeys.Place;
import dev.gyre.kernels.map.owned.KeyReader;
import dev.gyre.structures.Memories;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.LongLongConsumer;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.MapFullException;
import dev.gyre.structures.map.store.LongStore;
import dev.gyre.structures.map.table.LongTable;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Operations on single keys, by the thread that calls, beside each other and beside all else.
 *
 * <p>A reader enters no lock and writes nothing. It looks in whatever table is there; growth leaves
 * that as it is, and frees it once the next one is in its place. A reader that is still at it then
 * reads what means nothing, or gets an exception from the memory; it sees that there is another
 * table, and looks again there. While the map is cleared, the store's version is odd; it is another
 * one afterwards.
 *
 * <p>An update enters the {@link OperationLock}, so that growth waits for it and it for growth:
 * nothing is written to a table that has been copied, nor by address to one that was freed. An
 * insert by address has three locked instructions: it enters, claims a slot, and leaves, by which
 * the key is published before anything that the thread looks at later (see {@link KeyReader}). Room
 * for the key is most often ahead of the thread, where it entered. Some processors have locked
 * instructions done beside what else an update waits for, others not. To enter by a store that a
 * thread that bars updates has all processors complete would save one of the three, and stop them
 * all each time.
 *
 * <table>
 *   <caption>Accesses of a reader, beside those of {@link SingleKeys}</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>load reader, or table</td><td>volatile</td><td>swap of the table</td>
 *       <td>an update that ended before the read began could be missed</td></tr>
 *   <tr><td>load version, at the end</td><td>after an acquire fence</td><td>clear, begun</td>
 *       <td>what was half cleared could be taken for an entry</td></tr>
 *   <tr><td>load reader, at the end</td><td>after an acquire fence</td><td>swap of the table</td>
 *       <td>a key could be missed in a table that was freed, which reads as 0</td></tr>
 * </table>
 */
@IntTwin
public final class LongAccess {

  private final LongStore store;

  public LongAccess(LongStore store) {
    this.store = store;
  }

  /**
   * The value of a key, or another number where it is not there; an optional number that is taken
   * apart again costs nothing.
   */
  public /* int */ long getOrDefault(/* int */ long key, /* int */ long ifAbsent) {
    return get(key).orElse(ifAbsent);
  }

  @SuppressWarnings("ReferenceEquality") // that reader, not one like it
  public OptionalLong get(/* int */ long key) {
    KeyReader reader = store.reader();
    if (reader != null) {
      // By address nothing of the table throws: what does is the caller's own, and ends no
      // interrupt.
      boolean kept = !reader.isChecked() || Thread.currentThread().isInterrupted();
      try {
        long slot = reader.find(key);
        /* int */ long value = slot < 0 ? 0 : /* (int) */ reader.value(slot);
        // acquire: the slots were read before
        VarHandle.acquireFence();
        if (store.reader() == reader) {
          return slot < 0 ? OptionalLong.empty() : OptionalLong.of(value);
        }
      } catch (IllegalStateException e) {
        // The table was freed meanwhile.
        Memories.forgetInterrupt(kept);
      } finally {
        // Until here, or the addresses could be gone.
        Reference.reachabilityFence(reader);
      }
    }
    return store.onJvm() ? getPatiently(key) : findOnDevice(key);
  }

  private OptionalLong getPatiently(/* int */ long key) {
    return UngatedRead.of(
        store,
        OptionalLong.empty(),
        table -> {
          long slot = table.slotOf(key);
          return slot < 0 ? OptionalLong.empty() : OptionalLong.of(table.value(slot));
        });
  }

  private OptionalLong findOnDevice(/* int */ long key) {
    long[] found = new long[1];
    long hits =
        SingleUpdates.found(() -> store.find(Longs.of(key), Longs.of(found), BulkOptions.NONE));
    return hits == 1 ? OptionalLong.of(found[0]) : OptionalLong.empty();
  }

  /** Inserts a key unless it is there; returns the value that was there. */
  public OptionalLong putIfAbsent(/* int */ long key, /* int */ long value) {
    if (store.onJvm()) {
      return changeOnJvm(key, value, Change.Policy.KEEP);
    }
    long[] found = new long[1];
    boolean inserted = insertOnDevice(key, value, Change.Policy.FETCH, Longs.of(found));
    return inserted ? OptionalLong.empty() : OptionalLong.of(found[0]);
  }

  /** Inserts a key, or applies a value to the one that is there; returns what is there then. */
  public /* int */ long merge(/* int */ long key, /* int */ long value, Change change) {
    if (store.onJvm()) {
      OptionalLong before = changeOnJvm(key, value, change);
      return before.isPresent() ? /* (int) */ change.applied(before.getAsLong(), value) : value;
    }
    boolean _ = insertOnDevice(key, value, change, null);
    // Looked up after the update: what others did meanwhile is in it.
    return findOnDevice(key).orElseThrow(() -> SingleUpdates.cleared(store));
  }

  private boolean insertOnDevice(
      /* int */ long key, /* int */ long value, Change change, @Nullable Longs found) {
    return SingleUpdates.isInserted(
        store, store.insert(Longs.of(key), Longs.of(value), change, found, BulkOptions.NONE));
  }

  /**
   * Inserts a key, or changes the value that is there; returns the value that was there.
   *
   * @throws MapFullException if the key is absent, and the map full and of fixed capacity
   * @throws UnsupportedOperationException if the table is on a device
   */
  public OptionalLong change(/* int */ long key, /* int */ long value, Change change) {
    store.requireOnJvm();
    return changeOnJvm(key, value, change);
  }

  private OptionalLong changeOnJvm(/* int */ long key, /* int */ long value, Change change) {
    while (true) {
      LongTable used;
      Entry entry = store.lock().enterSingle();
      try {
        used = store.table();
        OptionalLong before = changeByAddress(used, entry, key, value, change);
        if (before != null) {
          return before;
        }
        store.requireOpen();
        NumberCode entries = used.entries();
        Place place = entries.find(key);
        if (place.isFound()) {
          return OptionalLong.of(/* (int) */ changed(entries, place, value, change));
        }
        if (used.takeSome(entry, 1) > 0) {
          return insert(used, entry, place, key, value)
              ? OptionalLong.empty()
              : OptionalLong.of(/* (int) */ changed(entries, entries.find(key), value, change));
        }
      } finally {
        entry.holder = OperationLock.LEFT;
        entry.left();
      }
      store.growForOne(used, key);
    }
  }

  /**
   * As {@link #changeOnJvm}, inside the lock, where the table is neither freed, replaced nor
   * cleared; null, having done nothing, where that cannot be done by address, or a slot is to be
   * waited for, or there is no room.
   */
  private @Nullable OptionalLong changeByAddress(
      LongTable used, Entry entry, /* int */ long key, /* int */ long value, Change change) {
    if (!(store.reader() instanceof KeyReader.Writer writer)
        || !(change instanceof Change.Policy(int policy))) {
      return null;
    }
    long slot = writer.find(key);
    if (slot >= 0) {
      return OptionalLong.of(/* (int) */ writer.update(slot, value, policy));
    }
    if (used.takeSome(entry, 1) > 0) {
      if (writer.insert(~slot, key, value)) {
        return OptionalLong.empty();
      }
      used.giveBackSome(entry, 1);
    }
    return null;
  }

  private static long changed(
      NumberCode entries, Place place, /* int */ long value, Change change) {
    if (!(change instanceof Change.Policy(int policy))) {
      return folded(entries, place.slot(), value, change);
    }
    return policy == MapCodes.KEEP ? entries.value(place) : entries.update(place, value, policy);
  }

  /** Lock-free: a compare-and-exchange fails only where another one succeeded. */
  private static long folded(NumberCode entries, long slot, /* int */ long value, Change change) {
    long before = entries.value(slot);
    long seen = entries.compareAndExchange(slot, before, change.applied(before, value));
    while (seen != before) {
      before = seen;
      seen = entries.compareAndExchange(slot, before, change.applied(before, value));
    }
    return before;
  }

  /**
   * Inserts a key for which room was taken, and returns true; or gives the room back, where the key
   * was inserted meanwhile.
   */
  private boolean insert(
      LongTable table, Entry entry, Place place, /* int */ long key, /* int */ long value) {
    NumberCode entries = table.entries();
    return SingleKeys.NONE
        == SingleUpdates.inserted(
            store, table, entry, () -> entries.insert(place, key, value, store.pollLimit()));
  }

  /** Replaces the value of a key that is there, if it is the expected one. */
  public boolean replace(/* int */ long key, /* int */ long oldValue, /* int */ long newValue) {
    return SingleUpdates.within(
        store,
        table -> {
          NumberCode entries = table.entries();
          Place place = entries.find(key);
          return place.isFound()
              && entries.compareAndExchange(place.slot(), oldValue, newValue) == oldValue;
        });
  }

  /** Replaces the value of a key that is there; returns the value that was there. */
  public OptionalLong replace(/* int */ long key, /* int */ long value) {
    return SingleUpdates.within(
        store,
        table -> {
          NumberCode entries = table.entries();
          Place place = entries.find(key);
          return place.isFound()
              ? OptionalLong.of(/* (int) */ entries.update(place, value, MapCodes.ASSIGN))
              : OptionalLong.empty();
        });
  }

  /** A walk over the entries. */
  public LongWalk walk() {
    store.requireOnJvm();
    return new LongWalk(store);
  }

  public void forEach(LongLongConsumer action) {
    store.requireOpen();
    if (!store.onJvm()) {
      store.forEach(action);
      return;
    }
    LongWalk walk = new LongWalk(store);
    while (walk.next()) {
      for (int i = 0; i < walk.size(); i++) {
        action.accept(walk.key(i), walk.value(i));
      }
    }
  }
}
