package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Handle;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.SpecializedCode;
import dev.gyre.kernels.map.exclusive.ExclusiveOperations;
import java.lang.foreign.MemorySegment;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * {@link Slots} whose keys and values are numbers, with the operations of the host.
 *
 * @since 0.1.0
 */
public interface NumberTable extends ValueSlots, NumberCode {

  @Override
  NumberTable copy();

  /** Returns the seed of the hash. */
  long seed();

  /** Returns the hash function of keys. */
  Hash hash();

  /** Returns whether keys can be removed, as a strategy. */
  Removal removal();

  @Override
  default boolean isRemovable() {
    return removal().isAllowed();
  }

  @Override
  default long hash(long key) {
    return hash().hash(key, seed());
  }

  /** Returns whether a slot is as inserts leave it. No thread changes it. */
  default boolean isWhole(long slot) {
    return true;
  }

  /** Returns the home slot of a hash. */
  long homeOf(long hash);

  /** Returns the number of the hash range of a hash, of {@code 2^bits} ranges in rising order. */
  int partition(long hash, int bits);

  /** Returns the home slot of the first hash of a range. */
  long firstSlotOf(int partition, int bits);

  /** Returns this table in code specialised for its layout, for threads of the JVM. */
  default NumberCode own() {
    return SpecializedCode.apart(NumberCode.class, this, Slots.class);
  }

  /**
   * Returns inserts with a user's function: in specialised code for threads of the JVM, or as
   * devices compile them.
   *
   * @throws dev.gyre.kernels.KernelException if the function is not a record of handles and numbers
   */
  default NumberInserts folding(Change.Folding change, boolean onJvm) {
    NumberInserts inserts = new NumberInserts.Folding(this, change);
    return onJvm ? SpecializedCode.of(NumberInserts.class, inserts) : inserts;
  }

  @Override
  default Kernel insert(BatchRange keys, int policy, int options, long pollLimit) {
    return new Insert(this, keys, new Change.Policy(policy), options, pollLimit);
  }

  @Override
  default Kernel find(BatchRange keys, int options, long pollLimit) {
    return new Find(this, keys, options, pollLimit);
  }

  @Override
  default void insertExclusive(BatchRange keys, long last, int policy, int options) {
    ExclusiveOperations.insert(this, keys, last, new Change.Policy(policy), options);
  }

  @Override
  default void findExclusive(BatchRange keys, int options) {
    ExclusiveOperations.find(this, keys, options);
  }

  @Override
  default long insertExclusive(
      MemorySegment keys,
      MemorySegment values,
      long from,
      long to,
      int policy,
      BiConsumer<Long, Long> left) {
    return ExclusiveOperations.insert(
        this, keys, values, from, to, new Change.Policy(policy), left);
  }

  @Override
  default long findExclusive(
      MemorySegment keys, @Nullable MemorySegment found, long from, long to) {
    return ExclusiveOperations.find(this, keys, found, from, to);
  }

  @Override
  default int copyEntries(long from, long to, MemorySegment keys, MemorySegment values, int first) {
    return ExclusiveOperations.copyEntries(this, from, to, keys, values, first);
  }

  @Override
  default Kernel retrieve(
      Handle outKeys, Handle outValues, DeviceLongs counters, long from, long to) {
    return new Retrieve(this, Numbers.of(outKeys), Numbers.of(outValues), counters, from, to);
  }

  @Override
  default SingleKeys.Place find(long key) {
    return SingleKeys.find(copy(), key);
  }

  @Override
  default long insert(SingleKeys.Place place, long key, long value, long pollLimit) {
    return SingleKeys.insert(copy(), ~place.slot(), key, value, 0, pollLimit);
  }

  @Override
  default int state(long slot) {
    return stateOf(loadSeqCst(slot));
  }

  @Override
  default long key(long slot) {
    return key(slot, loadSeqCst(slot));
  }

  @Override
  default long value(long slot) {
    return valueSeqCst(slot);
  }

  @Override
  default long value(SingleKeys.Place place) {
    return valueSeqCst(place.slot(), place.seen());
  }

  @Override
  default long update(SingleKeys.Place place, long operand, int policy) {
    return updateSeqCst(place.slot(), place.seen(), operand, policy);
  }

  @Override
  default boolean exchange(SingleKeys.Place place, long expected, long value, boolean removes) {
    return exchangeSeqCst(place.slot(), place.seen(), expected, value, removes);
  }

  @Override
  default boolean isSound(long slot) {
    int state = state(slot);
    boolean found = state == MapCodes.FILLED && find(key(slot)).slot() == slot;
    return isWhole(slot) && (state == MapCodes.EMPTY || state == MapCodes.REMOVED || found);
  }

  /** Tables that hash ints. */
  interface IntHomes extends NumberTable {

    @Override
    default long homeOf(long hash) {
      return Hashing.homeOf((int) hash, slots());
    }

    @Override
    default int partition(long hash, int bits) {
      return Hashing.partition((int) hash, bits);
    }

    @Override
    default long firstSlotOf(int partition, int bits) {
      return Hashing.homeOf(partition << (Integer.SIZE - bits), slots());
    }
  }

  /** Tables that hash longs. */
  interface LongHomes extends NumberTable {

    @Override
    default long homeOf(long hash) {
      return Hashing.homeOf(hash, slots());
    }

    @Override
    default int partition(long hash, int bits) {
      return Hashing.partition(hash, bits);
    }

    @Override
    default long firstSlotOf(int partition, int bits) {
      return Hashing.homeOf((long) partition << (Long.SIZE - bits), slots());
    }
  }
}
