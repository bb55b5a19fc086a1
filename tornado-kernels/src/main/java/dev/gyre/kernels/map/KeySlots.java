package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FETCH;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;

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
 * <p><b>Invariant.</b> A word that is not EMPTY never changes.
 *
 * <p><b>Progress.</b> Insert and find are wait-free for a table of bounded size.
 *
 * @since 0.1.0
 */
public interface KeySlots extends WordSlots {

  /** Returns the length of the array of words of a table. */
  static long words(long slots) {
    return slots + 1;
  }

  /** Returns the stored form of a key, which is never 0. */
  static long stored(long key, long side) {
    long turned = key ^ side;
    return turned == EMPTY ? 1 : turned;
  }

  /** Returns the key of the side slot: the smallest one of its type. */
  long side();

  /** Returns the memory of the words. */
  Memory memory();

  @Override
  default long home(long key, long hash) {
    return key == side() ? slots() : homeOf(hash);
  }

  @Override
  default long claimWord(long key, long value) {
    return stored(key, side());
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
    return slot == slots() ? side() : seen ^ side();
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

  /** There is no value to change: it is as expected. */
  @Override
  default long compareAndExchangeSeqCst(long slot, long expected, long value) {
    return expected;
  }

  /** Slots of ints, 4 bytes each. */
  record OfInts(DeviceInts words, long slots, long seed, Hash hash)
      implements KeySlots, NumberTable.IntHomes {

    /** Creates slots with the default hash. */
    public OfInts(DeviceInts words, long slots, long seed) {
      this(words, slots, seed, new Hashing.OfInts());
    }

    @Override
    public OfInts copy() {
      return new OfInts(words, slots, seed, hash);
    }

    @Override
    public long side() {
      return Integer.MIN_VALUE;
    }

    @Override
    public Memory memory() {
      return words.memory();
    }

    @Override
    public long plain(long slot) {
      return words.get(slot);
    }

    @Override
    public long load(long slot) {
      // relaxed: the word contains everything
      return words.loadRelaxed(slot);
    }

    @Override
    public long claim(long slot, long claimWord) {
      // relaxed: claims and publishes at once
      return words.compareAndExchangeRelaxed(slot, EMPTY, (int) claimWord);
    }

    @Override
    public long loadSeqCst(long slot) {
      return words.loadSeqCst(slot);
    }

    @Override
    public long claimSeqCst(long slot, long claimWord) {
      // seq_cst: claims and publishes, before all later reads of this thread
      return words.compareAndExchangeSeqCst(slot, EMPTY, (int) claimWord);
    }
  }

  /** Slots of longs, 8 bytes each. */
  record OfLongs(DeviceLongs words, long slots, long seed, Hash hash)
      implements KeySlots, WordSlots.Longs, NumberTable.LongHomes {

    /** Creates slots with the default hash. */
    public OfLongs(DeviceLongs words, long slots, long seed) {
      this(words, slots, seed, new Hashing.OfLongs());
    }

    @Override
    public OfLongs copy() {
      return new OfLongs(words, slots, seed, hash);
    }

    @Override
    public long side() {
      return Long.MIN_VALUE;
    }

    @Override
    public Memory memory() {
      return words.memory();
    }
  }
}
