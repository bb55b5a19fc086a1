package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;

/** {@link NumberSlots} of longs. */
public interface LongSlots extends NumberSlots, LongValues {

  /** Where the keys are. */
  DeviceLongs keys();

  /** Element of the keys that is the key of a slot. */
  long keyAt(long slot);

  long seed();

  Hash hash();

  @Override
  default long hash(long key) {
    return hash().hash(key, seed());
  }

  @Override
  default long home(long key, long hash) {
    return Hashing.homeOf(hash, slots());
  }

  @Override
  default int part(long hash, int bits) {
    return Hashing.part(hash, bits);
  }

  @Override
  default long firstOf(int part, int bits) {
    return Hashing.homeOf((long) part << (Long.SIZE - bits), slots());
  }

  @Override
  default long plainKey(long slot) {
    return keys().get(keyAt(slot));
  }

  @Override
  default void setKey(long slot, long key) {
    keys().set(keyAt(slot), key);
  }

  /** Three arrays: states, keys, values; where values are the keys, as in sets, these are one. */
  record Reference(
      DeviceInts states, DeviceLongs keys, DeviceLongs values, long slots, long seed, Hash hash)
      implements LongSlots {

    /** With our hash. */
    public Reference(
        DeviceInts states, DeviceLongs keys, DeviceLongs values, long slots, long seed) {
      this(states, keys, values, slots, seed, new Hashing.OfLongs());
    }

    @Override
    public Reference copy() {
      return new Reference(states, keys, values, slots, seed, hash);
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
   * One array of lines of four longs: state, key, value, one unused. The state is the lower half of
   * its long; the upper one is 0.
   *
   * @param states the memory, as ints
   * @param words the same memory
   */
  record Line(DeviceInts states, DeviceLongs words, long slots, long seed, Hash hash)
      implements LongSlots {

    /** Longs in a slot. */
    public static final int SLOT_LONGS = 4;

    /** With our hash. */
    public Line(DeviceInts states, DeviceLongs words, long slots, long seed) {
      this(states, words, slots, seed, new Hashing.OfLongs());
    }

    @Override
    public Line copy() {
      return new Line(states, words, slots, seed, hash);
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
