package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.QUIESCENT;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntSpecialized;

/** {@link StateSlots} whose values are numbers of one type. */
@IntSpecialized
interface LongValues extends StateSlots, ValueSlots {

  /** Returns the values. */
  /* DeviceInts */ DeviceLongs values();

  @Override
  default void setValue(long slot, long value) {
    values().set(valueAt(slot), /* (int) */ value);
  }

  @Override
  default void update(long slot, long key, Numbers from, long i, int policy) {
    long at = valueAt(slot);
    if (policy == MapCodes.FETCH) {
      from.set(i, values().loadRelaxed(at));
    }
    combine(values(), at, /* (int) */ from.get(i), policy);
  }

  /**
   * Combines a value with another by a policy from ASSIGN to XOR, atomically; other policies change
   * nothing. Separate branches, because device compilers may mistranslate chains of conditions.
   */
  static void combine(
      /* DeviceInts */ DeviceLongs values, long at, /* int */ long operand, int policy) {
    if (policy == MapCodes.ASSIGN) {
      values.storeRelaxed(at, operand);
    }
    if (policy == MapCodes.ADD) {
      /* int */ long _ = values.fetchAddRelaxed(at, operand);
    }
    if (policy == MapCodes.MIN) {
      /* int */ long _ = values.fetchMinRelaxed(at, operand);
    }
    if (policy == MapCodes.MAX) {
      /* int */ long _ = values.fetchMaxRelaxed(at, operand);
    }
    if (policy == MapCodes.AND) {
      /* int */ long _ = values.fetchAndRelaxed(at, operand);
    }
    if (policy == MapCodes.OR) {
      /* int */ long _ = values.fetchOrRelaxed(at, operand);
    }
    if (policy == MapCodes.XOR) {
      /* int */ long _ = values.fetchXorRelaxed(at, operand);
    }
  }

  @Override
  default long present(long slot) {
    return values().loadRelaxed(valueAt(slot));
  }

  @Override
  default long exchange(long slot, long key, long expected, long value) {
    return values()
        .compareAndExchangeRelaxed(valueAt(slot), /* (int) */ expected, /* (int) */ value);
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
      case MapCodes.ADD -> values().fetchAddSeqCst(valueAt(slot), /* (int) */ operand);
      case MapCodes.MIN -> values().fetchMinSeqCst(valueAt(slot), /* (int) */ operand);
      case MapCodes.MAX -> values().fetchMaxSeqCst(valueAt(slot), /* (int) */ operand);
      case MapCodes.AND -> values().fetchAndSeqCst(valueAt(slot), /* (int) */ operand);
      case MapCodes.OR -> values().fetchOrSeqCst(valueAt(slot), /* (int) */ operand);
      case MapCodes.XOR -> values().fetchXorSeqCst(valueAt(slot), /* (int) */ operand);
      default -> values().exchangeSeqCst(valueAt(slot), /* (int) */ operand);
    };
  }

  @Override
  default boolean exchangeSeqCst(long slot, long seen, long expected, long value, boolean removes) {
    long at = valueAt(slot);
    if (!isRemovable()) {
      return values().compareAndSetSeqCst(at, /* (int) */ expected, /* (int) */ value);
    }
    boolean held = states().compareAndSetSeqCst(stateAt(slot), MapCodes.FILLED, MapCodes.HELD);
    boolean same = false;
    if (held) {
      same = values().loadSeqCst(at) == expected;
      if (same && !removes) {
        values().storeSeqCst(at, /* (int) */ value);
      }
      states().storeSeqCst(stateAt(slot), same && removes ? MapCodes.REMOVED : MapCodes.FILLED);
    }
    return same;
  }
}
