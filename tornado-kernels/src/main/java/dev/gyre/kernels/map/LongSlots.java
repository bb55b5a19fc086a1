package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;

/**
 * {@link NumberSlots} whose keys are hashed as longs.
 *
 * @since 0.1.0
 */
public interface LongSlots extends NumberSlots, NumberTable.LongHomes {

  /** Slots with keys of 8 bytes. */
  interface Keys extends LongSlots {
    @Override
    DeviceLongs keys();

    @Override
    default long plainKey(long slot) {
      return keys().get(keyAt(slot));
    }

    @Override
    default void setKey(long slot, long key) {
      keys().set(keyAt(slot), key);
    }
  }

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
      implements Keys, LongValues {

    /** Creates slots from which no key is removed. */
    public Reference(
        DeviceInts states, DeviceLongs keys, DeviceLongs values, long slots, long seed, Hash hash) {
      this(states, keys, values, slots, seed, hash, new Removal.Refused());
    }

    /** Creates slots with the default hash. */
    public Reference(
        DeviceInts states, DeviceLongs keys, DeviceLongs values, long slots, long seed) {
      this(states, keys, values, slots, seed, new Hashing.OfLongs());
    }

    @Override
    public Reference copy() {
      return new Reference(states, keys, values, slots, seed, hash, removal);
    }

    @Override
    public long valueAt(long slot) {
      return slot;
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
      implements LongSlots, LongValues {

    @Override
    public IntKeyed copy() {
      return new IntKeyed(states, keys, values, slots, seed, hash, removal);
    }

    @Override
    public long valueAt(long slot) {
      return slot;
    }

    @Override
    public long plainKey(long slot) {
      return keys.get(slot);
    }

    @Override
    public void setKey(long slot, long key) {
      keys.set(slot, (int) key);
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
      implements Keys, IntValues {

    @Override
    public IntValued copy() {
      return new IntValued(states, keys, values, slots, seed, hash, removal);
    }

    @Override
    public long valueAt(long slot) {
      return slot;
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
      implements Keys, LongValues {

    /** Number of longs of a slot. */
    public static final int SLOT_LONGS = 4;

    /** Creates slots from which no key is removed. */
    public Line(DeviceInts states, DeviceLongs words, long slots, long seed, Hash hash) {
      this(states, words, slots, seed, hash, new Removal.Refused());
    }

    /** Creates slots with the default hash. */
    public Line(DeviceInts states, DeviceLongs words, long slots, long seed) {
      this(states, words, slots, seed, new Hashing.OfLongs());
    }

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
