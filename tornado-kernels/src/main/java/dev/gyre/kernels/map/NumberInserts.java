package dev.gyre.kernels.map;

import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.exclusive.ExclusiveOperations;
import java.lang.foreign.MemorySegment;
import java.util.function.BiConsumer;

/**
 * Bulk inserts into a table of numbers.
 *
 * @since 0.1.0
 */
public interface NumberInserts {

  /**
   * Returns an {@link Insert}.
   *
   * @param policy how the value of a present key changes; FOLD for the user's function of these
   *     inserts
   */
  Kernel insert(BatchRange keys, int policy, int options, long pollLimit);

  /**
   * Inserts keys by {@link ExclusiveOperations#insert}, in a thread of the JVM that owns the slots
   * up to the last, or all if that is -1.
   */
  void insertExclusive(BatchRange keys, long last, int policy, int options);

  /**
   * Inserts keys of the caller in place by {@link ExclusiveOperations#insert}, in a thread of the
   * JVM that owns all slots.
   *
   * @param keys ints or longs, as in the table, in an array or in memory
   * @param left receives the keys that are STUCK, with their values
   * @return number of keys that were inserted and, in the upper half, that are STUCK
   */
  long insertExclusive(
      MemorySegment keys,
      MemorySegment values,
      long from,
      long to,
      int policy,
      BiConsumer<Long, Long> left);

  /** Inserts with a user's function. */
  record Folding(NumberTable table, Change.Folding change) implements NumberInserts {

    @Override
    public Kernel insert(BatchRange keys, int policy, int options, long pollLimit) {
      return new Insert(table, keys, change, options, pollLimit);
    }

    @Override
    public void insertExclusive(BatchRange keys, long last, int policy, int options) {
      ExclusiveOperations.insert(table, keys, last, change, options);
    }

    @Override
    public long insertExclusive(
        MemorySegment keys,
        MemorySegment values,
        long from,
        long to,
        int policy,
        BiConsumer<Long, Long> left) {
      return ExclusiveOperations.insert(table, keys, values, from, to, change, left);
    }
  }
}
