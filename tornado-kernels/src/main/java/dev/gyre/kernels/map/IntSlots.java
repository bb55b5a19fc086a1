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
    implements NumberSlots, IntValues, NumberTable.IntHomes {

  /** Creates slots from which no key is removed. */
  public IntSlots(
      DeviceInts states, DeviceInts keys, DeviceInts values, long slots, long seed, Hash hash) {
    this(states, keys, values, slots, seed, hash, new Removal.Refused());
  }

  /** Creates slots with the default hash. */
  public IntSlots(DeviceInts states, DeviceInts keys, DeviceInts values, long slots, long seed) {
    this(states, keys, values, slots, seed, new Hashing.OfInts());
  }

  @Override
  public IntSlots copy() {
    return new IntSlots(states, keys, values, slots, seed, hash, removal);
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
