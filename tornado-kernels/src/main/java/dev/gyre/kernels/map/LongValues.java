package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.QUIESCENT;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntSpecialized;

/** {@link StateSlots} whose values are numbers of one type. */
@IntSpecialized
interface LongValues extends StateSlots {

  /** Returns the values. */
  /* DeviceInts */ DeviceLongs values();

  /** Returns the index of a slot's value in the values. */
  long valueAt(long slot);

  @Override
  default void setValue(long slot, long value) {
    values().set(valueAt(slot), /* (int) */ value);
  }

  /** Separate branches, because device compilers may mistranslate chains of conditions. */
  @Override
  default void update(long slot, long key, Numbers from, long i, int policy) {
    long at = valueAt(slot);
    if (policy == MapCodes.FETCH) {
      from.set(i, values().loadRelaxed(at));
    }
    if (policy == MapCodes.ASSIGN) {
      values().storeRelaxed(at, /* (int) */ from.get(i));
    }
    if (policy == MapCodes.ADD) {
      /* int */ long _ = values().fetchAddRelaxed(at, /* (int) */ from.get(i));
    }
    if (policy == MapCodes.MIN) {
      /* int */ long _ = values().fetchMinRelaxed(at, /* (int) */ from.get(i));
    }
    if (policy == MapCodes.MAX) {
      /* int */ long _ = values().fetchMaxRelaxed(at, /* (int) */ from.get(i));
    }
    if (policy == MapCodes.AND) {
      /* int */ long _ = values().fetchAndRelaxed(at, /* (int) */ from.get(i));
    }
    if (policy == MapCodes.OR) {
      /* int */ long _ = values().fetchOrRelaxed(at, /* (int) */ from.get(i));
    }
    if (policy == MapCodes.XOR) {
      /* int */ long _ = values().fetchXorRelaxed(at, /* (int) */ from.get(i));
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
  default long compareAndExchangeSeqCst(long slot, long expected, long value) {
    return values()
        .compareAndExchangeSeqCst(valueAt(slot), /* (int) */ expected, /* (int) */ value);
  }
}
