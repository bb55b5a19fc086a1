package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.QUIESCENT;
import static dev.gyre.kernels.map.MapCodes.RESERVED;

import dev.gyre.atomics.Handle;

/**
 * {@link StateSlots} whose keys are numbers: {@link LongSlots} and {@link IntSlots}.
 *
 * @since 0.1.0
 */
public interface NumberSlots extends StateSlots, NumberTable {

  /** Returns the keys: ints or longs. */
  Handle keys();

  /** Returns the values: ints or longs. */
  Handle values();

  /** Returns the index of a slot's key in the keys. */
  default long keyAt(long slot) {
    return slot;
  }

  @Override
  default long valueAt(long slot) {
    return slot;
  }

  @Override
  default long stateAt(long slot) {
    return slot;
  }

  @Override
  default long home(long key, long hash) {
    return homeOf(hash);
  }

  /** Returns the key of a slot by a plain read: one that no thread writes, or that is FILLED. */
  long plainKey(long slot);

  /** Writes the key of a slot that no other thread writes. */
  void setKey(long slot, long key);

  @Override
  default boolean matches(long slot, long seen, long key, long hash, long claimWord) {
    return isPresent(seen) && plainKey(slot) == key;
  }

  @Override
  default void write(long slot, long key, long hash, long text) {
    setKey(slot, key);
  }

  /**
   * Returns RESERVED only if a wait gave up. If no thread inserts and keys cannot be removed, a key
   * other than 0 implies a FILLED slot, because keys of EMPTY slots are 0. Then one load is enough.
   */
  @Override
  default long observe(long slot, int options, long pollLimit) {
    int state = FILLED;
    if ((options & QUIESCENT) == 0) {
      // acquire: pairs with publish
      state = states().waitWhileEqualAcquire(stateAt(slot), RESERVED, pollLimit);
    }
    if ((options & QUIESCENT) != 0 && (isRemovable() || plainKey(slot) == 0)) {
      state = states().get(stateAt(slot));
    }
    return state;
  }

  @Override
  default long key(long slot, long seen) {
    return plainKey(slot);
  }

  /** Checks that an EMPTY slot has a key of 0, by which some searches recognise it. */
  @Override
  default boolean isWhole(long slot) {
    return quiet(slot) != EMPTY || plainKey(slot) == 0;
  }
}
