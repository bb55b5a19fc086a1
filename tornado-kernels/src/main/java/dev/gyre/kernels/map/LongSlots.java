package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;

/**
 * {@link NumberSlots} of longs.
 *
 * @since 0.1.0
 */
public interface LongSlots extends NumberSlots, LongValues, NumberTable.LongHomes {

  /** Returns the keys. */
  DeviceLongs keys();

  /** Returns the index of a slot's key in the keys. */
  long keyAt(long slot);

  long seed();

  Hash hash();

  Removal removal();

  @Override
  default boolean isRemovable() {
    return removal().isAllowed();
  }

  @Override
  default long hash(long key) {
    return hash().hash(key, seed());
  }

  @Override
  default long home(long key, long hash) {
    return homeOf(hash);
  }

  @Override
  default long plainKey(long slot) {
    return keys().get(keyAt(slot));
  }

  @Override
  default void setKey(long slot, long key) {
    keys().set(keyAt(slot), key);
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
      implements LongSlots {

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
    public long stateAt(long slot) {
      return slot;
    }

    @Override
    public long keyAt(long slot) {
      return slot;
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
      implements LongSlots {

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
