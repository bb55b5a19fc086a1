package dev.gyre.kernels.group;

import dev.gyre.atomics.DeviceDoubles;
import dev.gyre.atomics.SharedDoubles;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.Unsigned;

/**
 * Sums of the entries of {@link BlockOwners}, in the shared memory of a block. Device functions.
 */
public interface BlockSums {

  /** Returns the number whose order is that of the values. */
  long ordered(long value);

  void clear(int entry);

  /** Adds a value to an entry. */
  void add(int entry, long value);

  /** Adds a value to a group in global memory. */
  void addTo(GroupStates states, int group, int column, long value);

  /** Adds the sum of an entry to its group. After a barrier. */
  void flush(int entry, GroupStates states, int group, int column);

  /**
   * Exact sums of longs: 96 bits, in three arrays of ints. An addition carries into the next array,
   * whatever the order of additions.
   */
  record OfLongs(SharedInts ints, int entries) implements BlockSums {

    private static final int PARTS = 3;

    public static OfLongs of(int entries) {
      return new OfLongs(SharedInts.of(PARTS * entries), entries);
    }

    @Override
    public long ordered(long value) {
      return value;
    }

    @Override
    public void clear(int entry) {
      ints.set(entry, 0);
      ints.set(entries + entry, 0);
      ints.set(2 * entries + entry, 0);
    }

    @Override
    public void add(int entry, long value) {
      long middle = (value >> Integer.SIZE) + carry(entry, (int) value);
      if (middle != 0) {
        int upper = (int) (middle >> Integer.SIZE) + carry(entries + entry, (int) middle);
        if (upper != 0) {
          int _ = ints.fetchAddRelaxed(2 * entries + entry, upper);
        }
      }
    }

    /** Adds 32 bits; returns the carry. */
    private int carry(int at, int bits) {
      int before = ints.fetchAddRelaxed(at, bits);
      return Unsigned.lessThan(before + bits, bits) ? 1 : 0;
    }

    @Override
    public void addTo(GroupStates states, int group, int column, long value) {
      states.addSum(group, column, value);
    }

    @Override
    public void flush(int entry, GroupStates states, int group, int column) {
      long middle = Unsigned.toLong(ints.get(entries + entry));
      long upper = ints.get(2 * entries + entry);
      states.addParts(
          group, column, Unsigned.toLong(ints.get(entry)), middle + (upper << Integer.SIZE));
    }
  }

  /**
   * Sums of doubles.
   *
   * @param reals the memory of the states
   */
  record OfDoubles(SharedDoubles sums, DeviceDoubles reals) implements BlockSums {

    public static OfDoubles of(int entries, GroupStates states) {
      return new OfDoubles(SharedDoubles.of(entries), DeviceDoubles.of(states.longs().memory()));
    }

    @Override
    public long ordered(long value) {
      return Reals.ordered(Double.longBitsToDouble(value));
    }

    @Override
    public void clear(int entry) {
      sums.set(entry, 0);
    }

    @Override
    public void add(int entry, long value) {
      double _ = sums.fetchAddRelaxed(entry, Double.longBitsToDouble(value));
    }

    @Override
    public void addTo(GroupStates states, int group, int column, long value) {
      add(states, group, column, Double.longBitsToDouble(value));
    }

    @Override
    public void flush(int entry, GroupStates states, int group, int column) {
      add(states, group, column, sums.get(entry));
    }

    private void add(GroupStates states, int group, int column, double value) {
      double _ = reals.fetchAddRelaxed(states.at(group, column, GroupStates.LOW), value);
    }
  }
}
