package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.QUIESCENT;
import static dev.gyre.kernels.map.MapCodes.RESERVED;

import dev.gyre.atomics.DeviceInts;

/** {@link StateSlots} whose keys are numbers: the reference and the line layout. */
public interface NumberSlots extends StateSlots, NumberTable {

  /** Where the keys are. */
  Numbers keys();

  /** Element of the keys that is the key of a slot. */
  long keyAt(long slot);

  long seed();

  @Override
  default long hash(long key) {
    return keys().hash(key, seed());
  }

  @Override
  default long home(long key, long hash) {
    return keys().home(hash, slots());
  }

  @Override
  default boolean same(long slot, long seen, long key, long hash) {
    return keys().get(keyAt(slot)) == key;
  }

  @Override
  default void write(long slot, long key, long hash, long text) {
    keys().set(keyAt(slot), key);
  }

  /**
   * RESERVED only where a wait gave up. Where nobody inserts, a key other than 0 says that its slot
   * is FILLED, since keys of EMPTY slots are 0: then one load does for both.
   */
  @Override
  default Seen observe(long slot, int options, long pollLimit) {
    int state = FILLED;
    if ((options & QUIESCENT) == 0) {
      // acquire: pairs with publish
      state = states().waitWhileEqualAcquire(stateAt(slot), RESERVED, pollLimit);
    }
    if ((options & QUIESCENT) != 0 && keys().get(keyAt(slot)) == 0) {
      state = states().get(stateAt(slot));
    }
    return new Seen(state, 0);
  }

  @Override
  default long key(long slot, long seen) {
    return keys().get(keyAt(slot));
  }

  /** A key of 0 in an EMPTY slot, by which some searches tell one. */
  @Override
  default boolean isWhole(long slot) {
    return quiet(slot) != EMPTY || keys().get(keyAt(slot)) == 0;
  }

  /** Three arrays: states, keys, values. */
  record Reference(DeviceInts states, Numbers keys, Numbers values, long slots, long seed)
      implements NumberSlots {

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
   * One array of lines of four longs: state, key, value, one unused. For ints see {@link IntLines}.
   *
   * @param states the memory, as ints
   * @param words the same memory
   */
  record Line(DeviceInts states, Numbers.Longs words, long slots, long seed)
      implements NumberSlots {

    /** Longs in a slot. */
    public static final int SLOT_LONGS = 4;

    @Override
    public Numbers keys() {
      return words;
    }

    @Override
    public Numbers values() {
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
