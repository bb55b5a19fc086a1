package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.FETCH;
import static dev.gyre.kernels.map.MapCodes.PRESENT;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Handle;

/**
 * Slots of a key without a value, for sets of numbers. A word is an int or a long, published by one
 * compare-and-exchange. As in {@link PackedSlots}, there is no RESERVED, and no thread waits. If a
 * value is requested, it is the key.
 *
 * <p><b>Encoding.</b> A word of 0 is EMPTY. Keys are stored with inverted sign, so that the
 * smallest number would look like EMPTY. It is stored as 1 in a <em>side slot</em> after all
 * others. So every number is a key, and the table has one word more than slots. Ints are stored
 * like the lower halves of packed slots, so that a file with packed slots becomes a set in place.
 *
 * <table>
 *   <caption>Racing accesses; scope device</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>load and claim of a word</td><td>relaxed</td><td>each other</td>
 *       <td>one word contains everything; a plain access together with a claim is a race</td></tr>
 *   <tr><td>the same for a single key</td><td>seq_cst</td><td>each other</td>
 *       <td>see {@link SingleKeys}</td></tr>
 *   <tr><td>read of a word before a claim</td><td>plain</td><td>claim</td>
 *       <td>a hint: a word is read as a whole and never changes after it is set; the claim detects a stale EMPTY</td></tr>
 * </table>
 *
 * <p><b>Removal.</b> In a table from which keys can be removed, a word of -1 is REMOVED. The
 * largest number, whose stored form that is, has a second side slot, again as 1.
 *
 * <p><b>Invariant.</b> A word that is not EMPTY changes at most once, to REMOVED. A side slot
 * becomes EMPTY instead.
 *
 * <p><b>Progress.</b> Insert and find are wait-free for a table of bounded size.
 *
 * @since 0.1.0
 */
public interface KeySlots extends WordSlots {

  /** Word of a REMOVED slot. */
  long REMOVED_WORD = -1;

  /** Returns the length of the array of words of a table. */
  static long words(long slots, boolean removable) {
    return slots + (removable ? 2 : 1);
  }

  /**
   * Returns whether the turned form of a key is a reserved word, 0 or -1. Then the key is in a side
   * slot: the first one for 0, the second one for -1.
   *
   * @param spare 1 if keys can be removed, otherwise 0
   */
  static boolean isAside(long turned, long spare) {
    // -1 and 0, or only 0, by one comparison.
    return ((turned + spare) & ~spare) == 0;
  }

  private long spare() {
    return isRemovable() ? 1 : 0;
  }

  /** Returns the key of the side slot: the smallest one of its type. */
  long side();

  /** Returns the words: ints or longs. */
  Handle words();

  @Override
  default long home(long key, long hash) {
    long turned = key ^ side();
    return isAside(turned, spare()) ? slots() - turned : homeOf(hash);
  }

  @Override
  default long claimWord(long key, long value) {
    long turned = key ^ side();
    return isAside(turned, spare()) ? 1 : turned;
  }

  @Override
  default long removedWord() {
    return REMOVED_WORD;
  }

  /** There is no value to change. */
  @Override
  default int changePresent(
      long slot, long seen, long key, Numbers values, long i, Change change, long pollLimit) {
    update(slot, key, values, i, change.policy());
    return PRESENT;
  }

  @Override
  default boolean exchangeSeqCst(long slot, long seen, long expected, long value, boolean removes) {
    return !removes || replace(slot, seen, leftBy(slot)) == seen;
  }

  @Override
  default boolean matches(long slot, long seen, long key, long hash, long claimWord) {
    return seen == claimWord;
  }

  /** There is no value to change. */
  @Override
  default void update(long slot, long key, Numbers values, long i, int policy) {
    if (policy == FETCH) {
      values.set(i, key);
    }
  }

  @Override
  default long present(long slot) {
    return key(slot, load(slot));
  }

  /** There is no value to change: it is as expected. */
  @Override
  default long exchange(long slot, long key, long expected, long value) {
    return expected;
  }

  @Override
  default long value(long slot, long seen, int options) {
    return key(slot, seen);
  }

  @Override
  default long key(long slot, long seen) {
    return (slot < slots() ? seen : slots() - slot) ^ side();
  }

  @Override
  default long valueSeqCst(long slot) {
    return key(slot, loadSeqCst(slot));
  }

  @Override
  default long valueSeqCst(long slot, long seen) {
    return key(slot, seen);
  }

  /** There is no value to change. */
  @Override
  default long updateSeqCst(long slot, long seen, long operand, int policy) {
    return key(slot, seen);
  }

  /** Slots of ints, 4 bytes each. */
  record OfInts(DeviceInts words, long slots, long seed, Hash hash, Removal removal)
      implements KeySlots, IntWords, NumberTable.IntHomes {

    @Override
    public OfInts copy() {
      return new OfInts(words, slots, seed, hash, removal);
    }

    @Override
    public long replace(long slot, long expected, long word) {
      // seq_cst: also for single keys
      return words.compareAndExchangeSeqCst(slot, (int) expected, (int) word);
    }

    @Override
    public long side() {
      return Integer.MIN_VALUE;
    }
  }

  /** Slots of longs, 8 bytes each. */
  record OfLongs(DeviceLongs words, long slots, long seed, Hash hash, Removal removal)
      implements KeySlots, LongWords, NumberTable.LongHomes {

    @Override
    public OfLongs copy() {
      return new OfLongs(words, slots, seed, hash, removal);
    }

    @Override
    public long replace(long slot, long expected, long word) {
      // seq_cst: also for single keys
      return words.compareAndExchangeSeqCst(slot, expected, word);
    }

    @Override
    public long side() {
      return Long.MIN_VALUE;
    }
  }
}
