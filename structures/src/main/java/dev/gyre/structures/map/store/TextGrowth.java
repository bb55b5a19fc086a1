package dev.gyre.structures.map.store;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.structures.map.MapFullException;
import dev.gyre.structures.map.table.TextKey;
import dev.gyre.structures.map.table.TextTable;

/** Makes room in a store with text keys, for keys or for their text. */
public final class TextGrowth {

  private final TextStore store;

  TextGrowth(TextStore store) {
    this.store = store;
  }

  /**
   * Makes room for keys that did not fit in a table, unless another thread has done so.
   *
   * @param atOnce keys for which room is taken at the same time
   * @param words room in the arena that is lacking; 0 if there was enough
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

  /** Makes room after a launch of a user's kernel; see {@link Store#growFor}. */
  void growFor(TextTable full, long keys, long texts, boolean news) {
    if (!store.isFixed()) {
      grow(full, Math.min(keys, Store.MOST_GROWTH * full.capacity), texts > 0 ? 1 : 0);
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

  /** Makes room for a key that found none in a table, unless there is some by now, or the key. */
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
    boolean lacking = hasArenaOf(full) && !hasRoomFor(key);
    if (lacking && !store.isFixed()) {
      // The threads that wait are about to insert keys like this one, most likely.
      growArena((1L + store.lock().waiting()) * key.room());
    } else if (lacking && !(compact() && hasRoomFor(key))) {
      throw MapFullException.ofText(store.name(), full.arenaMemory.byteSize());
    }
  }

  /** Whether a table, or its arena, is still in place. */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  private boolean isSame(TextTable full) {
    return store.table() == full || hasArenaOf(full);
  }

  @SuppressWarnings("ReferenceEquality") // that memory, not one like it
  private boolean hasArenaOf(TextTable other) {
    return store.table().arenaMemory == other.arenaMemory;
  }

  private boolean hasRoomFor(TextKey key) {
    TextTable table = store.table();
    return table.bump.get(0) + key.room() <= table.arena.length();
  }

  /**
   * Makes room of the gaps in an arena, by another table for those who read this one; the caller is
   * alone. Where there is not the memory for another table, gaps stay.
   *
   * @return whether there were any
   */
  public boolean compact() {
    TextTable old = store.table();
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
    store.replaceBy(fresh);
    store.workers().hostWrote(fresh.memories().toArray(Memory[]::new));
    return true;
  }

  /** Replaces the arena by one with more room, on the host; the caller is alone. */
  private void growArena(long room) {
    TextTable old = store.table();
    store.workers().readBack(old.arenaMemory, old.bump.memory());
    TextTable fresh =
        old.withArena(Math.max(Store.enlarged(old.arena.length()), old.arena.length() + room));
    try {
      store.workers().hostWrote(fresh.arenaMemory, fresh.bump.memory());
    } catch (RuntimeException | Error e) {
      fresh.arenaMemory.close();
      throw e;
    }
    store.replaceBy(fresh);
  }
}
