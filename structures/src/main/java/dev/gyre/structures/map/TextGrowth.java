package dev.gyre.structures.map;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import java.util.List;

/** Replaces the table of a store with text keys by one with other room, for keys or their text. */
final class TextGrowth {

  /** Below so many keys, and words, a map is small: growing it costs more than the room. */
  private static final long SMALL = 1 << 15;

  private final TextStore store;
  private final MapSettings settings;

  TextGrowth(TextStore store, MapSettings settings) {
    this.store = store;
    this.settings = settings;
  }

  /**
   * Makes room for keys that did not fit in a table, unless another thread has done so.
   *
   * @param atOnce keys for which room is taken at the same time
   * @param words room in the arena that is lacking; 0 if there was enough
   */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  void grow(TextTable full, long atOnce, long words) {
    store.gate().enterExclusive();
    try {
      long needed = store.table.taken() + atOnce;
      if (store.table == full && needed > full.capacity) {
        moveTo(Math.max(enlarged(full.capacity), needed));
      }
      if (store.table.arena == full.arena && words > 0) {
        growArena(words);
      }
    } finally {
      store.gate().leave(Gate.Mode.EXCLUSIVE);
    }
  }

  /** Makes room for a key that found none in a table, unless there is some by now, or the key. */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  void growForOne(TextTable full, TextKey key) {
    store.gate().enterExclusive();
    try {
      // Who took the last room may have taken it for this key.
      boolean absent = store.onJvm() && key.find(store.table) < 0;
      boolean keys = absent && store.table == full && full.taken() == full.capacity;
      long end = full.bump.get(0) + key.room();
      boolean text = absent && store.table.arena == full.arena && end > full.arena.length();
      if (keys && settings.fixed()) {
        throw new MapFullException(store.name(), full.capacity);
      }
      if (text && settings.fixed() && !makesRoomFor(key)) {
        throw MapFullException.ofText(store.name(), full.arenaMemory.byteSize());
      }
      if (keys) {
        moveTo(enlarged(full.capacity));
      }
      if (text && !settings.fixed()) {
        growArena(key.room());
      }
    } finally {
      store.gate().leave(Gate.Mode.EXCLUSIVE);
    }
  }

  private static long enlarged(long size) {
    return (size < SMALL ? 4 : 2) * size;
  }

  private boolean makesRoomFor(TextKey key) {
    return compact() && store.table.bump.get(0) + key.room() <= store.table.arena.length();
  }

  /**
   * Makes room of the gaps in an arena, by another table for those who read this one; the caller is
   * alone. Where there is not the memory for another table, gaps stay.
   *
   * @return whether there were any
   */
  boolean compact() {
    TextTable old = store.table;
    store.workers().readBack(old.memories().toArray(Memory[]::new));
    if (!old.hasGaps()) {
      return false;
    }
    TextTable fresh;
    try {
      fresh = old.compacted();
    } catch (MemoryExhaustedException e) {
      return false;
    }
    store.table = fresh;
    store.spent().free(List.of(old.slotMemory, old.arenaMemory));
    store.workers().hostWrote(fresh.memories().toArray(Memory[]::new));
    return true;
  }

  /** Replaces the arena by one with more room; the caller is alone. */
  private void growArena(long room) {
    TextTable old = store.table;
    store.workers().readBack(old.memories().toArray(Memory[]::new));
    TextTable fresh =
        old.withArena(Math.max(enlarged(old.arena.length()), old.arena.length() + room));
    try {
      store.workers().hostWrote(fresh.memories().toArray(Memory[]::new));
    } catch (RuntimeException | Error e) {
      fresh.arenaMemory.close();
      throw e;
    }
    store.table = fresh;
    store.spent().free(List.of(old.arenaMemory));
  }

  /** Replaces the slots by others; the caller is alone. */
  private void moveTo(long capacity) {
    TextTable old = store.table;
    TextTable fresh = old.resized(capacity, settings.loadFactor());
    try {
      store.workers().makeReady(List.of(fresh.slotMemory));
      store
          .workers()
          .run(
              "rehash",
              store.steps(old.slots),
              (worker, step) -> store.workers().launch(old.move(fresh, step), step.size()));
    } catch (RuntimeException | Error e) {
      fresh.slotMemory.close();
      throw e;
    }
    fresh.countAs(old);
    store.table = fresh;
    store.spent().free(List.of(old.slotMemory));
  }

  void rehash(long capacity) {
    store.settle();
    store.gate().enterExclusive();
    try {
      if (capacity < store.table.taken()) {
        throw new IllegalArgumentException(
            "a capacity of %d is too small for the %d keys of the map"
                .formatted(capacity, store.table.taken()));
      }
      moveTo(capacity);
    } finally {
      store.gate().leave(Gate.Mode.EXCLUSIVE);
    }
  }
}
