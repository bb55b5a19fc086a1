package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.QUIESCENT;

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
    implements NumberSlots, NumberTable.IntHomes {

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
  public boolean isRemovable() {
    return removal.isAllowed();
  }

  @Override
  public long hash(long key) {
    return hash.hash(key, seed);
  }

  @Override
  public long home(long key, long hash) {
    return homeOf(hash);
  }

  @Override
  public long stateAt(long slot) {
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

  @Override
  public void setValue(long slot, long value) {
    values.set(slot, (int) value);
  }

  /** Separate branches, because device compilers may mistranslate chains of conditions. */
  @Override
  public void update(long slot, long key, Numbers from, long i, int policy) {
    if (policy == MapCodes.FETCH) {
      from.set(i, values.loadRelaxed(slot));
    }
    if (policy == MapCodes.ASSIGN) {
      values.storeRelaxed(slot, (int) from.get(i));
    }
    if (policy == MapCodes.ADD) {
      int _ = values.fetchAddRelaxed(slot, (int) from.get(i));
    }
    if (policy == MapCodes.MIN) {
      int _ = values.fetchMinRelaxed(slot, (int) from.get(i));
    }
    if (policy == MapCodes.MAX) {
      int _ = values.fetchMaxRelaxed(slot, (int) from.get(i));
    }
    if (policy == MapCodes.AND) {
      int _ = values.fetchAndRelaxed(slot, (int) from.get(i));
    }
    if (policy == MapCodes.OR) {
      int _ = values.fetchOrRelaxed(slot, (int) from.get(i));
    }
    if (policy == MapCodes.XOR) {
      int _ = values.fetchXorRelaxed(slot, (int) from.get(i));
    }
  }

  @Override
  public long present(long slot) {
    return values.loadRelaxed(slot);
  }

  @Override
  public long exchange(long slot, long key, long expected, long value) {
    return values.compareAndExchangeRelaxed(slot, (int) expected, (int) value);
  }

  @Override
  public long value(long slot, long seen, int options) {
    return (options & QUIESCENT) != 0 ? values.get(slot) : values.loadRelaxed(slot);
  }

  @Override
  public long valueSeqCst(long slot) {
    return values.loadSeqCst(slot);
  }

  @Override
  public long updateSeqCst(long slot, long seen, long operand, int policy) {
    return switch (policy) {
      case MapCodes.ADD -> values.fetchAddSeqCst(slot, (int) operand);
      case MapCodes.MIN -> values.fetchMinSeqCst(slot, (int) operand);
      case MapCodes.MAX -> values.fetchMaxSeqCst(slot, (int) operand);
      case MapCodes.AND -> values.fetchAndSeqCst(slot, (int) operand);
      case MapCodes.OR -> values.fetchOrSeqCst(slot, (int) operand);
      case MapCodes.XOR -> values.fetchXorSeqCst(slot, (int) operand);
      default -> values.exchangeSeqCst(slot, (int) operand);
    };
  }

  @Override
  public long compareAndExchangeSeqCst(long slot, long expected, long value) {
    return values.compareAndExchangeSeqCst(slot, (int) expected, (int) value);
  }
}
