package dev.gyre.kernels.map;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Handle;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.OwnCode;
import dev.gyre.kernels.map.owned.Owned;

/**
 * What the host does with a table of numbers: kernels over batches, and operations on single keys.
 *
 * <p>The JVM compiles a probe loop once, with one profile for all layouts that it meets. So what
 * threads of the JVM run is {@linkplain #ownOf code of its own} for each layout.
 */
public interface NumberCode {

  /** In place of a slot: the key is not in the table. After an insert: it was not, and is now. */
  long NONE = -1;

  /** In place of a slot: a wait for another thread gave up. */
  long STUCK = -2;

  /** {@link Insert}; keys and values are ints or longs at device scope. */
  Kernel insert(
      Handle keys,
      Handle values,
      Bytes outcomes,
      DeviceLongs counters,
      long from,
      long to,
      int policy,
      int options,
      long pollLimit);

  /** {@link Find}. */
  Kernel find(
      Handle keys,
      Handle values,
      Bytes outcomes,
      DeviceLongs counters,
      long from,
      long to,
      int options,
      long pollLimit);

  /**
   * {@link Owned#insert}: an insert by a thread of the JVM that owns the slots up to the last, or
   * all if that is -1.
   */
  void insertOwned(
      Handle keys,
      Handle values,
      Bytes outcomes,
      DeviceLongs counters,
      long from,
      long to,
      long last,
      int policy,
      int options);

  /** {@link Owned#find}: a find by a thread of the JVM where nobody updates. */
  void findOwned(
      Handle keys,
      Handle values,
      Bytes outcomes,
      DeviceLongs counters,
      long from,
      long to,
      int options);

  /** {@link Retrieve}. */
  Kernel retrieve(Handle outKeys, Handle outValues, DeviceLongs counters, long from, long to);

  /** The slot of a key, or {@link #NONE}. */
  long find(long key);

  /**
   * Inserts a key that there is room for, unless it is there; returns the slot where it was
   * already, {@link #NONE} or {@link #STUCK}.
   */
  long insert(long key, long value, long pollLimit);

  /** The state of a slot; where it is FILLED, its key is seen from then on. */
  int state(long slot);

  /** The key of a slot that is FILLED. */
  long key(long slot);

  /** The value of a slot that is FILLED. */
  long value(long slot);

  /** Replaces a value by what a policy makes of it and of another; returns the value before. */
  long update(long slot, long operand, int policy);

  /** Writes a value where another is expected; returns the value before. */
  long compareAndExchange(long slot, long expected, long value);

  /**
   * Whether a slot is as inserts leave one: EMPTY and nothing else, or FILLED with a key that is
   * found there. Nobody changes the table.
   */
  boolean isSound(long slot);

  /** For a table, as devices compile it. */
  static NumberCode of(Slots table) {
    return new OfSlots(table);
  }

  /** The same in code of its own, for threads of the JVM. */
  static NumberCode ownOf(Slots table) {
    return OwnCode.of(NumberCode.class, new OfSlots(table));
  }

  /** By the probe loops of this package. */
  record OfSlots(Slots table) implements NumberCode {
    @Override
    public Kernel insert(
        Handle keys,
        Handle values,
        Bytes outcomes,
        DeviceLongs counters,
        long from,
        long to,
        int policy,
        int options,
        long pollLimit) {
      Batch batch = new Batch(Numbers.of(keys), Numbers.of(values), outcomes);
      return new Insert(table, batch, counters, from, to, policy, options, pollLimit);
    }

    @Override
    public Kernel find(
        Handle keys,
        Handle values,
        Bytes outcomes,
        DeviceLongs counters,
        long from,
        long to,
        int options,
        long pollLimit) {
      Batch batch = new Batch(Numbers.of(keys), Numbers.of(values), outcomes);
      return new Find(table, batch, counters, from, to, options, pollLimit);
    }

    @Override
    public void insertOwned(
        Handle keys,
        Handle values,
        Bytes outcomes,
        DeviceLongs counters,
        long from,
        long to,
        long last,
        int policy,
        int options) {
      Batch batch = new Batch(Numbers.of(keys), Numbers.of(values), outcomes);
      Owned.insert(table, batch, counters, from, to, last, policy, options);
    }

    @Override
    public void findOwned(
        Handle keys,
        Handle values,
        Bytes outcomes,
        DeviceLongs counters,
        long from,
        long to,
        int options) {
      Batch batch = new Batch(Numbers.of(keys), Numbers.of(values), outcomes);
      Owned.find(table, batch, counters, from, to, options);
    }

    @Override
    public Kernel retrieve(
        Handle outKeys, Handle outValues, DeviceLongs counters, long from, long to) {
      return new Retrieve(
          table, Numbers.of(outKeys), Numbers.of(outValues), counters, from, to);
    }

    @Override
    public long find(long key) {
      return SingleKeys.find(table, key);
    }

    @Override
    public long insert(long key, long value, long pollLimit) {
      return SingleKeys.insert(table, key, value, 0, pollLimit);
    }

    @Override
    public int state(long slot) {
      return table.state(table.loadSeqCst(slot), table.besideSeqCst(slot));
    }

    @Override
    public long key(long slot) {
      return table.key(slot, table.loadSeqCst(slot));
    }

    @Override
    public long value(long slot) {
      return table.valueSeqCst(slot);
    }

    @Override
    public long update(long slot, long operand, int policy) {
      return table.updateSeqCst(slot, operand, policy);
    }

    @Override
    public long compareAndExchange(long slot, long expected, long value) {
      return table.compareAndExchangeSeqCst(slot, expected, value);
    }

    @Override
    public boolean isSound(long slot) {
      boolean found = state(slot) == MapCodes.FILLED && find(key(slot)) == slot;
      return table.isWhole(slot) && (state(slot) == MapCodes.EMPTY || found);
    }
  }
}
