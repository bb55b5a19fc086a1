package dev.gyre.structures.group;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows of equal keys by a hash table with linear probing, whose slots refer to rows. For one
 * thread at a time. It serves one {@link KeyRows} until it is restarted.
 */
final class RowFinder {

  /** Largest number of rows that are merged, so that slots are in an array. */
  static final int MAX_ROWS = 1 << 29;

  private int[] slots = {};
  private int mask;

  // Of the rows of a block: the hash, the row with the key, and those that are new with their slot.
  private final long[] hashes = new long[KeyBlock.ROWS];
  private final int[] found = new int[KeyBlock.ROWS];
  private final int[] fresh = new int[KeyBlock.ROWS];
  private final int[] freshSlots = new int[KeyBlock.ROWS];
  private final long[] from = new long[KeyBlock.ROWS];
  private final long[] to = new long[KeyBlock.ROWS];

  /** Forgets all rows, and makes capacity for some. */
  void restart(long rows) {
    int size = Math.toIntExact(Long.highestOneBit(Math.max(rows, 8) - 1) << 2);
    if (size > slots.length) {
      slots = new int[size];
    } else {
      Arrays.fill(slots, 0, size, 0);
    }
    mask = size - 1;
  }

  /** Merges the pending rows. */
  void merge(KeyRows rows, StateRow states) {
    merge(rows, states, null);
  }

  /**
   * Merges the pending rows.
   *
   * @param numbers gets the new number of each row, if it is not null
   */
  void merge(KeyRows rows, StateRow states, int @Nullable [] numbers) {
    long end = rows.used();
    if (rows.merged() == end) {
      return;
    }
    restart(end);
    rows.restart();
    for (long row = 1; row < end; row += KeyBlock.ROWS) {
      int count = (int) Math.min(KeyBlock.ROWS, end - row);
      int added = find(rows, (int) row, count, null);
      int known = 0;
      for (int i = 0; i < count && added < count; i++) {
        if (found[i] != row + i) {
          from[known] = rows.state(row + i);
          to[known++] = rows.state(found[i]);
        }
      }
      states.merge(rows.words(), from, rows.words(), to, known);
      keep(rows, (int) row, count, added);
      if (numbers != null) {
        System.arraycopy(found, 0, numbers, (int) row, count);
      }
    }
    rows.dropPending();
  }

  /** Returns the row with the key of another row; 0 if no row has it. Changes nothing. */
  long find(KeyRows rows, KeyRows others, long other, long hash) {
    int slot = (int) hash & mask;
    int row = slots.length == 0 ? 0 : slots[slot];
    while (row != 0 && !rows.equal(row, others, other)) {
      slot = (slot + 1) & mask;
      row = slots[slot];
    }
    return row;
  }

  /**
   * Finds or adds the rows of some keys, for which there is capacity.
   *
   * @param at gets the place of the state of each key
   */
  void locate(KeyRows rows, KeyBlock keys, long[] at) {
    int row = (int) rows.used();
    rows.add(keys);
    int added = find(rows, row, keys.count, keys.hasNulls ? keys.nulls : null);
    if (added > 0) {
      long first = rows.merged();
      keep(rows, row, keys.count, added);
      rows.dropPending();
      rows.clearStates(first);
    } else {
      rows.dropPending();
    }
    for (int i = 0; i < keys.count; i++) {
      at[i] = rows.state(found[i]);
    }
  }

  /** Finds the rows of equal keys for the last rows. Returns how many are new. */
  private int find(KeyRows rows, int first, int count, boolean @Nullable [] nulls) {
    // The first loop has the cache misses overlap.
    for (int i = 0; i < count; i++) {
      long hash = rows.hash(first + i);
      hashes[i] = hash;
      found[i] = slots[(int) hash & mask];
    }
    int added = 0;
    for (int i = 0; i < count; i++) {
      if (nulls != null && nulls[i]) {
        found[i] = 0;
        long _ = rows.addNull();
        continue;
      }
      int slot = (int) hashes[i] & mask;
      int row = slots[slot];
      while (row != 0 && !rows.equal(first + i, rows, row)) {
        slot = (slot + 1) & mask;
        row = slots[slot];
      }
      if (row == 0) {
        row = first + i;
        slots[slot] = row;
        freshSlots[added] = slot;
        fresh[added++] = i;
      }
      found[i] = row;
    }
    return added;
  }

  /** Moves new rows to the first rows, and has slots and the rows that were found refer to them. */
  private void keep(KeyRows rows, int first, int count, int added) {
    int next = 0;
    for (int i = 0; i < count; i++) {
      if (next < added && fresh[next] == i) {
        found[i] = (int) rows.keep(first + i);
        slots[freshSlots[next++]] = found[i];
      } else if (found[i] >= first) {
        found[i] = found[found[i] - first];
      }
    }
  }
}
