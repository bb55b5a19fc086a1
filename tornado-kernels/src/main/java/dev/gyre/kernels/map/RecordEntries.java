package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.OwnCode;

/**
 * Single keys of a table of {@link RecordSlots}, for threads of the JVM; see {@link SingleKeys}.
 */
public interface RecordEntries {

  /** Looks for a key. */
  SingleKeys.Place find(long first, long second, long third, long fourth);

  /** Looks for the key of a slot. */
  SingleKeys.Place find(long slot);

  /**
   * Inserts a key that there is room for, unless it is there; returns the slot where it was
   * already, {@link SingleKeys#NONE} or {@link SingleKeys#STUCK}.
   *
   * @param place from a find in the same table that did not find the key
   * @param key in one array with the value, of four words each
   */
  long insert(SingleKeys.Place place, long[] key, long pollLimit);

  /**
   * The table itself.
   *
   * @param states the table, as ints
   * @param table the same memory
   */
  record OfTable(
      DeviceInts states,
      DeviceLongs table,
      long slots,
      long seed,
      int keyWords,
      int valueWords,
      RecordHash hash,
      RecordEquality equality)
      implements RecordEntries {

    /** The same in code that other tables do not run. */
    public RecordEntries own() {
      return OwnCode.apart(RecordEntries.class, this, Slots.class);
    }

    /** As kernels see it that work on a batch. */
    public RecordSlots slots(Rows keys, Rows values) {
      return new RecordSlots(
          states, table, slots, seed, keyWords, valueWords, keys, values, hash, equality);
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
