package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.KEEP;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.QUIESCENT;
import static dev.gyre.kernels.map.MapCodes.RESERVED;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.DeviceLongs;

/**
 * Slots that are a line of two 64-bit words, side by side: an int key above its state, and its int
 * value above its state.
 *
 * <p>A word of 0 is EMPTY, else its lower half is FILLED. A slot is EMPTY while its key's word is,
 * RESERVED while only its value's word is, and then FILLED. The compare-and-exchange that claims a
 * slot writes the key as well, so that whoever looks for another key goes on at once; only who
 * needs the value of an equal key waits for that.
 *
 * <table>
 *   <caption>All accesses that race; scope device</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>load and claim of a key's word</td><td>relaxed</td><td>each other</td>
 *       <td>one word holds key and state; a plain access beside a claim is a race</td></tr>
 *   <tr><td>store, load, wait for and update of a value's word</td><td>relaxed</td>
 *       <td>each other</td><td>as above. The word says by itself that the value is there, so that
 *       it need not be ordered after the key's: who looks for a key sees the key first, and who
 *       goes over all slots takes one for FILLED only where both words were seen ({@link #state};
 *       IntLineWalk.BothSeen, and its twin that looks at the value alone)</td></tr>
 *   <tr><td>the same for a single key</td><td>seq_cst</td><td>each other</td>
 *       <td>see {@link SingleKeys}</td></tr>
 *   <tr><td>look at a key's word before a claim</td><td>plain</td><td>claim</td>
 *       <td>a hint: a word is read as a whole and stays once it is there, and what was EMPTY is for
 *       the claim to tell</td></tr>
 * </table>
 *
 * <p>Keys never change. Progress: a thread that has claimed a slot stores the value without waiting
 * for anybody, so a waiter needs only that a thread once started goes on (parallel forward
 * progress); a wait ends after a number of polls in any case.
 */
public record IntLines(DeviceLongs words, long slots, long seed, Hash hash) implements NumberTable {

  /** With our hash. */
  public IntLines(DeviceLongs words, long slots, long seed) {
    this(words, slots, seed, new Hashing.OfInts());
  }

  /** Length of the array of words of a table. */
  public static long words(long slots) {
    return 2 * slots;
  }

  /** Element of the words that has the key of a slot. */
  public static long keyAt(long slot) {
    return slot << 1;
  }

  /** Element of the words that has the value of a slot. */
  public static long valueAt(long slot) {
    return (slot << 1) + 1;
  }

  /** The word of a key or a value that is there. */
  public static long word(long content) {
    return above(content) + FILLED;
  }

  /** A key or value in the upper half of a word, where sums of values wrap around by themselves. */
  static long above(long content) {
    return content << 32;
  }

  public static int contentOf(long word) {
    return (int) (word >> 32);
  }

  @Override
  public IntLines copy() {
    return new IntLines(words, slots, seed, hash);
  }

  @Override
  public long hash(long key) {
    return hash.hash(key, seed);
  }

  @Override
  public long home(long key, long hash) {
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
  public long desired(long key, long value) {
    return word(key);
  }

  @Override
  public long load(long slot) {
    // relaxed: the word is all there is to see
    return words.loadRelaxed(keyAt(slot));
  }

  @Override
  public long peek(long slot) {
    // plain: a hint, which a device may have near; see above
    return words.get(keyAt(slot));
  }

  @Override
  public long claim(long slot, long desired) {
    // relaxed: the word is all there is to see
    return words.compareAndExchangeRelaxed(keyAt(slot), EMPTY, desired);
  }

  /** Nobody waits for a key. */
  @Override
  public long await(long slot, long seen, long pollLimit) {
    return seen;
  }

  @Override
  public void fill(long slot, long key, long hash, Numbers values, long i, long text) {
    // relaxed: the word is all there is to see
    words.storeRelaxed(valueAt(slot), word(values.get(i)));
  }

  @Override
  public boolean same(long slot, long seen, long key, long hash, long desired) {
    return seen == desired;
  }

  @Override
  public boolean isFilled(long seen) {
    return seen != EMPTY;
  }

  /** Waits until the value is there. */
  @Override
  public int update(long slot, long key, Numbers values, long i, int policy, long pollLimit) {
    long at = valueAt(slot);
    long seen = words.waitWhileEqualRelaxed(at, EMPTY, pollLimit);
    int outcome = seen == EMPTY ? STUCK : PRESENT;
    int change = outcome == PRESENT ? policy : KEEP;
    if (change == MapCodes.FETCH) {
      values.set(i, contentOf(seen));
    }
    if (change == MapCodes.ASSIGN) {
      words.storeRelaxed(at, word(values.get(i)));
    }
    if (change == MapCodes.ADD) {
      long _ = words.fetchAddRelaxed(at, above(values.get(i)));
    }
    if (change == MapCodes.MIN) {
      long _ = words.fetchMinRelaxed(at, word(values.get(i)));
    }
    if (change == MapCodes.MAX) {
      long _ = words.fetchMaxRelaxed(at, word(values.get(i)));
    }
    if (change == MapCodes.AND) {
      long _ = words.fetchAndRelaxed(at, word(values.get(i)));
    }
    if (change == MapCodes.OR) {
      long _ = words.fetchOrRelaxed(at, word(values.get(i)));
    }
    if (change == MapCodes.XOR) {
      long _ = words.fetchXorRelaxed(at, above(values.get(i)));
    }
    return outcome;
  }

  @Override
  public long present(long slot) {
    return contentOf(words.loadRelaxed(valueAt(slot)));
  }

  @Override
  public long exchange(long slot, long key, long expected, long value) {
    return contentOf(words.compareAndExchangeRelaxed(valueAt(slot), word(expected), word(value)));
  }

  /** Side by side, key before value, so that a device can load both at once. */
  @Override
  public Seen observe(long slot, int options, long pollLimit) {
    long key;
    long value;
    if ((options & QUIESCENT) != 0) {
      key = words.get(keyAt(slot));
      value = words.get(valueAt(slot));
    } else {
      // relaxed: a word is all there is to see
      key = words.loadRelaxed(keyAt(slot));
      value = words.loadRelaxed(valueAt(slot));
    }
    return new Seen(key, value);
  }

  @Override
  public long awaitValue(long slot, long beside, long pollLimit) {
    long value = beside;
    if (beside == EMPTY) {
      // relaxed: a word is all there is to see
      value = words.waitWhileEqualRelaxed(valueAt(slot), EMPTY, pollLimit);
    }
    return value;
  }

  @Override
  public boolean hasValue(long beside) {
    return beside != EMPTY;
  }

  @Override
  public long value(long slot, long seen, long beside, int options) {
    return contentOf(beside);
  }

  @Override
  public long quiet(long slot) {
    return words.loadRelaxed(keyAt(slot));
  }

  @Override
  public long quietBeside(long slot) {
    return words.loadRelaxed(valueAt(slot));
  }

  /**
   * FILLED where both words were seen: bulk inserts do not order the value after the key. RESERVED
   * also where the value alone was, so that a walk goes on behind it.
   */
  @Override
  public int state(long seen, long beside) {
    boolean claimed = seen != EMPTY;
    boolean there = beside != EMPTY;
    return claimed ? there ? FILLED : RESERVED : there ? RESERVED : EMPTY;
  }

  @Override
  public long key(long slot, long seen) {
    return contentOf(seen);
  }

  /** The words are both EMPTY, or both such as an insert writes. */
  @Override
  public boolean isWhole(long slot) {
    long key = words.get(keyAt(slot));
    long value = words.get(valueAt(slot));
    return key == EMPTY ? value == EMPTY : value == word(contentOf(value));
  }

  @Override
  public long loadSeqCst(long slot) {
    return words.loadSeqCst(keyAt(slot));
  }

  @Override
  public long besideSeqCst(long slot) {
    return words.loadSeqCst(valueAt(slot));
  }

  @Override
  public long claimSeqCst(long slot, long desired) {
    return words.compareAndExchangeSeqCst(keyAt(slot), EMPTY, desired);
  }

  @Override
  public void fillSeqCst(long slot, long key, long hash, long value, long text) {
    // seq_cst: the key is in the table from here on
    words.storeSeqCst(valueAt(slot), word(value));
  }

  @Override
  public long awaitValueSeqCst(long slot, long pollLimit) {
    return words.waitWhileEqualSeqCst(valueAt(slot), EMPTY, pollLimit);
  }

  @Override
  public long valueSeqCst(long slot) {
    return contentOf(words.loadSeqCst(valueAt(slot)));
  }

  @Override
  public long valueSeqCst(long slot, long seen, long beside) {
    return contentOf(beside);
  }

  @Override
  public long updateSeqCst(long slot, long seen, long operand, int policy) {
    long at = valueAt(slot);
    return contentOf(
        switch (policy) {
          case MapCodes.ADD -> words.fetchAddSeqCst(at, above(operand));
          case MapCodes.MIN -> words.fetchMinSeqCst(at, word(operand));
          case MapCodes.MAX -> words.fetchMaxSeqCst(at, word(operand));
          case MapCodes.AND -> words.fetchAndSeqCst(at, word(operand));
          case MapCodes.OR -> words.fetchOrSeqCst(at, word(operand));
          case MapCodes.XOR -> words.fetchXorSeqCst(at, above(operand));
          default -> words.exchangeSeqCst(at, word(operand));
        });
  }

  @Override
  public long compareAndExchangeSeqCst(long slot, long expected, long value) {
    return contentOf(words.compareAndExchangeSeqCst(valueAt(slot), word(expected), word(value)));
  }
}
