package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;

/** Kernels over batches of texts; as {@link NumberCode}, which explains why there are two. */
public interface TextCode extends TextInserts {

  /** {@link Find}. */
  Kernel find(DeviceLongs words, Portion keys, int options, long pollLimit);

  /**
   * {@link Move}: slots to another table, with the same arena.
   *
   * @param states the other table, as ints
   * @param table the same memory, as longs
   * @param slots how many it has
   */
  Kernel move(
      DeviceInts states, DeviceLongs table, long slots, DeviceLongs counters, long from, long to);

  /** Replaces a value by what a policy makes of it and another; returns the one before. */
  long update(long slot, long operand, int policy);

  /**
   * Reads the slots where the searches for keys begin, each apart from the others, so that a thread
   * of the JVM waits for many of them at a time, and a search then finds them in a cache; returns
   * something that depends on all.
   */
  long warm(DeviceLongs words, DeviceLongs places, long from, long to);
}
