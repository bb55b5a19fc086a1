package dev.gyre.kernels.map;

import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.owned.Owned;
import java.lang.foreign.MemorySegment;
import java.util.function.BiConsumer;

/** Bulk inserts into a table of numbers. */
public interface NumberInserts {

  /**
   * {@link Insert}.
   *
   * @param policy what to do with the value of a key that is present; FOLD where that is a user's
   *     function, which these inserts are made with
   */
  Kernel insert(Portion keys, int policy, int options, long pollLimit);

  /**
   * {@link Owned#insert}: an insert by a thread of the JVM that owns the slots up to the last, or
   * all if that is -1.
   */
  void insertOwned(Portion keys, long last, int policy, int options);

  /**
   * {@link Owned#insert}: an insert of keys from where the caller has them, by a thread of the JVM
   * that owns all slots.
   *
   * @param keys ints or longs, as those of the table; in an array, or in memory
   * @param left is given the keys that are STUCK, each with its value
   * @return how many were inserted and, in the upper half, how many are STUCK
   */
  long insertOwned(
      MemorySegment keys,
      MemorySegment values,
      long from,
      long to,
      int policy,
      BiConsumer<Long, Long> left);

  /** With a user's function. */
  record Folding(NumberTable table, Change.Folding change) implements NumberInserts {

    public Folding(NumberTable table, Fold fold) {
      this(table, new Change.Folding(fold));
    }

    @Override
    public Kernel insert(Portion keys, int policy, int options, long pollLimit) {
      return new Insert(
          table,
          Batch.of(keys),
          keys.counters(),
          keys.from(),
          keys.to(),
          change,
          options,
          pollLimit);
    }

    @Override
    public void insertOwned(Portion keys, long last, int policy, int options) {
      Owned.insert(
          table, Batch.of(keys), keys.counters(), keys.from(), keys.to(), last, change, options);
    }

    @Override
    public long insertOwned(
        MemorySegment keys,
        MemorySegment values,
        long from,
        long to,
        int policy,
        BiConsumer<Long, Long> left) {
      return Owned.insert(table, keys, values, from, to, change, left);
    }
  }
}
