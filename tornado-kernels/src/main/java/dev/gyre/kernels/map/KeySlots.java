package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FETCH;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.QUIESCENT;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;

/**
 * Slots of a key alone, for sets of numbers: a word is an int or a long, published by one
 * compare-and-exchange. As in {@link PackedSlots}, there is no RESERVED, and nobody waits; where a
 * value is asked for, it is the key.
 *
 * <p>A word of 0 is EMPTY. Keys are stored with their sign turned over, so that the least number is
 * the one key that cannot be told from EMPTY: it lives in a <em>side slot</em> after all others,
 * with 1 for its stored form. So every number is a key, and the table has one word more than it has
 * slots. Ints are stored as the lower halves of packed slots are, so that those of a file become
 * these where they stand.
 *
 * <table>
 *   <caption>All accesses that race; scope device</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>load and claim of a word</td><td>relaxed</td><td>each other</td>
 *       <td>one word holds all there is to see; a plain access beside a claim is a race</td></tr>
 *   <tr><td>the same for a single key</td><td>seq_cst</td><td>each other</td>
 *       <td>see {@link SingleKeys}</td></tr>
 *   <tr><td>look at a word before a claim</td><td>plain</td><td>claim</td>
 *       <td>a hint: a word is read as a whole, stays once it is there, and what was EMPTY is for
 *       the claim to tell</td></tr>
 * </table>
 *
 * <p>A word never changes once it is there. Progress: insert and find are wait-free for a table of
 * bounded size.
 */
public interface KeySlots extends NumberTable {

  /** Length of the array of words of a table. */
  static long words(long slots) {
    return slots + 1;
  }

  /** The form in which a key is in its slot: never 0. */
  static long stored(long key, long side) {
    long turned = key ^ side;
    return turned == EMPTY ? 1 : turned;
  }

  /** The key that is in the side slot, if any: the least one of its type. */
  long side();

  /** Where the words are. */
  Memory memory();

  long seed();

  Hash hash();

  /** The slot where the search for a hash begins. */
  long homeOf(long hash);

  /** A word that nobody changes, or as a hint. */
  long plain(long slot);

  @Override
  default long hash(long key) {
    return hash().hash(key, seed());
  }

  @Override
  default long home(long key, long hash) {
    return key == side() ? slots() : homeOf(hash);
  }

  @Override
  default long desired(long key, long value) {
    return stored(key, side());
  }

  @Override
  default long peek(long slot) {
    // plain: a hint, which a device may have near; see above
    return plain(slot);
  }

  @Override
  default long await(long slot, long seen, long pollLimit) {
    return seen;
  }

  /** The claim has filled it. */
  @Override
  default void fill(long slot, long key, long hash, Numbers values, long i, long text) {}

  @Override
  default boolean same(long slot, long seen, long key, long hash, long desired) {
    return seen == desired;
  }

  @Override
  default boolean isFilled(long seen) {
    return seen != EMPTY;
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
  default boolean waits() {
    return false;
  }

  @Override
  default long observe(long slot, int options, long pollLimit) {
    return (options & QUIESCENT) != 0 ? plain(slot) : load(slot);
  }

  @Override
  default long value(long slot, long seen, int options) {
    return key(slot, seen);
  }

  @Override
  default long quiet(long slot) {
    return load(slot);
  }

  @Override
  default int stateOf(long seen) {
    return seen == EMPTY ? EMPTY : FILLED;
  }

  @Override
  default long key(long slot, long seen) {
    return slot == slots() ? side() : seen ^ side();
  }

  /** An EMPTY slot is a word of 0: there is nothing else in it. */
  @Override
  default boolean isWhole(long slot) {
    return true;
  }

  @Override
  default void fillSeqCst(long slot, long key, long hash, long value, long text) {}

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

  /** Of ints: 4 bytes a slot. */
  record OfInts(DeviceInts words, long slots, long seed, Hash hash) implements KeySlots {

    /** With our hash. */
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
    public long homeOf(long hash) {
      return Hashing.homeOf((int) hash, slots);
    }

    @Override
    public int part(long hash, int bits) {
      return Hashing.part((int) hash, bits);
    }

    @Override
    public long firstOf(int part, int bits) {
      return Hashing.homeOf(part << (Integer.SIZE - bits), slots);
    }

    @Override
    public long plain(long slot) {
      return words.get(slot);
    }

    @Override
    public long load(long slot) {
      // relaxed: the word is all there is to see
      return words.loadRelaxed(slot);
    }

    @Override
    public long claim(long slot, long desired) {
      // relaxed: claims and publishes at once
      return words.compareAndExchangeRelaxed(slot, EMPTY, (int) desired);
    }

    @Override
    public long loadSeqCst(long slot) {
      return words.loadSeqCst(slot);
    }

    @Override
    public long claimSeqCst(long slot, long desired) {
      // seq_cst: claims and publishes, before anything this thread looks at later
      return words.compareAndExchangeSeqCst(slot, EMPTY, (int) desired);
    }
  }

  /** Of longs: 8 bytes a slot. */
  record OfLongs(DeviceLongs words, long slots, long seed, Hash hash) implements KeySlots {

    /** With our hash. */
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

    @Override
    public long homeOf(long hash) {
      return Hashing.homeOf(hash, slots);
    }

    @Override
    public int part(long hash, int bits) {
      return Hashing.part(hash, bits);
    }

    @Override
    public long firstOf(int part, int bits) {
      return Hashing.homeOf((long) part << (Long.SIZE - bits), slots);
    }

    @Override
    public long plain(long slot) {
      return words.get(slot);
    }

    @Override
    public long load(long slot) {
      // relaxed: the word is all there is to see
      return words.loadRelaxed(slot);
    }

    @Override
    public long claim(long slot, long desired) {
      // relaxed: claims and publishes at once
      return words.compareAndExchangeRelaxed(slot, EMPTY, desired);
    }

    @Override
    public long loadSeqCst(long slot) {
      return words.loadSeqCst(slot);
    }

    @Override
    public long claimSeqCst(long slot, long desired) {
      // seq_cst: claims and publishes, before anything this thread looks at later
      return words.compareAndExchangeSeqCst(slot, EMPTY, desired);
    }
  }
}
