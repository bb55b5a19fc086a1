package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;

/**
 * {@link NumberSlots} whose keys are hashed as longs.
 *
 * @since 0.1.0
 */
public interface LongSlots extends NumberSlots, NumberTable.LongHomes {

  /**
   * Three arrays: states, keys and values. If values are the keys, as in sets, the last two are the
   * same.
   */
  record Reference(
      DeviceInts states,
      DeviceLongs keys,
      DeviceLongs values,
      long slots,
      long seed,
      Hash hash,
      Removal removal)
      implements LongSlots, LongKeys, LongValues {

    @Override
    public Reference copy() {
      return new Reference(states, keys, values, slots, seed, hash, removal);
    }
  }

  /** Three arrays as {@link Reference}, with keys that are ints. */
  record IntKeyed(
      DeviceInts states,
      DeviceInts keys,
      DeviceLongs values,
      long slots,
      long seed,
      Hash hash,
      Removal removal)
      implements LongSlots, IntKeys, LongValues {

    @Override
    public IntKeyed copy() {
      return new IntKeyed(states, keys, values, slots, seed, hash, removal);
    }
  }

  /** Three arrays as {@link Reference}, with values that are ints. */
  record IntValued(
      DeviceInts states,
      DeviceLongs keys,
      DeviceInts values,
      long slots,
      long seed,
      Hash hash,
      Removal removal)
      implements LongSlots, LongKeys, IntValues {

    @Override
    public IntValued copy() {
      return new IntValued(states, keys, values, slots, seed, hash, removal);
    }
  }

  /**
   * One array of lines of four longs: state, key, value, and one unused. The state is the lower
   * half of its long; the upper half is 0.
   *
   * @param states the memory, as ints
   * @param words the same memory
   */
  record Line(
      DeviceInts states, DeviceLongs words, long slots, long seed, Hash hash, Removal removal)
      implements LongSlots, LongKeys, LongValues {

    /** Number of longs of a slot. */
    public static final int SLOT_LONGS = 4;

    @Override
    public Line copy() {
      return new Line(states, words, slots, seed, hash, removal);
    }

    @Override
    public DeviceLongs keys() {
      return words;
    }

    @Override
    public DeviceLongs values() {
      return words;
    }

    @Override
    public long stateAt(long slot) {
      return slot << 3;
    }

    @Override
    public long keyAt(long slot) {
      return (slot << 2) + 1;
    }

    @Override
    public long valueAt(long slot) {
      return (slot << 2) + 2;
    }
  }
}
