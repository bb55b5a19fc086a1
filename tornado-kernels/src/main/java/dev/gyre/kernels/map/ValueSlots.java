package dev.gyre.kernels.map;

import dev.gyre.atomics.Internal;

/**
 * {@link Slots} whose values are numbers, with operations on values of single keys. They are
 * linearizable, therefore all seq_cst. For the JVM.
 *
 * @since 0.1.0
 */
@Internal
public interface ValueSlots extends Slots {

  /** Returns the value of a FILLED slot. */
  long valueSeqCst(long slot);

  /** Returns the value of a slot that was seen FILLED, as it was then or is now. */
  default long valueSeqCst(long slot, long seen) {
    return valueSeqCst(slot);
  }

  /**
   * Combines the value of a slot that was seen FILLED with another by a policy; returns the old
   * value.
   */
  long updateSeqCst(long slot, long seen, long operand, int policy);

  /**
   * Replaces the value of a key that was found, or removes the key, if its value is the expected
   * one.
   *
   * @return false, without an effect, if the value is another one, the key was removed, or another
   *     thread is changing it
   */
  boolean exchangeSeqCst(long slot, long seen, long expected, long value, boolean removes);
}
