package dev.gyre.structures.map.store;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.structures.map.MapFullException;
import dev.gyre.structures.map.table.TextKey;
import dev.gyre.structures.map.table.TextTable;

/** Makes capacity in a store of text keys, for keys or for their text. */
public final class TextGrowth {

  private final TextStore store;

  TextGrowth(TextStore store) {
    this.store = store;
  }

  /**
   * Makes capacity for keys that did not fit in a table, unless another thread has done so.
   *
   * @param atOnce number of keys for which capacity is reserved at the same time
   * @param words number of arena words that are lacking; 0 if there were enough
   */
  public void grow(TextTable full, long atOnce, long words) {
    store
        .lock()
        .exclusivelyIf(
            () -> isSame(full),
            () -> {
              store.growAlone(full, atOnce, atOnce);
              if (hasArenaOf(full) && words > 0) {
                growArena(words);
              }
            });
  }

  /** Makes capacity after a launch of a user's kernel; see {@link Store#growFor}. */
  void growFor(TextTable full, long keys, long texts, boolean news) {
    if (!store.isFixed()) {
      grow(full, Math.min(keys, Store.MOST_GROWTH * full.capacity), texts > 0 ? 1 : 0);
    } else if (keys > 0 && full.removed() > 0) {
      store.lock().exclusively(store::dropRemoved);
    } else if (keys > 0) {
      throw new MapFullException(store.name(), full.capacity);
    } else {
      store.lock().exclusively(() -> compactOrRefuse(full, news));
    }
  }

  private void compactOrRefuse(TextTable full, boolean news) {
    if (hasArenaOf(full) && !(news && compact())) {
      throw MapFullException.ofText(store.name(), full.arenaMemory.byteSize());
    }
  }

  /**
   * Makes capacity for a key that did not fit in a table, unless there is some by now, or the key
   * is present.
   */
  public void growForOne(TextTable full, TextKey key) {
    store
        .lock()
        .exclusivelyIf(
            () -> isSame(full),
            () -> {
              if (key.find(store.table()) < 0) {
                store.growForOne(full, () -> true);
                growTextForOne(full, key);
              }
            });
  }

  private void growTextForOne(TextTable full, TextKey key) {
    boolean lacking = key.arenaWords() > 0 && hasArenaOf(full) && !fitsInArena(key);
    if (lacking && !store.isFixed()) {
      // The waiting threads are probably about to insert similar keys.
      growArena((1L + store.lock().waiting()) * key.arenaWords());
    } else if (lacking && !(compact() && fitsInArena(key))) {
      throw MapFullException.ofText(store.name(), full.arenaMemory.byteSize());
    }
  }

  /** Returns whether a table, or its arena, is still in place. */
  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  private boolean isSame(TextTable full) {
    return store.table() == full || hasArenaOf(full);
  }

  @SuppressWarnings("ReferenceEquality") // The identity matters, not the content.
  private boolean hasArenaOf(TextTable other) {
    return store.table().arenaMemory == other.arenaMemory;
  }

  private boolean fitsInArena(TextKey key) {
    TextTable table = store.table();
    return table.bump.get(0) + key.arenaWords() <= table.arena.length();
  }

  /**
   * Removes the gaps of an arena by another table, so that readers of this one are not disturbed,
   * with exclusive access. If the memory for another table is not available, gaps stay.
   *
   * @return whether there were gaps
   */
  public boolean compact() {
    TextTable old = store.table();
    store.workers().readBack(old.memories().toArray(Memory[]::new));
    TextTable fresh;
    try {
      fresh = old.compacted(store.workersFor(old.slots), store.tasks(old.slots));
    } catch (MemoryExhaustedException e) {
      return false;
    }
    if (fresh == null) {
      return false;
    }
    store.replaceBy(fresh);
    store.workers().hostWrote(fresh.memories().toArray(Memory[]::new));
    return true;
  }

  /**
   * Replaces the arena by a larger one on the host, with exclusive access; or by one of the same
   * size, if at most half of it belongs to keys that are present. Arenas of small tables, and of
   * tables for several threads, last as long as the capacity of their tables.
   */
  private void growArena(long words) {
    if (store.table().removed() > 0 && compact()) {
      TextTable compacted = store.table();
      long used = compacted.bump.get(0);
      long keys = Math.max(store.leastRebuilt(), Math.min(compacted.capacity, Store.SMALL));
      long least = used * keys / Math.max(1, compacted.size());
      if (Math.max(least, Math.max(2 * used, used + words)) <= compacted.arena.length()) {
        return;
      }
    }
    TextTable old = store.table();
    store.workers().readBack(old.arenaMemory, old.bump.memory());
    TextTable fresh =
        old.withArena(Math.max(Store.enlarged(old.arena.length()), old.arena.length() + words));
    try {
      store.workers().hostWrote(fresh.arenaMemory, fresh.bump.memory());
    } catch (RuntimeException | Error e) {
      fresh.arenaMemory.close();
      throw e;
    }
    store.replaceBy(fresh);
  }
}
