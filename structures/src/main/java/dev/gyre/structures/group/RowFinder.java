package dev.gyre.structures.group;

import dev.gyre.atomics.AddressPin;
import dev.gyre.structures.group.TextRows.LengthOrder;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows by their keys, which differ, by a hash table with linear probing. Its slots are off
 * the heap and refer to rows. For one thread at a time.
 */
final class RowFinder {

  final KeyRows rows;
  private final Blocks blocks;
  private MemorySegment slots = MemorySegment.NULL;
  private long base;
  private long mask = -1;

  /** Places of the keys of a block. */
  private long[] sought = {};

  /** Keys that are not in the first slot of their hash. */
  private final LengthOrder pending = new LengthOrder();

  RowFinder(Blocks blocks, KeyRows rows) {
    this.blocks = blocks;
    this.rows = rows;
  }

  /** Makes capacity for more rows, and bytes of their texts. */
  void reserve(int count, long text) {
    rows.reserve(count, text, count, 2);
    // Slots have numbers of rows as ints.
    long all = Math.toIntExact(rows.used() + count);
    if (2 * all > mask + 1) {
      resize(Long.highestOneBit(all) << 2);
    }
  }

  private void resize(long size) {
    MemorySegment larger = blocks.take(size * Integer.BYTES);
    if (slots.byteSize() > 0) {
      blocks.give(slots);
    }
    slots = larger.fill((byte) 0);
    base = AddressPin.first(slots, size, 2);
    mask = size - 1;
    for (long row = 1; row < rows.used(); row++) {
      long slot = rows.hash(rows.at(row)) & mask;
      while (row(slot) != 0) {
        slot = (slot + 1) & mask;
      }
      set(slot, row);
    }
  }

  private int row(long slot) {
    return AddressPin.getInt(slots, base + slot * Integer.BYTES);
  }

  private void set(long slot, long row) {
    AddressPin.setInt(slots, base + slot * Integer.BYTES, (int) row);
  }

  /** Removes all rows. */
  void clear() {
    rows.clear();
    var _ = slots.fill((byte) 0);
  }

  /** Returns the row in the first slot of a hash, which may be 0; there must be slots. */
  int first(long hash) {
    return row(hash & mask);
  }

  /** Returns the row with the key at a place of other rows; 0 if no row has it. */
  long find(KeyRows others, long other, long hash) {
    return mask < 0 ? 0 : row(slot(others, other, hash));
  }

  /** Returns the slot of the row with the key at a place, or the free slot for it. */
  private long slot(KeyRows others, long other, long hash) {
    long slot = hash & mask;
    int row = row(slot);
    while (row != 0 && !rows.equal(rows.at(row), others, other)) {
      slot = (slot + 1) & mask;
      row = row(slot);
    }
    return slot;
  }

  /**
   * Finds or adds the keys of a block of other rows, for which there is capacity.
   *
   * @param at gets the place of the state of each key
   */
  void locate(KeyRows others, long first, int count, long[] at) {
    int _ = locate(others, first, null, count, true, null, at);
  }

  /** Finds or adds the keys of other rows that have some numbers. */
  void locate(KeyRows others, int[] numbers, int count, long[] at) {
    int _ = locate(others, 0, numbers, count, true, null, at);
  }

  /**
   * Finds the keys of a block of other rows, or adds them.
   *
   * @param numbers distances of the rows from the first one; null if they are neighbours
   * @param adds whether keys are added; otherwise the place of one that is missing is 0
   * @param nulls which keys are null; null if none is
   * @return number of keys that are missing or were added
   */
  int locate(
      KeyRows others,
      long first,
      int @Nullable [] numbers,
      int count,
      boolean adds,
      boolean @Nullable [] nulls,
      long[] at) {
    if (sought.length == 0) {
      sought = new long[KeyBlock.ROWS];
      pending.begin();
    }
    long[] keys = sought;
    long place = others.at(first);
    for (int i = 0; i < count; i++) {
      keys[i] = numbers == null ? place : others.at(first + numbers[i]);
      place += others.rowBytes();
    }
    // Without branches, so that loads overlap: most keys are in the first slot of their hash.
    int[] unsorted = pending.rows;
    int left = 0;
    for (int i = 0; i < count; i++) {
      long key = keys[i];
      long row = row(others.hash(key) & mask);
      long difference = rows.difference(rows.at(row), others, key);
      at[i] = rows.state(row);
      unsorted[left] = i;
      // The sign is set if the keys may differ, or if there is no row.
      long sign = difference | -difference | (row - 1);
      left += nulls != null && nulls[i] ? 1 : (int) (sign >>> (Long.SIZE - 1));
    }
    int[] order = unsorted;
    if (LengthOrder.pays(left, count)) {
      for (int i = 0; i < left; i++) {
        pending.length(i, others.length(keys[unsorted[i]]));
      }
      order = pending.sort(left);
    }
    int fresh = 0;
    for (int i = 0; i < left; i++) {
      int index = LengthOrder.row(order[i]);
      if (nulls != null && nulls[index]) {
        at[index] = rows.addNull();
        continue;
      }
      long key = keys[index];
      long slot = slot(others, key, others.hash(key));
      long row = row(slot);
      if (row == 0) {
        fresh++;
        if (adds) {
          row = rows.addKey(others, key);
          set(slot, row);
        }
      }
      at[index] = row == 0 ? 0 : rows.state(row);
    }
    return fresh;
  }
}
