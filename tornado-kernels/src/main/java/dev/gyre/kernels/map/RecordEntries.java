package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Internal;
import dev.gyre.kernels.SpecializedCode;

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

    /** Returns the same in specialised code. */
    public RecordEntries own() {
      return SpecializedCode.apart(RecordEntries.class, this, Slots.class);
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

    /**
     * Searches as {@link SingleKeys#find} does. That would need new slots for each key, and they
     * would stay objects: it is too large to be inlined.
     */
    @Override
    public long find(long first, long second, long third, long fourth) {
      KeyParts key = new KeyParts(first, second, third, fourth);
      long stride = RecordSlots.stride(keyWords, valueWords);
      long home = Hashing.homeOf(hash.hash(key, seed), slots);
      long begin = SingleKeys.NONE;
      long slot = home;
      long found = SingleKeys.NONE;
      int state;
      do {
        // seq_cst: pairs with publish in insert()
        state = states.loadSeqCst(2 * slot * stride);
        if (state >= MapCodes.FILLED && isKey(slot * stride + 1, state, key)) {
          found = slot;
        } else if (state != MapCodes.EMPTY) {
          begin = begin == SingleKeys.NONE && state < MapCodes.FILLED ? slot : begin;
          slot = slot + 1 == slots ? 0 : slot + 1;
        }
      } while (found < 0 && state != MapCodes.EMPTY && slot != home);
      long start = begin == SingleKeys.NONE ? slot : begin;
      return found < 0 ? ~start : found;
    }

    private boolean isKey(long at, int state, KeyParts key) {
      return (!removal.isAllowed() || MapCodes.isPresent(state))
          && equality.same(Rows.parts(new Rows.InMemory(table, at, 0), 0, keyWords), key);
    }

    /** Mostly, the slot is EMPTY, as the find saw it: then no slots are made as objects. */
    @Override
    public long insert(long start, long[] key, long[] row, long pollLimit) {
      long at = start * RecordSlots.stride(keyWords, valueWords);
      // seq_cst, as in SingleKeys.insert
      if (states.compareAndSetSeqCst(2 * at, MapCodes.EMPTY, MapCodes.RESERVED)) {
        write(at + 1, keyWords, key);
        write(at + 1 + keyWords, valueWords, row);
        states.storeSeqCst(2 * at, MapCodes.FILLED);
        return SingleKeys.NONE;
      }
      Rows keys = new Rows.One(key[0], key[1], key[2], key[3]);
      Rows rows = new Rows.One(row[0], row[1], row[2], row[3]);
      return SingleKeys.insert(slots(keys, rows), start, 0, 0, 0, pollLimit);
    }

    /** Writes words one by one, so that the compiler needs no array. */
    private void write(long at, int words, long[] from) {
      table.set(at, from[0]);
      if (words > 1) {
        table.set(at + 1, from[1]);
      }
      if (words > 2) {
        table.set(at + 2, from[2]);
      }
      if (words > 3) {
        table.set(at + 3, from[3]);
      }
    }
  }
}
