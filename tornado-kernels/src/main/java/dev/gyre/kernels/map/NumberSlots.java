package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.QUIESCENT;
import static dev.gyre.kernels.map.MapCodes.RESERVED;

/** {@link StateSlots} whose keys are numbers: {@link LongSlots} and {@link IntSlots}. */
public interface NumberSlots extends StateSlots, NumberTable {

  /** The key of a slot that nobody writes to, or where its state says so. */
  long plainKey(long slot);

  /** Writes the key of a slot that nobody else writes to. */
  void setKey(long slot, long key);

  @Override
  default boolean same(long slot, long seen, long key, long hash, long desired) {
    return plainKey(slot) == key;
  }

  @Override
  default void write(long slot, long key, long hash, long text) {
    setKey(slot, key);
  }

  /**
   * RESERVED only where a wait gave up. Where nobody inserts, a key other than 0 says that its slot
   * is FILLED, since keys of EMPTY slots are 0: then one load does for both.
   */
  @Override
  default long observe(long slot, int options, long pollLimit) {
    int state = FILLED;
    if ((options & QUIESCENT) == 0) {
      // acquire: pairs with publish
      state = states().waitWhileEqualAcquire(stateAt(slot), RESERVED, pollLimit);
    }
    if ((options & QUIESCENT) != 0 && plainKey(slot) == 0) {
      state = states().get(stateAt(slot));
    }
    return state;
  }

  @Override
  default long key(long slot, long seen) {
    return plainKey(slot);
  }

  /** A key of 0 in an EMPTY slot, by which some searches tell one. */
  @Override
  default boolean isWhole(long slot) {
    return quiet(slot) != EMPTY || plainKey(slot) == 0;
  }
}
