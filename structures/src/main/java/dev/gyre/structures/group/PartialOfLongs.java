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

  @Override
  void search(KeyBlock keys, int[] at) {
    int mask = slots.length - 1;
    for (int i = 0; i < keys.count; i++) {
      if (keys.hasNulls && keys.nulls[i]) {
        continue;
      }
      long key = keys.numbers[i];
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
      at[i] = row + HEADER;
    }
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
