package dev.gyre.structures.map.access;

import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.TextKey;
import dev.gyre.structures.map.table.TextReader;
import dev.gyre.structures.map.table.TextTable;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Operations on single text keys by the calling thread, concurrent with each other and with all
 * other operations; see {@link LongAccess}.
 */
public final class TextAccess {

  private final TextStore store;

  public TextAccess(TextStore store) {
    this.store = store;
  }

  public OptionalLong get(String key) {
    return value(Objects.requireNonNull(key, "key"));
  }

  public OptionalLong get(byte[] key) {
    return value(Objects.requireNonNull(key, "key"));
  }

  /** Returns the value of a string or of bytes; after inlining, HotSpot knows which. */
  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  private OptionalLong value(Object key) {
    TextReader reader = store.reader();
    if (reader != null) {
      try {
        long slot = find(reader, key);
        long value = slot < 0 ? 0 : reader.value(slot);
        // acquire: orders the reads of slots before
        VarHandle.acquireFence();
        if (store.reader() == reader) {
          return slot < 0 ? OptionalLong.empty() : OptionalLong.of(value);
        }
      } finally {
        // Keep the reader reachable: its addresses must stay mapped until here.
        Reference.reachabilityFence(reader);
      }
    }
    return getPatiently(key);
  }

  private static long find(TextReader reader, Object key) {
    return key instanceof String string ? reader.find(string) : reader.find((byte[]) key);
  }

  /** Reads patiently; a string with half of a surrogate pair is absent. */
  private OptionalLong getPatiently(Object key) {
    store.requireOpen();
    TextKey sought =
        key instanceof String string ? TextKey.lookedFor(string) : TextKey.of((byte[]) key);
    if (sought == null) {
      return OptionalLong.empty();
    }
    return store.onJvm() ? getPatiently(sought) : findOnDevice(sought);
  }

  /** Reads patiently: the search begins again if the table was replaced meanwhile. */
  private OptionalLong getPatiently(TextKey key) {
    return OptimisticRead.of(
        store,
        OptionalLong.empty(),
        table -> {
          long slot = key.find(table);
          return slot < 0 ? OptionalLong.empty() : OptionalLong.of(TextKey.value(table, slot));
        });
  }

  private OptionalLong findOnDevice(TextKey key) {
    long[] found = new long[1];
    try (TextKeys keys = key.batch()) {
      return SingleUpdates.found(() -> store.find(keys, Longs.of(found), BulkOptions.NONE)) == 1
          ? OptionalLong.of(found[0])
          : OptionalLong.empty();
    }
  }

  public OptionalLong putIfAbsent(TextKey key, long value) {
    if (store.onJvm()) {
      return changeOnJvm(key, value, Change.Policy.KEEP);
    }
    long[] found = new long[1];
    boolean inserted = insertOnDevice(key, value, Change.Policy.FETCH, Longs.of(found));
    return inserted ? OptionalLong.empty() : OptionalLong.of(found[0]);
  }

  /** Inserts a key if it is absent; returns the value that it then has. */
  public long valueAfterInsert(TextKey key, long value) {
    return putIfAbsent(key, value).orElse(value);
  }

  /** Inserts a key, or combines its value with another; returns the new value. */
  public long merge(TextKey key, long value, Change change) {
    if (store.onJvm()) {
      OptionalLong before = changeOnJvm(key, value, change);
      return before.isPresent() ? change.applied(before.getAsLong(), value) : value;
    }
    boolean _ = insertOnDevice(key, value, change, null);
    // Read after the update: it may include updates of other threads.
    return findOnDevice(key).orElseThrow(() -> SingleUpdates.cleared(store));
  }

  private boolean insertOnDevice(TextKey key, long value, Change change, @Nullable Longs found) {
    try (TextKeys keys = key.batch()) {
      return SingleUpdates.isInserted(
          store, store.insert(keys, Longs.of(value), change, found, BulkOptions.NONE));
    }
  }

  /** Inserts a key, or changes its value; returns the old value, or empty. */
  public OptionalLong change(TextKey key, long value, Change change) {
    store.requireOnJvm();
    return changeOnJvm(key, value, change);
  }

  private OptionalLong changeOnJvm(TextKey key, long value, Change change) {
    for (int tries = 0; ; tries++) {
      TextTable full;
      long slot;
      Entry entry = store.lock().enterSingle();
      try {
        store.requireOpen();
        TextTable used = store.table();
        full = used;
        slot = find(used, key);
        if (slot < 0 && used.takeOne(entry)) {
          slot = insert(used, entry, key, value);
          if (slot == TextKey.NONE) {
            return OptionalLong.empty();
          }
        }
        OptionalLong before = slot >= 0 ? changed(used, slot, value, change) : null;
        if (before != null) {
          return before;
        }
      } finally {
        entry.holder = OperationLock.LEFT;
        entry.left();
      }
      if (slot < 0) {
        store.growForOne(full, key);
      } else {
        SingleUpdates.pause(tries);
      }
    }
  }

  /** Removes a key; returns its value, or empty if the key is absent. Null is never present. */
  public OptionalLong remove(@Nullable TextKey key) {
    store.requireRemovable();
    if (store.onJvm() || key == null) {
      return exchange(key, null, 0, true);
    }
    long[] found = new long[1];
    try (TextKeys keys = key.batch()) {
      return store.remove(keys, Longs.of(found), BulkOptions.NONE).found() == 1
          ? OptionalLong.of(found[0])
          : OptionalLong.empty();
    }
  }

  /** Removes a key if it has the expected value; returns whether it had. */
  public boolean remove(@Nullable TextKey key, long expected) {
    store.requireRemovable();
    store.requireOnJvm();
    return exchange(key, expected, 0, true).isPresent();
  }

  /** Replaces the value of a key or removes it, as {@link LongAccess} does. */
  private OptionalLong exchange(
      @Nullable TextKey key, @Nullable Long expected, long value, boolean removes) {
    for (int tries = 0; ; tries++) {
      Entry entry = store.lock().enterSingle();
      try {
        store.requireOpen();
        TextTable used = store.table();
        long slot = key == null ? TextKey.NONE : find(used, key);
        if (slot < 0) {
          return OptionalLong.empty();
        }
        long before = TextKey.value(used, slot);
        if (expected != null && before != expected) {
          return OptionalLong.empty();
        }
        boolean any = removes && expected == null;
        if (any ? used.remove(slot) : used.exchange(slot, before, value, removes)) {
          if (removes) {
            used.removedOne(entry);
          }
          return OptionalLong.of(any ? TextKey.value(used, slot) : before);
        }
      } finally {
        entry.holder = OperationLock.LEFT;
        entry.left();
      }
      SingleUpdates.pause(tries);
    }
  }

  /** Inserts a key with a reservation, which is returned if the key was not inserted. */
  private long insert(TextTable table, Entry entry, TextKey key, long value) {
    Entry owner = store.wordOwner(entry);
    long slot = TextKey.STUCK;
    try {
      slot = key.insert(table, owner, value, store.pollLimit());
      if (slot == TextKey.STUCK) {
        slot =
            SingleUpdates.insertedAgain(
                store, () -> key.insert(table, owner, value, store.pollLimit()));
      }
    } finally {
      table.insertedSome(entry, slot == TextKey.NONE ? 1 : 0, 1);
    }
    return slot;
  }

  /** Returns the slot of a key; the caller has entered the lock, so that it stays there. */
  private long find(TextTable used, TextKey key) {
    TextReader reader = store.reader();
    return reader == null ? key.find(used) : reader.find(key);
  }

  /**
   * Changes the value of a present key; returns the old value. Returns null, without an effect, if
   * another thread has changed it meanwhile, is changing it, or has removed the key.
   */
  static @Nullable OptionalLong changed(TextTable used, long slot, long value, Change change) {
    int policy = change.policy();
    if (policy == MapCodes.KEEP || policy == MapCodes.FETCH) {
      return OptionalLong.of(TextKey.value(used, slot));
    }
    if (!used.isRemovable() && policy != MapCodes.FOLD) {
      return OptionalLong.of(used.update(slot, value, policy));
    }
    long before = TextKey.value(used, slot);
    return used.exchange(slot, before, change.applied(before, value), false)
        ? OptionalLong.of(before)
        : null;
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
  public OptionalLong compute(TextKey key, UnaryOperator<OptionalLong> function) {
    store.requireOnJvm();
    while (true) {
      OptionalLong before = getPatiently(key);
      OptionalLong after = Objects.requireNonNull(function.apply(before), "result of the function");
      if (isSet(key, before, after)) {
        return after;
      }
    }
  }

  /** Sets the value of a present key to the result of a function; otherwise as {@code compute}. */
  public OptionalLong computeIfPresent(TextKey key, LongUnaryOperator function) {
    Objects.requireNonNull(function, "function");
    return compute(
        key,
        before ->
            before.isPresent()
                ? OptionalLong.of(function.applyAsLong(before.getAsLong()))
                : before);
  }

  private boolean isSet(TextKey key, OptionalLong before, OptionalLong after) {
    if (after.isEmpty()) {
      return before.isEmpty() || remove(key, before.getAsLong());
    }
    return before.isEmpty()
        ? putIfAbsent(key, after.getAsLong()).isEmpty()
        : replace(key, before.getAsLong(), after.getAsLong());
  }

  /**
   * Returns all entries of a map on the JVM, or parts of them, weakly consistent.
   *
   * @param distinct {@link Spliterator#DISTINCT}, or 0 if parts may be equal
   */
  public <E> Spliterator<E> entries(
      Function<? super TextWalk.Entry, ? extends E> part, int distinct) {
    store.requireOnJvm();
    return new WalkSpliterator<>(new TextWalk(store), walk -> part.apply(walk.entry()), distinct);
  }

  /** Replaces the value of a present key if it is the expected one; null is never present. */
  public boolean replace(@Nullable TextKey key, long oldValue, long newValue) {
    store.requireOnJvm();
    return exchange(key, oldValue, newValue, false).isPresent();
  }

  /** Replaces the value of a present key; returns the old value. */
  public OptionalLong replace(@Nullable TextKey key, long value) {
    store.requireOnJvm();
    return exchange(key, null, value, false);
  }
}
