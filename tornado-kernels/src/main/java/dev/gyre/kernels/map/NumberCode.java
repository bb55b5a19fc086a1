package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Handle;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.owned.Owned;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What the host does with a table of numbers: kernels over batches, and operations on single keys.
 *
 * <p>The JVM compiles a probe loop once, with one profile for all layouts that it meets. So what
 * threads of the JVM run is {@linkplain NumberTable#own code of its own} for each layout.
 */
public interface NumberCode extends NumberInserts {

  /** {@link Find}. */
  Kernel find(Portion keys, int options, long pollLimit);

  /** {@link Owned#find}: a find by a thread of the JVM where nobody updates. */
  void findOwned(Portion keys, int options);

  /**
   * {@link Owned#find}: a find of keys from where the caller has them, by a thread of the JVM where
   * nobody updates.
   *
   * @param keys ints or longs, as those of the table; in an array, or in memory
   * @param found where values go; nowhere if null
   * @return how many were found and, in the upper half, how many are STUCK
   */
  long findOwned(MemorySegment keys, @Nullable MemorySegment found, long from, long to);

  /**
   * {@link Owned#copyEntries}: the entries of some slots, by a thread of the JVM, beside updates.
   *
   * @param to the last place, or one before; a side slot is behind all others
   * @param keys ints or longs, as those of the table, with room for as many
   * @param values the same
   * @param first element for the first
   * @return how many there are
   */
  int copyEntries(long from, long to, MemorySegment keys, MemorySegment values, int first);

  /** {@link Retrieve}. */
  Kernel retrieve(Handle outKeys, Handle outValues, DeviceLongs counters, long from, long to);

  /** Looks for a key. */
  SingleKeys.Place find(long key);

  /**
   * Inserts a key that there is room for, unless it is there; returns the slot where it was
   * already, {@link SingleKeys#NONE} or {@link SingleKeys#STUCK}.
   *
   * @param place from a find in the same table that did not find the key
   */
  long insert(SingleKeys.Place place, long key, long value, long pollLimit);

  /** The state of a slot; where it is FILLED, its key is seen from then on. */
  int state(long slot);

  /** The key of a slot that is FILLED. */
  long key(long slot);

  /** The value of a slot that is FILLED. */
  long value(long slot);

  /** The value of a key that was found, as it was then or is now. */
  long value(SingleKeys.Place place);

  /**
   * Replaces the value of a key that was found by what a policy makes of it and of another; returns
   * the value before.
   */
  long update(SingleKeys.Place place, long operand, int policy);

  /** Writes a value where another is expected; returns the value before. */
  long compareAndExchange(long slot, long expected, long value);

  /**
   * Whether a slot is as inserts leave one: EMPTY and nothing else, or FILLED with a key that is
   * found there. Nobody changes the table.
   */
  boolean isSound(long slot);
}
