package dev.gyre.structures.map.access;

import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.StackReserve;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.ArenaChunk;
import dev.gyre.structures.map.table.TextKey;
import dev.gyre.structures.map.table.TextReader;
import dev.gyre.structures.map.table.TextTable;
import dev.gyre.structures.map.work.OutcomeCounts;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.function.Function;
import java.util.function.IntFunction;
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
        try (ArenaChunk chunk = new ArenaChunk(used, wordOwner(entry), words)) {
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
          before = slot < 0 ? OptionalLong.of(value) : changed(used, slot, value, change);
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
    Entry owner = wordOwner(entry);
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

  /**
   * Returns the entry whose stripe keeps words of the arena; null if keys take exactly their words.
   *
   * <p>They do if they cannot be removed, because then files of the map have no gaps, and if the
   * capacity is fixed: other threads get the words of a stripe only by a compaction, for which
   * there may be no memory.
   */
  private @Nullable Entry wordOwner(Entry entry) {
    return store.isRemovable() && !store.isFixed() ? entry : null;
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
  private static @Nullable OptionalLong changed(
      TextTable used, long slot, long value, Change change) {
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
