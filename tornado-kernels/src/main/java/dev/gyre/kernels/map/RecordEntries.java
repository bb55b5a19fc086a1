package dev.gyre.kernels.map;

import dev.gyre.atomics.AddressPin;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Internal;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.SpecializedCode;
import java.lang.invoke.VarHandle;

/**
 * Operations on single keys of a table of {@link RecordSlots}, for threads of the JVM; see {@link
 * SingleKeys}.
 *
 * @since 0.1.0
 */
public interface RecordEntries {

  /**
   * Looks up a key; returns its slot or, if the key is absent, the complement of the slot where its
   * insert begins, as in {@link SingleKeys.Place}.
   */
  long find(long first, long second, long third, long fourth);

  /**
   * Inserts a key, for which the caller has a reservation, if it is absent; returns the slot where
   * it was present, {@link SingleKeys#NONE} or {@link SingleKeys#STUCK}.
   *
   * @param start the slot to begin with: the complement of the result of a find in the same table
   * @param key key of four words
   * @param row value of four words
   */
  long insert(long start, long[] key, long[] row, long pollLimit);

  /**
   * Returns a kernel that does what {@link Move} does, by address, in a thread of the JVM.
   *
   * @param fresh address of the other table, which has the same seed
   * @throws UnsupportedOperationException if this table is not accessed by address
   */
  Kernel move(long fresh, long freshSlots, DeviceLongs counters, long from, long to);

  /** Result of a lookup: FOUND with its value, ABSENT or STUCK. */
  record Found(int outcome, RowParts value) {}

  /**
   * Table.
   *
   * @param states the table, as ints
   * @param table the same memory
   */
  @Internal
  record OfTable(
      DeviceInts states,
      DeviceLongs table,
      long slots,
      long seed,
      int keyWords,
      int valueWords,
      RecordHash hash,
      RecordEquality equality,
      Removal removal)
      implements RecordEntries {

    /**
     * Returns the same in specialised code, by address if there is one.
     *
     * @param address address of the first slot, which the caller keeps readable while the result is
     *     in use; or 0
     */
    public RecordEntries own(long address) {
      RecordEntries entries = address == 0 ? this : new ByAddress(this, address);
      return SpecializedCode.apart(RecordEntries.class, entries, Slots.class);
    }

    /** Returns the index of the value of a slot. */
    public long valueAt(long slot) {
      return slot * RecordSlots.stride(keyWords, valueWords) + 1 + keyWords;
    }

    /**
     * Returns the words of a value, each read separately while other threads may change them; zeros
     * without a value.
     */
    public RowParts row(long place, long at) {
      long first = 0;
      long second = 0;
      long third = 0;
      long fourth = 0;
      if (place > 0) {
        // relaxed, like the following reads: each word separately
        first = table.loadRelaxed(at);
      }
      if (place > 0 && valueWords > 1) {
        second = table.loadRelaxed(at + 1);
      }
      if (place > 0 && valueWords > 2) {
        third = table.loadRelaxed(at + 2);
      }
      if (place > 0 && valueWords > 3) {
        fourth = table.loadRelaxed(at + 3);
      }
      return new RowParts(first, second, third, fourth);
    }

    /** Returns the table for kernels that work on a batch. */
    public RecordSlots slots(Rows keys, Rows values) {
      return new RecordSlots(
          states, table, slots, seed, keyWords, valueWords, keys, values, hash, equality, removal);
    }

    @Override
    public long find(long first, long second, long third, long fourth) {
      Rows keys = new Rows.One(first, second, third, fourth);
      return SingleKeys.find(slots(keys, keys), 0).slot();
    }

    @Override
    public long insert(long start, long[] key, long[] row, long pollLimit) {
      Rows keys = new Rows.One(key[0], key[1], key[2], key[3]);
      Rows rows = new Rows.One(row[0], row[1], row[2], row[3]);
      return SingleKeys.insert(slots(keys, rows), start, 0, 0, 0, pollLimit);
    }

    @Override
    public Kernel move(long fresh, long freshSlots, DeviceLongs counters, long from, long to) {
      throw new UnsupportedOperationException("a table without an address");
    }
  }

  /**
   * Table whose slots are accessed by address, without a check of each access. The protocol is that
   * of {@link SingleKeys}, except that a publication is a release store: {@link
   * dev.gyre.kernels.map.exclusive.KeyReader} explains why that suffices.
   *
   * @param first address of the first slot
   */
  @Internal
  record ByAddress(OfTable of, long first) implements RecordEntries {

    long stride() {
      return RecordSlots.stride(of.keyWords(), of.valueWords()) * Long.BYTES;
    }

    @Override
    public long find(long first, long second, long third, long fourth) {
      KeyParts key = new KeyParts(first, second, third, fourth);
      long home = Hashing.homeOf(of.hash().hash(key, of.seed()), of.slots());
      long begin = SingleKeys.NONE;
      long slot = home;
      long found = SingleKeys.NONE;
      int state;
      do {
        long at = this.first + slot * stride();
        // seq_cst: pairs with publish in insert()
        state = AddressPin.getIntVolatile(at);
        if (MapCodes.isPresent(state) && of.equality().same(key(at), key)) {
          found = slot;
        } else if (state != MapCodes.EMPTY) {
          begin = begin == SingleKeys.NONE && state < MapCodes.FILLED ? slot : begin;
          slot = slot + 1 == of.slots() ? 0 : slot + 1;
        }
      } while (found < 0 && state != MapCodes.EMPTY && slot != home);
      long start = begin == SingleKeys.NONE ? slot : begin;
      return found < 0 ? ~start : found;
    }

    /** Returns the key of the slot at an address. */
    KeyParts key(long at) {
      int words = of.keyWords();
      return new KeyParts(
          AddressPin.getLong(at + Long.BYTES),
          words > 1 ? AddressPin.getLong(at + 2 * Long.BYTES) : 0,
          words > 2 ? AddressPin.getLong(at + 3 * Long.BYTES) : 0,
          words > 3 ? AddressPin.getLong(at + 4 * Long.BYTES) : 0);
    }

    /** Mostly, the slot is EMPTY, as the find saw it. */
    @Override
    public long insert(long start, long[] key, long[] row, long pollLimit) {
      long at = first + start * stride();
      // seq_cst, as in SingleKeys.insert
      if (!AddressPin.compareAndSet(at, MapCodes.EMPTY, MapCodes.RESERVED)) {
        // Copies, so that the arrays of the caller do not escape and HotSpot does not allocate
        // them.
        return of.insert(start, key.clone(), row.clone(), pollLimit);
      }
      write(at + Long.BYTES, of.keyWords(), key);
      write(at + (1L + of.keyWords()) * Long.BYTES, of.valueWords(), row);
      // release: publishes key and value
      VarHandle.releaseFence();
      AddressPin.setInt(at, MapCodes.FILLED);
      return SingleKeys.NONE;
    }

    /** Writes words one by one, so that the compiler needs no array. */
    private static void write(long at, int words, long[] from) {
      AddressPin.setLong(at, from[0]);
      if (words > 1) {
        AddressPin.setLong(at + Long.BYTES, from[1]);
      }
      if (words > 2) {
        AddressPin.setLong(at + 2 * Long.BYTES, from[2]);
      }
      if (words > 3) {
        AddressPin.setLong(at + 3 * Long.BYTES, from[3]);
      }
    }

    @Override
    public Kernel move(long fresh, long freshSlots, DeviceLongs counters, long from, long to) {
      return new MoveByAddress(this, fresh, freshSlots, counters, from, to);
    }
  }

  /**
   * A {@link Move} by a thread of the JVM. No thread reads the other table, so that the claim of a
   * slot also publishes it.
   *
   * @param fresh address of the first slot of the other table
   */
  @Internal
  record MoveByAddress(
      ByAddress old, long fresh, long freshSlots, DeviceLongs counters, long from, long to)
      implements Kernel {

    @Override
    public void run(int thread, LaunchShape shape) {
      long stride = old.stride();
      for (long slot = from; slot < to; slot++) {
        long at = old.first() + slot * stride;
        // HELD too: by a launch that failed, whose slots are not released yet.
        if (MapCodes.isPresent(AddressPin.getInt(at))) {
          move(at, stride);
        }
      }
    }

    private void move(long at, long stride) {
      long home = Hashing.homeOf(old.of().hash().hash(old.key(at), old.of().seed()), freshSlots);
      long slot = home;
      long there = fresh + slot * stride;
      // seq_cst, which is more than needed: the other threads only claim slots for other keys
      while (!AddressPin.compareAndSet(there, MapCodes.EMPTY, MapCodes.FILLED)) {
        slot = slot + 1 == freshSlots ? 0 : slot + 1;
        if (slot == home) {
          // relaxed: a count, which orders nothing
          long _ = counters.fetchAddRelaxed(MapCodes.STUCK, 1);
          return;
        }
        there = fresh + slot * stride;
      }
      for (long word = Long.BYTES; word < stride; word += Long.BYTES) {
        AddressPin.setLong(there + word, AddressPin.getLong(at + word));
      }
    }
  }
}
