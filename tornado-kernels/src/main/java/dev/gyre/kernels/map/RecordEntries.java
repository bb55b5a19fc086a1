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

  /** Looks up a key. */
  SingleKeys.Place find(long first, long second, long third, long fourth);

  /** Looks up the key of a slot. */
  SingleKeys.Place find(long slot);

  /**
   * Inserts a key, for which the caller has a reservation, if it is absent; returns the slot where
   * it was present, {@link SingleKeys#NONE} or {@link SingleKeys#STUCK}.
   *
   * @param place result of a find in the same table that did not find the key
   * @param key key and value in one array, of four words each
   */
  long insert(SingleKeys.Place place, long[] key, long pollLimit);

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

    @Override
    public SingleKeys.Place find(long first, long second, long third, long fourth) {
      Rows key = new Rows.One(first, second, third, fourth);
      return SingleKeys.find(slots(key, key), 0);
    }

    @Override
    public SingleKeys.Place find(long slot) {
      long stride = RecordSlots.stride(keyWords, valueWords);
      Rows key = new Rows.InMemory(table, 1, stride);
      return SingleKeys.find(slots(key, key), slot);
    }

    @Override
    public long insert(SingleKeys.Place place, long[] entry, long pollLimit) {
      Rows key = new Rows.One(entry[0], entry[1], entry[2], entry[3]);
      Rows value = new Rows.One(entry[4], entry[5], entry[6], entry[7]);
      return SingleKeys.insert(slots(key, value), ~place.slot(), 0, 0, 0, pollLimit);
    }
  }
}
