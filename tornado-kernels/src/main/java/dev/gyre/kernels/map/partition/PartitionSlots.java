package dev.gyre.kernels.map.partition;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.KEEP;
import static dev.gyre.kernels.map.MapCodes.PENDING;
import static dev.gyre.kernels.map.MapCodes.PRESENT;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.KeySlots;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.PackedSlots;

/** How a block holds a partition of a table in shared memory. */
public interface PartitionSlots {

  /** Bits of a word that contain the key, if it also contains a value. */
  long KEY_BITS = 0xffff_ffffL;

  /** All bits of a word. */
  long ALL_BITS = -1;

  /** Returns the table. */
  NumberTable table();

  /** Returns whether threads may have to wait for slots of the table. */
  default boolean waits() {
    return false;
  }

  /** Returns the number of longs of a slot in shared memory. */
  default int longs() {
    return 1;
  }

  /** Returns the number of longs of a slot of the table. */
  default int tableLongs() {
    return longs();
  }

  /** Returns the number of longs of an entry. */
  default int entryLongs() {
    return 1;
  }

  /** Returns the entries for such slots, in some words. */
  default Pairs pairs(DeviceLongs words) {
    return new Pairs.OfInts(words);
  }

  /**
   * Reads a long of a partition from a table that nothing else updates.
   *
   * @param first first slot of the partition
   */
  long read(long first, int j);

  /** Writes a long of a partition to the table. */
  void write(SharedLongs slots, long first, int j);

  /**
   * Returns whether {@link #change} changes the values of present keys, after all threads of the
   * block have inserted a key; otherwise insert does. It is a constant of the compiled kernel.
   */
  default boolean inRounds(Change change) {
    return false;
  }

  /**
   * Changes the value of a key that is present in the partition.
   *
   * @param size number of slots
   * @param does whether to change it
   */
  default void change(
      SharedLongs slots, long key, long value, int home, int size, Change change, boolean does) {}

  /**
   * Inserts an entry into a partition; returns PENDING if the partition has no slot for it.
   *
   * @param slots the partition
   * @param home home slot; a key whose home is outside is PENDING
   * @param size number of slots
   */
  int insert(SharedLongs slots, long key, long value, int home, int size, Change change);

  /**
   * Finds or claims a slot by linear probing from the home. Returns the slot if its first long has
   * the same key bits as a word, the complement of the slot if it was EMPTY and now contains the
   * word, and {@code size} if neither happened.
   *
   * @param longs longs of a slot
   * @param keyBits bits of the word that contain the key
   */
  private static int claim(
      SharedLongs slots, int longs, long word, long keyBits, int home, int size) {
    int slot = home;
    long seen = EMPTY;
    boolean goesOn = slot < size;
    while (goesOn) {
      // relaxed: the word contains everything
      seen = slots.loadRelaxed((long) longs * slot);
      if (seen == EMPTY) {
        seen = slots.compareAndExchangeRelaxed((long) longs * slot, EMPTY, word);
      }
      boolean other = seen != EMPTY && ((seen ^ word) & keyBits) != 0;
      slot += other ? 1 : 0;
      goesOn = other && slot < size;
    }
    int met = seen == EMPTY ? ~slot : slot;
    return slot < size ? met : size;
  }

  /** Returns the outcome of an entry from the result of {@link #claim}. */
  private static int outcome(int met, int size) {
    int found = met < size ? PRESENT : PENDING;
    return met < 0 ? INSERTED : found;
  }

  /** {@link PackedSlots}. */
  record Packed(PackedSlots table) implements PartitionSlots {
    @Override
    public long read(long first, int j) {
      return table.words().get(first + j);
    }

    @Override
    public void write(SharedLongs slots, long first, int j) {
      // relaxed: readers may run concurrently; a word contains everything
      table.words().storeRelaxed(first + j, slots.get(j));
    }

    @Override
    public int insert(SharedLongs slots, long key, long value, int home, int size, Change change) {
      long claimWord = table.claimWord(key, value);
      int met = PartitionSlots.claim(slots, 1, claimWord, KEY_BITS, home, size);
      int outcome = PartitionSlots.outcome(met, size);
      if (outcome == PRESENT && change.policy() != KEEP) {
        int stored = PackedSlots.storedOf(claimWord);
        // relaxed, like the following accesses: the word contains everything
        long seen = slots.loadRelaxed(met);
        long before = EMPTY;
        while (seen != before) {
          before = seen;
          long after = change.applied(PackedSlots.valueOf(before), value);
          seen =
              slots.compareAndExchangeRelaxed(met, before, PackedSlots.word(stored, (int) after));
        }
      }
      return outcome;
    }
  }

  /**
   * Partition of {@link KeySlots} of ints, each of which is a long in shared memory; there are no
   * values.
   */
  record IntKeys(KeySlots.OfInts table) implements PartitionSlots {
    @Override
    public long read(long first, int j) {
      return table.words().get(first + j);
    }

    @Override
    public void write(SharedLongs slots, long first, int j) {
      // relaxed: readers may run concurrently; a word contains everything
      table.words().storeRelaxed(first + j, PackedSlots.storedOf(slots.get(j)));
    }

    @Override
    public int insert(SharedLongs slots, long key, long value, int home, int size, Change change) {
      long claimWord = table.claimWord(key, value);
      return PartitionSlots.outcome(
          PartitionSlots.claim(slots, 1, claimWord, ALL_BITS, home, size), size);
    }
  }

  /**
   * Partition of {@link LongSlots.Line}.
   *
   * <p>A block holds the key and the value of each slot; a key of 0 means that the slot is EMPTY.
   * So a block has no slot for a key of 0, which is PENDING. A slot of the table with the key 0 is
   * TAKEN in the block. Another key may equal that number: it is PENDING too, and nothing is
   * written to a slot with either key.
   */
  record LongLines(LongSlots.Line table) implements PartitionSlots {

    /** Arbitrary key. */
    public static final long TAKEN = 0x6779_7265_7461_6b65L;

    @Override
    public boolean waits() {
      return true;
    }

    @Override
    public int longs() {
      return 2;
    }

    @Override
    public int tableLongs() {
      return LongSlots.Line.SLOT_LONGS;
    }

    @Override
    public int entryLongs() {
      return 2;
    }

    @Override
    public Pairs pairs(DeviceLongs words) {
      return new Pairs.OfLongs(words);
    }

    @Override
    public boolean inRounds(Change change) {
      return !(change instanceof Change.None);
    }

    @Override
    public long read(long first, int j) {
      long slot = first + (j >> 1);
      long word = table.words().get(table.keyAt(slot) + (j & 1));
      boolean isEmpty = (word | (j & 1)) == 0;
      if (isEmpty) {
        word = table.states().get(table.stateAt(slot)) == FILLED ? TAKEN : EMPTY;
      }
      return word;
    }

    @Override
    public void write(SharedLongs slots, long first, int j) {
      int slot = j >> 2;
      int part = j & 3;
      long key = slots.get(2L * slot);
      long word = slots.get(2L * slot + (part >> 1));
      word = part == 0 ? FILLED : word;
      word = part == 3 ? 0 : word;
      if (key != TAKEN) {
        // relaxed: launches that touch the same memory follow each other on a device
        table.words().storeRelaxed(first * tableLongs() + j, key == 0 ? 0 : word);
      }
    }

    @Override
    public int insert(SharedLongs slots, long key, long value, int home, int size, Change change) {
      int begin = key == 0 || key == TAKEN ? size : home;
      int met = PartitionSlots.claim(slots, 2, key, ALL_BITS, begin, size);
      int outcome = PartitionSlots.outcome(met, size);
      if (outcome == INSERTED) {
        // relaxed: values are read after a barrier
        slots.storeRelaxed(2L * ~met + 1, value);
      }
      return outcome;
    }

    @Override
    public void change(
        SharedLongs slots, long key, long value, int home, int size, Change change, boolean does) {
      // The key is present: this finds its slot.
      int at = 2 * PartitionSlots.claim(slots, 2, key, ALL_BITS, does ? home : size, size) + 1;
      long there = does ? slots.loadRelaxed(at) : 0;
      long before = does ? there - 1 : 0;
      while (there != before) {
        before = there;
        there = slots.compareAndExchangeRelaxed(at, before, change.applied(before, value));
      }
    }
  }
}
