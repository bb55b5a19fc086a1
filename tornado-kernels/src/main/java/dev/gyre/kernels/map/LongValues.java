package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.QUIESCENT;

import dev.gyre.atomics.DeviceLongs;

/** {@link StateSlots} whose values are longs. */
interface LongValues extends StateSlots {

  /** Returns the values. */
  DeviceLongs values();

  /** Returns the index of a slot's value in the values. */
  long valueAt(long slot);

  @Override
  default void setValue(long slot, long value) {
    values().set(valueAt(slot), value);
  }

  /** Separate branches, because device compilers may mistranslate chains of conditions. */
  @Override
  default void update(long slot, long key, Numbers from, long i, int policy) {
    long at = valueAt(slot);
    if (policy == MapCodes.FETCH) {
      from.set(i, values().loadRelaxed(at));
    }
    if (policy == MapCodes.ASSIGN) {
      values().storeRelaxed(at, from.get(i));
    }
    if (policy == MapCodes.ADD) {
      long _ = values().fetchAddRelaxed(at, from.get(i));
    }
    if (policy == MapCodes.MIN) {
      long _ = values().fetchMinRelaxed(at, from.get(i));
    }
    if (policy == MapCodes.MAX) {
      long _ = values().fetchMaxRelaxed(at, from.get(i));
    }
    if (policy == MapCodes.AND) {
      long _ = values().fetchAndRelaxed(at, from.get(i));
    }
    if (policy == MapCodes.OR) {
      long _ = values().fetchOrRelaxed(at, from.get(i));
    }
    if (policy == MapCodes.XOR) {
      long _ = values().fetchXorRelaxed(at, from.get(i));
    }
  }

  @Override
  default long present(long slot) {
    return values().loadRelaxed(valueAt(slot));
  }

  @Override
  default long exchange(long slot, long key, long expected, long value) {
    return values().compareAndExchangeRelaxed(valueAt(slot), expected, value);
  }

  @Override
  default long value(long slot, long seen, int options) {
    return (options & QUIESCENT) != 0
        ? values().get(valueAt(slot))
        : values().loadRelaxed(valueAt(slot));
  }

  @Override
  default long valueSeqCst(long slot) {
    return values().loadSeqCst(valueAt(slot));
  }

  @Override
  default long updateSeqCst(long slot, long seen, long operand, int policy) {
    return switch (policy) {
      case MapCodes.ADD -> values().fetchAddSeqCst(valueAt(slot), operand);
      case MapCodes.MIN -> values().fetchMinSeqCst(valueAt(slot), operand);
      case MapCodes.MAX -> values().fetchMaxSeqCst(valueAt(slot), operand);
      case MapCodes.AND -> values().fetchAndSeqCst(valueAt(slot), operand);
      case MapCodes.OR -> values().fetchOrSeqCst(valueAt(slot), operand);
      case MapCodes.XOR -> values().fetchXorSeqCst(valueAt(slot), operand);
      default -> values().exchangeSeqCst(valueAt(slot), operand);
    };
  }

  @Override
  default long compareAndExchangeSeqCst(long slot, long expected, long value) {
    return values().compareAndExchangeSeqCst(valueAt(slot), expected, value);
  }
}
