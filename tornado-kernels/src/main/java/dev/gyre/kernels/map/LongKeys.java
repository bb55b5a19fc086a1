package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntSpecialized;

/** {@link NumberSlots} whose keys are numbers of one type. */
@IntSpecialized
interface LongKeys extends NumberSlots {

  @Override
  /* DeviceInts */ DeviceLongs keys();

  @Override
  default long plainKey(long slot) {
    return keys().get(keyAt(slot));
  }

  @Override
  default void setKey(long slot, long key) {
    keys().set(keyAt(slot), /* (int) */ key);
  }
}
