package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;

/**
 * Kernels over batches of texts. {@link NumberCode} explains the specialised code.
 *
 * @since 0.1.0
 */
public interface TextCode extends TextInserts {

  /** Returns a {@link Find}. */
  Kernel find(DeviceLongs words, BatchRange keys, int options, long pollLimit);

  /**
   * Returns a {@link Move} of slots and their text to another table.
   *
   * @param table the other table, as longs
   * @param arena its arena
   * @param bump number of words that were taken from it, in element 0
   */
  Kernel move(
      DeviceLongs table,
      DeviceLongs arena,
      DeviceLongs bump,
      DeviceLongs counters,
      long from,
      long to);

  /** Replaces the value of a key, or removes the key; see {@link ValueSlots#exchangeSeqCst}. */
  boolean exchange(long slot, long expected, long value, boolean removes);

  /** Combines a value with another by a policy; returns the old value. */
  long update(long slot, long operand, int policy);

  /**
   * Loads the home slots of keys independently of each other, so that a thread of the JVM waits for
   * many of them at once and later finds them in a cache. Returns a number that depends on all of
   * them.
   */
  long warm(DeviceLongs words, DeviceLongs places, long from, long to);
}
