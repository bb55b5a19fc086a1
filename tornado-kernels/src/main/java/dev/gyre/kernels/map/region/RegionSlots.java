package dev.gyre.kernels.map.region;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.KEEP;
import static dev.gyre.kernels.map.MapCodes.PENDING;
import static dev.gyre.kernels.map.MapCodes.PRESENT;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.IntLines;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.PackedSlots;

/** A layout of slots as a block builds a region of them, in memory that it shares. */
public interface RegionSlots {

  /** The table. */
  NumberTable table();

  /** Its memory. */
  DeviceLongs words();

  /** Longs of a slot. */
  int longs();

  /**
   * Inserts an entry into a region; PENDING where that has no slot for it.
   *
   * @param slots the region
   * @param home slot of it where the search begins; where that is no slot of it, the key is PENDING
   * @param size number of slots
   */
  int insert(SharedLongs slots, long key, long value, int home, int size, Change change);

  /** Writes a slot that nobody else writes to: a word of packed slots, or EMPTY. */
  void store(long slot, long word);

  /** {@link PackedSlots}. */
  record Packed(PackedSlots table) implements RegionSlots {
    @Override
    public DeviceLongs words() {
      return table.words();
    }

    @Override
    public int longs() {
      return 1;
    }

    @Override
    public void store(long slot, long word) {
      // relaxed: readers may run beside this; a word is all there is to see
      table.words().storeRelaxed(slot, word);
    }

    @Override
    public int insert(SharedLongs slots, long key, long value, int home, int size, Change change) {
      long desired = table.desired(key, value);
      int stored = PackedSlots.storedOf(desired);
      int slot = home;
      long seen = EMPTY;
      boolean goesOn = slot < size;
      while (goesOn) {
        // relaxed, as all of these: the word is all there is to see
        seen = slots.loadRelaxed(slot);
        if (seen == EMPTY) {
          seen = slots.compareAndExchangeRelaxed(slot, EMPTY, desired);
        }
        boolean other = seen != EMPTY && PackedSlots.storedOf(seen) != stored;
        slot += other ? 1 : 0;
        goesOn = other && slot < size;
      }
      int met = seen == EMPTY ? INSERTED : PRESENT;
      int outcome = slot < size ? met : PENDING;
      if (outcome == PRESENT && change.policy() != KEEP) {
        long before = EMPTY;
        while (seen != before) {
          before = seen;
          long after = change.applied(PackedSlots.valueOf(before), value);
          seen =
              slots.compareAndExchangeRelaxed(slot, before, PackedSlots.word(stored, (int) after));
        }
      }
      return outcome;
    }
  }

  /**
   * {@link IntLines}. Who finds an equal key that is being inserted, and is to change its value,
   * waits for that: the thread that claimed the slot writes it next, so that no more is needed than
   * that threads of a block which have begun go on.
   */
  record Lines(IntLines table) implements RegionSlots {
    @Override
    public DeviceLongs words() {
      return table.words();
    }

    @Override
    public int longs() {
      return 2;
    }

    @Override
    public void store(long slot, long word) {
      int key = PackedSlots.storedOf(word) ^ Integer.MIN_VALUE;
      // relaxed: readers may run beside this; a word is all there is to see
      table
          .words()
          .storeRelaxed(
              IntLines.valueAt(slot),
              word == EMPTY ? EMPTY : IntLines.word(PackedSlots.valueOf(word)));
      table.words().storeRelaxed(IntLines.keyAt(slot), word == EMPTY ? EMPTY : IntLines.word(key));
    }

    @Override
    public int insert(SharedLongs slots, long key, long value, int home, int size, Change change) {
      long desired = table.desired(key, value);
      int slot = home;
      long seen = EMPTY;
      boolean goesOn = slot < size;
      while (goesOn) {
        // relaxed, as all of these: a word is all there is to see
        seen = slots.loadRelaxed(IntLines.keyAt(slot));
        if (seen == EMPTY) {
          seen = slots.compareAndExchangeRelaxed(IntLines.keyAt(slot), EMPTY, desired);
        }
        boolean other = seen != EMPTY && seen != desired;
        slot += other ? 1 : 0;
        goesOn = other && slot < size;
      }
      int met = seen == EMPTY ? INSERTED : PRESENT;
      int outcome = slot < size ? met : PENDING;
      long at = IntLines.valueAt(slot);
      if (outcome == INSERTED) {
        slots.storeRelaxed(at, IntLines.word(value));
      }
      if (outcome == PRESENT && change.policy() != KEEP) {
        long there = slots.loadRelaxed(at);
        while (there == EMPTY) {
          there = slots.loadRelaxed(at);
        }
        long before = EMPTY;
        while (there != before) {
          before = there;
          long after = change.applied(IntLines.contentOf(before), value);
          there = slots.compareAndExchangeRelaxed(at, before, IntLines.word(after));
        }
      }
      return outcome;
    }
  }
}
