package dev.gyre.structures.map.access;

import dev.gyre.atomics.IntSpecialized;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberCode;
import dev.gyre.kernels.map.SingleKeys;
import dev.gyre.kernels.map.SingleKeys.Place;
import dev.gyre.kernels.map.exclusive.KeyReader;
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
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Operations on single keys by the calling thread, concurrent with each other and with all other
 * operations.
 *
 * <h2>Reads</h2>
 *
 * A reader enters no lock and writes nothing. It reads the table that is in place. Growth does not
 * change that table, and frees it after the next one is in place. A reader of a freed table reads
 * meaningless values, or gets an exception from the memory. It then sees that there is another
 * table, and reads again. While the map is cleared, the store's version is odd; afterwards it is a
 * different one.
 *
 * <h2>Updates</h2>
 *
 * An update enters the {@link OperationLock}, so that growth waits for it, and it waits for growth.
 * So nothing is written to a table that was copied, or by address to freed memory. An insert by
 * address has three locked instructions: it enters, claims a slot, and leaves. Leaving publishes
 * the key before all later reads of the thread (see {@link KeyReader}). The reservation for the key
 * is mostly in the stripe that the thread entered.
 *
 * <p>Some processors overlap locked instructions with other work of an update; others do not.
 * Entering by a plain store would save one of them, if a thread that bars updates forced all
 * processors to complete their stores. That would stop all of them each time.
 *
 * <table>
 *   <caption>Racing accesses of a reader, in addition to {@link SingleKeys}</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>load reader, or table</td><td>volatile</td><td>replacement of the table</td>
 *       <td>an update that ended before the read began could be missed</td></tr>
 *   <tr><td>load version, at the end</td><td>after an acquire fence</td><td>start of clear</td>
 *       <td>a half cleared slot could be taken for an entry</td></tr>
 *   <tr><td>load reader, at the end</td><td>after an acquire fence</td><td>replacement of the table</td>
 *       <td>a key could be missed in a freed table, which reads as 0</td></tr>
 * </table>
 */
@IntSpecialized(mixed = true)
public final class LongAccess {

  private final LongStore store;

  public LongAccess(LongStore store) {
    this.store = store;
  }

  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  public OptionalLong get(/* int */ long key) {
    KeyReader reader = store.reader();
    if (reader != null) {
      // Accesses by address do not throw: an exception is due to the caller, and must not clear an
      // interrupt.
      boolean kept = !reader.isChecked() || Thread.currentThread().isInterrupted();
      try {
        long slot = reader.find(key);
        long value = slot < 0 ? 0 : reader.value(slot);
        // acquire: orders the reads of slots before
        VarHandle.acquireFence();
        if (store.reader() == reader && !reader.isGone(value)) {
          return slot < 0 ? OptionalLong.empty() : OptionalLong.of(/* (int) */ value);
        }
      } catch (IllegalStateException e) {
        // The table was freed meanwhile.
        Memories.forgetInterrupt(kept);
      } finally {
        // Keep the reader reachable: its addresses must stay mapped until here.
        Reference.reachabilityFence(reader);
      }
    }
    return store.onJvm() ? getPatiently(key) : findOnDevice(key);
  }

  private OptionalLong getPatiently(/* int */ long key) {
    return OptimisticRead.of(
        store,
        OptionalLong.empty(),
        table -> {
          NumberCode entries = table.entries();
          Place place = entries.find(key);
          return place.isFound()
              ? OptionalLong.of(/* (int) */ entries.value(place))
              : OptionalLong.empty();
        });
  }

  private OptionalLong findOnDevice(/* int */ long key) {
    long[] result = new long[1];
    long hits =
        SingleUpdates.found(() -> store.find(Longs.of(key), Longs.of(result), BulkOptions.NONE));
    return hits == 1 ? OptionalLong.of(/* (value) */ result[0]) : OptionalLong.empty();
  }

  /** Inserts a key if it is absent; returns the present value, or empty. */
  public OptionalLong putIfAbsent(/* int */ long key, /* int */ long value) {
    if (store.onJvm()) {
      return changeOnJvm(key, value, Change.Policy.KEEP);
    }
    long[] result = new long[1];
    boolean inserted = insertOnDevice(key, value, Change.Policy.FETCH, Longs.of(result));
    return inserted ? OptionalLong.empty() : OptionalLong.of(/* (value) */ result[0]);
  }

  /** Inserts a key if it is absent; returns the value that it then has. */
  public /* int */ long valueAfterInsert(/* int */ long key, /* int */ long value) {
    return putIfAbsent(key, value).orElse(value);
  }

  /** Inserts a key, or combines its value with another; returns the new value. */
  public /* int */ long merge(/* int */ long key, /* int */ long value, Change change) {
    if (store.onJvm()) {
      OptionalLong before = changeOnJvm(key, value, change);
      return before.isPresent() ? /* (int) */ change.applied(before.getAsLong(), value) : value;
    }
    boolean _ = insertOnDevice(key, value, change, null);
    // Read after the update: it may include updates of other threads.
    return findOnDevice(key).orElseThrow(() -> SingleUpdates.cleared(store));
  }

  private boolean insertOnDevice(
      /* int */ long key, /* int */ long value, Change change, @Nullable Longs result) {
    return SingleUpdates.isInserted(
        store, store.insert(Longs.of(key), Longs.of(value), change, result, BulkOptions.NONE));
  }

  /**
   * Inserts a key, or changes its value; returns the old value, or empty.
   *
   * @throws MapFullException if the key is absent and the map, of fixed capacity, is full
   * @throws UnsupportedOperationException if the table is on a device
   */
  public OptionalLong change(/* int */ long key, /* int */ long value, Change change) {
    store.requireOnJvm();
    return changeOnJvm(key, value, change);
  }

  private OptionalLong changeOnJvm(/* int */ long key, /* int */ long value, Change change) {
    for (int tries = 0; ; tries++) {
      LongTable used;
      boolean lacking;
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
        lacking = !place.isFound() && !used.takeOne(entry);
        if (!place.isFound() && !lacking) {
          if (insert(used, entry, place, key, value)) {
            return OptionalLong.empty();
          }
          place = entries.find(key);
        }
        before = place.isFound() ? changed(entries, place, value, change) : null;
        if (before != null) {
          return before;
        }
      } finally {
        entry.holder = OperationLock.LEFT;
        entry.left();
      }
      if (lacking) {
        store.growForOne(used, key);
      } else {
        SingleUpdates.pause(tries);
      }
    }
  }

  /**
   * Changes a value as {@link #changeOnJvm} does, inside the lock, where the table is not freed,
   * replaced or cleared. Returns null, without an effect, if that is impossible by address, a slot
   * must be waited for, or there is no capacity.
   */
  private @Nullable OptionalLong changeByAddress(
      LongTable used, Entry entry, /* int */ long key, /* int */ long value, Change change) {
    if (!(store.reader() instanceof KeyReader.Writer writer)
        || !(change instanceof Change.Policy(int policy))) {
      return null;
    }
    long slot = writer.find(key);
    if (slot >= 0 && store.isRemovable()) {
      long before = writer.value(slot);
      boolean done =
          policy == MapCodes.KEEP
              ? !writer.isGone(before)
              : writer.exchange(slot, before, Change.applied(before, value, policy), false);
      return done ? OptionalLong.of(/* (int) */ before) : null;
    }
    if (slot >= 0) {
      return OptionalLong.of(/* (int) */ writer.update(slot, value, policy));
    }
    if (used.takeOne(entry)) {
      boolean isInserted = writer.insert(~slot, key, value);
      used.insertedSome(entry, isInserted ? 1 : 0, 1);
      if (isInserted) {
        return OptionalLong.empty();
      }
    }
    return null;
  }

  /**
   * Changes the value of a key that was found; returns the old value. Returns null, without an
   * effect, if another thread has changed it meanwhile, is changing it, or has removed the key.
   */
  private @Nullable OptionalLong changed(
      NumberCode entries, Place place, /* int */ long value, Change change) {
    boolean keeps = change.policy() == MapCodes.KEEP;
    if (!keeps && !store.isRemovable() && change instanceof Change.Policy(int policy)) {
      return OptionalLong.of(/* (int) */ entries.update(place, value, policy));
    }
    long before = entries.value(place);
    return keeps
            || entries.exchange(place, before, change.applied(/* (int) */ before, value), false)
        ? OptionalLong.of(/* (int) */ before)
        : null;
  }

  /** Removes a key; returns its value, or empty if the key is absent. */
  public OptionalLong remove(/* int */ long key) {
    store.requireRemovable();
    return store.onJvm() ? exchange(key, null, 0, true) : removeOnDevice(key);
  }

  private OptionalLong removeOnDevice(/* int */ long key) {
    long[] result = new long[1];
    long removed = store.remove(Longs.of(key), Longs.of(result), BulkOptions.NONE).found();
    return removed == 1 ? OptionalLong.of(/* (value) */ result[0]) : OptionalLong.empty();
  }

  /** Removes a key if it has the expected value; returns whether it had. */
  public boolean remove(/* int */ long key, /* int */ long expected) {
    store.requireRemovable();
    store.requireOnJvm();
    return exchange(key, expected, 0, true).isPresent();
  }

  /**
   * Replaces the value of a key or removes the key, on the JVM. An attempt fails only if another
   * update of the same key succeeded or, in a table from which keys can be removed, is running.
   *
   * @param expected value that the key must have; null for any value
   * @return the old value; empty, without an effect, if the key is absent or has another value
   */
  private OptionalLong exchange(
      /* int */ long key, @Nullable Long expected, /* int */ long value, boolean removes) {
    for (int tries = 0; ; tries++) {
      Entry entry = store.lock().enterSingle();
      try {
        store.requireOpen();
        LongTable used = store.table();
        KeyReader.Writer writer =
            store.isRemovable() && store.reader() instanceof KeyReader.Writer byAddress
                ? byAddress
                : null;
        NumberCode entries = used.entries();
        Place place = writer == null ? entries.find(key) : new Place(writer.find(key), 0);
        if (!place.isFound()) {
          return OptionalLong.empty();
        }
        long before = writer == null ? entries.value(place) : writer.value(place.slot());
        if (expected != null && before != expected) {
          return OptionalLong.empty();
        }
        boolean done =
            writer == null
                ? entries.exchange(place, before, value, removes)
                : writer.exchange(place.slot(), before, value, removes);
        if (done) {
          if (removes) {
            used.removedOne(entry);
          }
          return OptionalLong.of(/* (int) */ before);
        }
      } finally {
        entry.holder = OperationLock.LEFT;
        entry.left();
      }
      SingleUpdates.pause(tries);
    }
  }

  /**
   * Inserts a key with a reservation, and returns true; returns the reservation if the key was
   * inserted meanwhile.
   */
  private boolean insert(
      LongTable table, Entry entry, Place place, /* int */ long key, /* int */ long value) {
    NumberCode entries = table.entries();
    long slot = SingleKeys.STUCK;
    try {
      slot = entries.insert(place, key, value, store.pollLimit());
      if (slot == SingleKeys.STUCK) {
        slot =
            SingleUpdates.insertedAgain(
                store, () -> entries.insert(place, key, value, store.pollLimit()));
      }
    } finally {
      table.insertedSome(entry, slot == SingleKeys.NONE ? 1 : 0, 1);
    }
    return slot == SingleKeys.NONE;
  }

  /**
   * Sets the value of a key to the result of a function of its value; returns the new value.
   *
   * <p>The function runs outside the lock, before a slot is claimed. It runs again if the value
   * changed meanwhile. Lock-free otherwise: an attempt fails only if another update succeeded.
   *
   * @param function gets empty if the key is absent; returns empty for a key that is not to be
   *     there
   * @throws UnsupportedOperationException if the table is on a device, or the function would remove
   *     a key from a map that is not removable
   */
  public OptionalLong compute(/* int */ long key, UnaryOperator<OptionalLong> function) {
    store.requireOnJvm();
    while (true) {
      OptionalLong before = get(key);
      OptionalLong after = Objects.requireNonNull(function.apply(before), "result of the function");
      if (isSet(key, before, after)) {
        return after;
      }
    }
  }

  /** Sets the value of a present key to the result of a function; otherwise as {@code compute}. */
  public OptionalLong computeIfPresent(/* int */ long key, LongUnaryOperator function) {
    Objects.requireNonNull(function, "function");
    return compute(
        key,
        before ->
            before.isPresent()
                ? OptionalLong.of(function.applyAsLong(before.getAsLong()))
                : before);
  }

  private boolean isSet(/* int */ long key, OptionalLong before, OptionalLong after) {
    if (after.isEmpty()) {
      return before.isEmpty() || remove(key, before.getAsLong());
    }
    return before.isEmpty()
        ? putIfAbsent(key, after.getAsLong()).isEmpty()
        : replace(key, before.getAsLong(), after.getAsLong());
  }

  /** Replaces the value of a present key if it is the expected one. */
  public boolean replace(/* int */ long key, /* int */ long oldValue, /* int */ long newValue) {
    store.requireOnJvm();
    return exchange(key, oldValue, newValue, false).isPresent();
  }

  /** Replaces the value of a present key; returns the old value. */
  public OptionalLong replace(/* int */ long key, /* int */ long value) {
    store.requireOnJvm();
    return exchange(key, null, value, false);
  }

  /** Returns a walk over the entries. */
  public LongWalk walk() {
    store.requireOnJvm();
    return new LongWalk(store);
  }

  public void forEach(LongLongConsumer action) {
    store.requireOpen();
    if (!store.onJvm()) {
      store.forEach((key, value) -> action.accept(/* (key) */ key, /* (value) */ value));
      return;
    }
    LongWalk walk = new LongWalk(store);
    while (walk.next()) {
      action.accept(/* (int) */ walk.key(), /* (int) */ walk.value());
    }
  }
}
