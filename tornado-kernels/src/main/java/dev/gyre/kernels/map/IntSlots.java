package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;

/**
 * {@link NumberSlots} of ints in three arrays: states, keys and values. If values are the keys, as
 * in sets, the last two are the same.
 *
 * @since 0.1.0
 */
public record IntSlots(
    DeviceInts states,
    DeviceInts keys,
    DeviceInts values,
    long slots,
    long seed,
    Hash hash,
    Removal removal)
    implements IntKeys, IntValues, NumberTable.IntHomes {

  @Override
  public IntSlots copy() {
    return new IntSlots(states, keys, values, slots, seed, hash, removal);
  }
}
