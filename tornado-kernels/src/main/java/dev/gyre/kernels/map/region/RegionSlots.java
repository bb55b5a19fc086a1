package dev.gyre.kernels.map.region;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.KEEP;
import static dev.gyre.kernels.map.MapCodes.PENDING;
import static dev.gyre.kernels.map.MapCodes.PRESENT;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.IntLines;
import dev.gyre.kernels.map.KeySlots;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.PackedSlots;

/** A layout of slots as a block builds a region of them, in memory that it shares. */
public interface RegionSlots {

  /** Slots of ints, of which it can be computed where keys go. */
  interface OfInts extends RegionSlots {

    /** Writes a slot that nobody else writes to: a word of packed slots, or EMPTY. */
    void store(long slot, long word);

    @Override
    default Pairs.OfInts pairs(DeviceLongs words) {
      return new Pairs.OfInts(words);
    }

    @Override
    default int longsOfEntry() {
      return 1;
    }
  }

  /** The same, of which a block has all longs that the table has. */
  interface OfWords extends OfInts {

    /** The memory of the table. */
    DeviceLongs words();

    @Override
    default long read(long first, int j) {
      return words().get(first * longs() + j);
    }

    @Override
    default void write(SharedLongs slots, long first, int j) {
      // relaxed: readers may run beside this; a word is all there is to see
      words().storeRelaxed(first * longs() + j, slots.get(j));
    }
  }

  /** The table. */
  NumberTable table();

  /** Whether slots of the table may have to be waited for. */
  default boolean waits() {
    return true;
  }

  /** Longs of a slot, as a block has it. */
  int longs();

  /** Longs of a slot of the table. */
  default int tableLongs() {
    return longs();
  }

  /** Bytes of a slot of the table. */
  default int slotBytes() {
    return tableLongs() * Long.BYTES;
  }

  /** Entries that go into such slots, in these words. */
  Pairs pairs(DeviceLongs words);

  /** Longs of one of them. */
  int longsOfEntry();

  /**
   * A long of a region, as a block has it, of a table that nobody else updates.
   *
   * @param first slot of the region
   */
  long read(long first, int j);

  /** Writes a long of a region to the table. */
  void write(SharedLongs slots, long first, int j);

  /**
   * Whether the values of keys that are there are changed by {@link #change}, when all threads of
   * the block have inserted a key; else insert does it. Known when a kernel is compiled.
   */
  default boolean inRounds(Change change) {
    return false;
  }

  /**
   * Changes the value of a key that is in the region.
   *
   * @param does whether it does
   */
  default void change(
      SharedLongs slots, long key, long value, int home, Change change, boolean does) {}

  /**
   * Inserts an entry into a region; PENDING where that has no slot for it.
   *
   * @param slots the region
   * @param home slot of it where the search begins; where that is no slot of it, the key is PENDING
   * @param size number of slots
   */
  int insert(SharedLongs slots, long key, long value, int home, int size, Change change);

  /**
   * The first slot of two longs, from the home on, whose first is a word, or was EMPTY and now is;
   * the complement of one that was EMPTY, and size where there is none.
   */
  private static int claim(SharedLongs slots, long word, int home, int size) {
    int slot = home;
    long seen = EMPTY;
    boolean goesOn = slot < size;
    while (goesOn) {
      // relaxed: the word is all there is to see
      seen = slots.loadRelaxed(2L * slot);
      if (seen == EMPTY) {
        seen = slots.compareAndExchangeRelaxed(2L * slot, EMPTY, word);
      }
      boolean other = seen != EMPTY && seen != word;
      slot += other ? 1 : 0;
      goesOn = other && slot < size;
    }
    int met = seen == EMPTY ? ~slot : slot;
    return slot < size ? met : size;
  }

  /** What became of the entry. */
  private static int outcome(int met, int size) {
    int found = met < size ? PRESENT : PENDING;
    return met < 0 ? INSERTED : found;
  }

  /** {@link PackedSlots}. */
  record Packed(PackedSlots table) implements OfWords {
    @Override
    public boolean waits() {
      return false;
    }

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

  /** {@link KeySlots} of ints, of which a block has each in a long; there are no values. */
  record IntKeys(KeySlots.OfInts table) implements OfInts {
    @Override
    public boolean waits() {
      return false;
    }

    @Override
    public int longs() {
      return 1;
    }

    @Override
    public int slotBytes() {
      return Integer.BYTES;
    }

    @Override
    public long read(long first, int j) {
      return table.words().get(first + j);
    }

    @Override
    public void write(SharedLongs slots, long first, int j) {
      store(first + j, slots.get(j));
    }

    /** Keys are stored as in the lower half of such a word. */
    @Override
    public void store(long slot, long word) {
      // relaxed: readers may run beside this; a word is all there is to see
      table.words().storeRelaxed(slot, PackedSlots.storedOf(word));
    }

    @Override
    public int insert(SharedLongs slots, long key, long value, int home, int size, Change change) {
      long desired = table.desired(key, value);
      int slot = home;
      long seen = EMPTY;
      boolean goesOn = slot < size;
      while (goesOn) {
        // relaxed, as all of these: the word is all there is to see
        seen = slots.loadRelaxed(slot);
        if (seen == EMPTY) {
          seen = slots.compareAndExchangeRelaxed(slot, EMPTY, desired);
        }
        boolean other = seen != EMPTY && seen != desired;
        slot += other ? 1 : 0;
        goesOn = other && slot < size;
      }
      int met = seen == EMPTY ? INSERTED : PRESENT;
      return slot < size ? met : PENDING;
    }
  }

  /**
   * {@link IntLines}. Who finds an equal key that is being inserted, and is to change its value,
   * waits for that: the thread that claimed the slot writes it next, so that no more is needed than
   * that threads of a block which have begun go on.
   */
  record Lines(IntLines table) implements OfWords {
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
      int met = RegionSlots.claim(slots, table.desired(key, value), home, size);
      int outcome = RegionSlots.outcome(met, size);
      // relaxed, as all of these: a word is all there is to see
      long at = IntLines.valueAt(met < 0 ? ~met : met);
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

  /**
   * {@link LongSlots.Line}. A block has the key and the value of each slot, and the key says
   * whether it is taken: 0 where it is not. So there is no slot in a block for a key of 0, which is
   * PENDING, and one that is in the table stands there as TAKEN, which is what another key may be:
   * that one is PENDING, too, and nothing is written to a slot that has either.
   */
  record LongLines(LongSlots.Line table) implements RegionSlots {

    /** A key like others. */
    public static final long TAKEN = 0x6779_7265_7461_6b65L;

    @Override
    public int longs() {
      return 2;
    }

    @Override
    public int tableLongs() {
      return LongSlots.Line.SLOT_LONGS;
    }

    @Override
    public Pairs.OfLongs pairs(DeviceLongs words) {
      return new Pairs.OfLongs(words);
    }

    @Override
    public int longsOfEntry() {
      return 2;
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
      int met = RegionSlots.claim(slots, key, key == 0 || key == TAKEN ? size : home, size);
      int outcome = RegionSlots.outcome(met, size);
      if (outcome == INSERTED) {
        // relaxed: values are looked at behind a barrier
        slots.storeRelaxed(2L * ~met + 1, value);
      }
      return outcome;
    }

    @Override
    public void change(
        SharedLongs slots, long key, long value, int home, Change change, boolean does) {
      int at = 2 * home;
      long seen = does ? slots.loadRelaxed(at) : key;
      while (seen != key) {
        at += 2;
        seen = slots.loadRelaxed(at);
      }
      at++;
      long there = does ? slots.loadRelaxed(at) : 0;
      long before = does ? there - 1 : 0;
      while (there != before) {
        before = there;
        there = slots.compareAndExchangeRelaxed(at, before, change.applied(before, value));
      }
    }
  }
}
