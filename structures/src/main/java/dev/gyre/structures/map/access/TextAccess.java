package dev.gyre.structures.map.access;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TextLayout;
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
import org.jspecify.annotations.Nullable;

/**
 * Operations on single text keys, by the thread that calls, beside each other and beside all else;
 * as {@link LongAccess}, which explains how.
 */
public final class TextAccess {

  private final TextStore store;

  public TextAccess(TextStore store) {
    this.store = store;
  }

  /** The value of a key, or another number where it is not there. */
  public long getOrDefault(String key, long ifAbsent) {
    return valueOr(Objects.requireNonNull(key, "key"), ifAbsent);
  }

  /** The same of bytes. */
  public long getOrDefault(byte[] key, long ifAbsent) {
    return valueOr(Objects.requireNonNull(key, "key"), ifAbsent);
  }

  public OptionalLong get(String key) {
    return value(Objects.requireNonNull(key, "key"));
  }

  public OptionalLong get(byte[] key) {
    return value(Objects.requireNonNull(key, "key"));
  }

  /** Of a string or bytes; where this is inlined, HotSpot knows which. */
  private long valueOr(Object key, long ifAbsent) {
    TextReader reader = store.reader();
    if (reader != null) {
      try {
        long slot = find(reader, key);
        long value = slot < 0 ? ifAbsent : reader.value(slot);
        // acquire: the slots were read before
        VarHandle.acquireFence();
        if (isStill(reader)) {
          return value;
        }
      } finally {
        // Until here, or the addresses could be gone.
        Reference.reachabilityFence(reader);
      }
    }
    return getPatiently(key).orElse(ifAbsent);
  }

  /** The same, by itself: an optional number that is taken apart again costs nothing. */
  private OptionalLong value(Object key) {
    TextReader reader = store.reader();
    if (reader != null) {
      try {
        long slot = find(reader, key);
        long value = slot < 0 ? 0 : reader.value(slot);
        // acquire: the slots were read before
        VarHandle.acquireFence();
        if (isStill(reader)) {
          return slot < 0 ? OptionalLong.empty() : OptionalLong.of(value);
        }
      } finally {
        // Until here, or the addresses could be gone.
        Reference.reachabilityFence(reader);
      }
    }
    return getPatiently(key);
  }

  private static long find(TextReader reader, Object key) {
    return key instanceof String string ? reader.find(string) : reader.find((byte[]) key);
  }

  @SuppressWarnings("ReferenceEquality") // that reader, not one like it
  private boolean isStill(TextReader reader) {
    return store.reader() == reader;
  }

  /** A string with half of a surrogate pair is no key, and so absent. */
  private OptionalLong getPatiently(Object key) {
    store.requireOpen();
    TextKey sought =
        key instanceof String string ? TextKey.lookedFor(string) : TextKey.of((byte[]) key);
    return sought == null ? OptionalLong.empty() : getPatiently(sought);
  }

  private OptionalLong getPatiently(TextKey key) {
    return store.onJvm() ? find(key) : findOnDevice(key);
  }

  private OptionalLong findOnDevice(TextKey key) {
    long[] found = new long[1];
    try (TextKeys keys = key.batch()) {
      return SingleUpdates.found(() -> store.find(keys, Longs.of(found), BulkOptions.NONE)) == 1
          ? OptionalLong.of(found[0])
          : OptionalLong.empty();
    }
  }

  /**
   * Other than a number, a key may be found in the slots and be missing in the arena, where that
   * has grown meanwhile and the slots have not: then the search begins again.
   */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  private OptionalLong find(TextKey key) {
    while (true) {
      long version = store.version();
      // After the version: where the map was moved since, the version is another one.
      if (!store.onJvm()) {
        return findOnDevice(key);
      }
      TextTable table = store.table();
      try {
        OptionalLong found = OptionalLong.empty();
        // While the map is being cleared it counts as empty.
        if ((version & 1) == 0) {
          long slot = key.find(table);
          found = slot < 0 ? found : OptionalLong.of(TextKey.value(table, slot));
        }
        // acquire: the slots were read before the version is read again
        VarHandle.acquireFence();
        if (store.version() == version && store.table() == table) {
          return found;
        }
      } catch (IllegalStateException | IndexOutOfBoundsException e) {
        store.requireReplaced(table, version, e);
      }
    }
  }

  public OptionalLong putIfAbsent(TextKey key, long value) {
    OptionalLong before = changeOnJvm(key, value, Change.Policy.KEEP);
    if (before != null) {
      return before;
    }
    long[] found = new long[1];
    boolean inserted = insertOnDevice(key, value, Change.Policy.FETCH, Longs.of(found));
    return inserted ? OptionalLong.empty() : OptionalLong.of(found[0]);
  }

  /** Inserts a key, or applies a value to the one that is there; returns what is there then. */
  public long merge(TextKey key, long value, Change change) {
    OptionalLong before = changeOnJvm(key, value, change);
    if (before != null) {
      return before.isPresent() ? change.applied(before.getAsLong(), value) : value;
    }
    boolean _ = insertOnDevice(key, value, change, null);
    // Looked up after the update: what others did meanwhile is in it.
    return findOnDevice(key).orElseThrow(() -> SingleUpdates.cleared(store));
  }

  private boolean insertOnDevice(TextKey key, long value, Change change, @Nullable Longs found) {
    try (TextKeys keys = key.batch()) {
      return SingleUpdates.isInserted(
          store, store.insert(keys, Longs.of(value), change, found, BulkOptions.NONE));
    }
  }

  /** Inserts a key, or changes the value that is there; returns the value that was there. */
  public OptionalLong change(TextKey key, long value, Change change) {
    OptionalLong before = changeOnJvm(key, value, change);
    return before != null
        ? before
        : SingleUpdates.untilOnJvm(store, () -> changeOnJvm(key, value, change));
  }

  /** As {@link #change}; null, having done nothing, where the table is on a device. */
  private @Nullable OptionalLong changeOnJvm(TextKey key, long value, Change change) {
    while (true) {
      TextTable full;
      int stripe = store.gate().enterSingle();
      try {
        store.requireOpen();
        // Inside, where it cannot be moved.
        if (!store.onJvm()) {
          return null;
        }
        TextTable used = store.table();
        full = used;
        long slot = key.find(used);
        if (slot < 0 && used.takeOne()) {
          slot =
              SingleUpdates.inserted(
                  store,
                  used,
                  key.insert(used, value, store.pollLimit()),
                  () -> key.insert(used, value, store.pollLimit()));
          if (slot == TextKey.NONE) {
            return OptionalLong.empty();
          }
        }
        if (slot >= 0) {
          return OptionalLong.of(
              change.policy() == MapCodes.KEEP
                  ? TextKey.value(used, slot)
                  : update(used, slot, value, change));
        }
      } finally {
        store.gate().leaveSingle(stripe);
      }
      store.growth().growForOne(full, key);
    }
  }

  public static long update(TextTable table, long slot, long operand, Change change) {
    long at = TextLayout.valueAt(slot);
    DeviceLongs values = table.table;
    return switch (change.policy()) {
      case MapCodes.ADD -> values.fetchAddSeqCst(at, operand);
      case MapCodes.MIN -> values.fetchMinSeqCst(at, operand);
      case MapCodes.MAX -> values.fetchMaxSeqCst(at, operand);
      case MapCodes.AND -> values.fetchAndSeqCst(at, operand);
      case MapCodes.OR -> values.fetchOrSeqCst(at, operand);
      case MapCodes.XOR -> values.fetchXorSeqCst(at, operand);
      case MapCodes.FOLD -> fold(values, at, operand, change);
      default -> values.exchangeSeqCst(at, operand);
    };
  }

  /** Lock-free: a compare-and-exchange fails only where another one succeeded. */
  private static long fold(DeviceLongs values, long at, long operand, Change change) {
    long before = values.loadSeqCst(at);
    long seen = values.compareAndExchangeSeqCst(at, before, change.applied(before, operand));
    while (seen != before) {
      before = seen;
      seen = values.compareAndExchangeSeqCst(at, before, change.applied(before, operand));
    }
    return before;
  }

  /** Of a string; half of a surrogate pair is in no key. */
  public boolean replace(String key, long oldValue, long newValue) {
    store.requireOpen();
    TextKey sought = TextKey.lookedFor(key);
    return sought != null && replace(sought, oldValue, newValue);
  }

  /** Of a string; half of a surrogate pair is in no key. */
  public OptionalLong replace(String key, long value) {
    store.requireOpen();
    TextKey sought = TextKey.lookedFor(key);
    return sought == null ? OptionalLong.empty() : replace(sought, value);
  }

  /** Replaces the value of a key that is there, if it is the expected one. */
  public boolean replace(TextKey key, long oldValue, long newValue) {
    int stripe = store.gate().enterSingle();
    try {
      store.requireOnJvm();
      TextTable table = store.table();
      long slot = key.find(table);
      return slot >= 0
          && table.table.compareAndSetSeqCst(TextLayout.valueAt(slot), oldValue, newValue);
    } finally {
      store.gate().leaveSingle(stripe);
    }
  }

  /** Replaces the value of a key that is there; returns the value that was there. */
  public OptionalLong replace(TextKey key, long value) {
    int stripe = store.gate().enterSingle();
    try {
      store.requireOnJvm();
      TextTable table = store.table();
      long slot = key.find(table);
      return slot < 0
          ? OptionalLong.empty()
          : OptionalLong.of(update(table, slot, value, Change.Policy.ASSIGN));
    } finally {
      store.gate().leaveSingle(stripe);
    }
  }
}
