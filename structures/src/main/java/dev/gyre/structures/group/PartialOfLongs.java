package dev.gyre.structures.group;

import dev.gyre.structures.group.KeyMap.Staged;

/** Private table of keys that are longs. The header of a row is the key. */
final class PartialOfLongs extends Partial {

  private static final int HEADER = 1;

  private final Seed seed;

  PartialOfLongs(StateRow states, Seed seed) {
    super(states, HEADER);
    this.seed = seed;
  }

  /** Short loops, so that many cache misses overlap: on slots, then on rows. */
  @Override
  void search(KeyBlock keys, int[] at) {
    int mask = slots.length - 1;
    for (int i = 0; i < keys.count; i++) {
      at[i] = slots[(int) seed.hash(keys.numbers[i]) & mask];
    }
    for (int i = 0; i < keys.count; i++) {
      int row = at[i];
      long key = keys.numbers[i];
      if (row == 0 || rows[row] != key) {
        row = keys.hasNulls && keys.nulls[i] ? 0 : findOrAdd(key);
      }
      at[i] = row + HEADER;
    }
  }

  private int findOrAdd(long key) {
    int mask = slots.length - 1;
    int slot = (int) seed.hash(key) & mask;
    int row = slots[slot];
    while (row != 0 && rows[row] != key) {
      slot = (slot + 1) & mask;
      row = slots[slot];
    }
    if (row == 0) {
      row = newRow();
      rows[row] = key;
      slots[slot] = row;
    }
    return row;
  }

  @Override
  void appendKeys(KeyBlock keys, int[] at) {
    for (int i = 0; i < keys.count; i++) {
      if (!keys.hasNulls || !keys.nulls[i]) {
        int row = newRow();
        rows[row] = keys.numbers[i];
        at[i] = row + HEADER;
      }
    }
  }

  @Override
  long hash(int row) {
    return seed.hash(rows[row]);
  }

  @Override
  void stage(int row, Staged keys) {
    keys.add(rows[row]);
  }
}
