package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Handle;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.exclusive.ExclusiveOperations;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Operations of the host on a table of numbers: kernels over batches, and single keys.
 *
 * <p>The JVM compiles a probe loop once, with one profile for all layouts that it meets. Therefore
 * threads of the JVM run {@linkplain NumberTable#own specialised code} for each layout.
 *
 * @since 0.1.0
 */
public interface NumberCode extends NumberInserts {

  /** Returns a {@link Find}. */
  Kernel find(BatchRange keys, int options, long pollLimit);

  /**
   * Looks up keys by {@link ExclusiveOperations#find}, in a thread of the JVM while no thread
   * updates.
   */
  void findExclusive(BatchRange keys, int options);

  /**
   * Looks up keys of the caller in place by {@link ExclusiveOperations#find}, in a thread of the
   * JVM while no thread updates.
   *
   * @param keys ints or longs, as in the table, in an array or in memory
   * @param found destination of values, or null
   * @return number of keys that were found and, in the upper half, that are STUCK
   */
  long findExclusive(MemorySegment keys, @Nullable MemorySegment found, long from, long to);

  /**
   * Copies the entries of some slots by {@link ExclusiveOperations#copyEntries}, in a thread of the
   * JVM, while other threads update.
   *
   * @param to index after the last slot; a side slot is after all others
   * @param keys ints or longs, as in the table, with enough elements
   * @param values the same
   * @param first index of the first element to write
   * @return number of entries
   */
  int copyEntries(long from, long to, MemorySegment keys, MemorySegment values, int first);

  /** Returns a {@link Retrieve}. */
  Kernel retrieve(Handle outKeys, Handle outValues, DeviceLongs counters, long from, long to);

  /** Looks up a key. */
  SingleKeys.Place find(long key);

  /**
   * Inserts a key, for which the caller has a reservation, if it is absent; returns the slot where
   * it was present, {@link SingleKeys#NONE} or {@link SingleKeys#STUCK}.
   *
   * @param place result of a find in the same table that did not find the key
   */
  long insert(SingleKeys.Place place, long key, long value, long pollLimit);

  /** Returns the state of a slot. If it is FILLED, its key is visible from then on. */
  int state(long slot);

  /** Returns the key of a FILLED slot. */
  long key(long slot);

  /** Returns the value of a FILLED slot; an int may be {@link SingleKeys#GONE}. */
  long value(long slot);

  /** Returns the value of a key that was found, as it was then or is now. */
  long value(SingleKeys.Place place);

  /** Combines the value of a key that was found with another by a policy; returns the old value. */
  long update(SingleKeys.Place place, long operand, int policy);

  /**
   * Replaces the value of a key that was found, or removes it; see {@link
   * ValueSlots#exchangeSeqCst}.
   */
  boolean exchange(SingleKeys.Place place, long expected, long value, boolean removes);

  /**
   * Returns whether a slot is as inserts leave it: EMPTY without content, or FILLED with a key that
   * is found there. No thread changes the table.
   */
  boolean isSound(long slot);
}
