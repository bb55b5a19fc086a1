package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.ADD;
import static dev.gyre.kernels.map.MapCodes.AND;
import static dev.gyre.kernels.map.MapCodes.ASSIGN;
import static dev.gyre.kernels.map.MapCodes.FETCH;
import static dev.gyre.kernels.map.MapCodes.MAX;
import static dev.gyre.kernels.map.MapCodes.MIN;
import static dev.gyre.kernels.map.MapCodes.OR;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.SEARCHING;
import static dev.gyre.kernels.map.MapCodes.XOR;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Unsigned;

/**
 * Slots of one 64-bit word, an int value above its int key, published by one compare-and-exchange.
 * There is no RESERVED, and no thread waits.
 *
 * <p><b>Encoding.</b> A word of 0 is EMPTY. Keys are stored with inverted sign, so that {@link
 * Integer#MIN_VALUE} would look like EMPTY. It is stored as 1 in a <em>side slot</em> after all
 * others. So every int is a key, and the table has one word more than slots.
 *
 * <table>
 *   <caption>Racing accesses; scope device</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>load, claim, assign and apply of a word</td><td>relaxed</td><td>each other</td>
 *       <td>one word contains everything; a plain access together with an update is a race</td></tr>
 *   <tr><td>the same for a single key</td><td>seq_cst</td><td>each other</td>
 *       <td>see {@link SingleKeys}</td></tr>
 *   <tr><td>read of a word before a claim</td><td>plain</td><td>claim</td>
 *       <td>a hint: a word is read as a whole and its key never changes after it is set; the claim detects a stale EMPTY</td></tr>
 * </table>
 *
 * <p><b>Invariant.</b> The key in a word never changes after it is set. Its value changes by a
 * store or an atomic operation on the whole word: sums wrap around at its upper end, and of two
 * words with one key the greater one has the greater value.
 *
 * <p><b>Progress.</b> Insert, find and apply are wait-free for a table of bounded size. A user's
 * function is applied by compare-and-exchange, which fails only if another one succeeded, and so is
 * lock-free.
 *
 * @since 0.1.0
 */
public record PackedSlots(DeviceLongs words, long slots, long seed, Hash hash, Removal removal)
    implements LongWords, NumberTable.IntHomes {

  /** Word of a REMOVED slot: its lower half is no key, and it is not EMPTY. */
  public static final long REMOVED_WORD = 1L << 32;

  /** Returns the length of the array of words of a table. */
  public static long words(long slots) {
    return slots + 1;
  }

  /** Returns the lower half of a key's word, which is never 0. */
  public static int stored(int key) {
    int turned = key ^ Integer.MIN_VALUE;
    return turned == 0 ? 1 : turned;
  }

  /** Returns the key of a stored form, except in the side slot. */
  public static int keyOf(int stored) {
    return stored ^ Integer.MIN_VALUE;
  }

  public static long word(int stored, int value) {
    return above(value) | Unsigned.toLong(stored);
  }

  private static long above(int value) {
    return (long) value << 32;
  }

  public static int storedOf(long word) {
    return (int) word;
  }

  public static int valueOf(long word) {
    return (int) (word >> 32);
  }

  @Override
  public PackedSlots copy() {
    return new PackedSlots(words, slots, seed, hash, removal);
  }

  @Override
  public long removedWord() {
    return REMOVED_WORD;
  }

  @Override
  public int changePresent(
      long slot, long seen, long key, Numbers values, long i, Change change, long pollLimit) {
    int policy = change.policy();
    int outcome = PRESENT;
    if (policy == FETCH) {
      values.set(i, valueOf(seen));
    }
    if (policy > FETCH) {
      long value = change.applied(valueOf(seen), values.get(i));
      long after = word(storedOf(seen), (int) value);
      outcome = replace(slot, seen, after) == seen ? PRESENT : SEARCHING;
    }
    return outcome;
  }

  @Override
  public boolean exchangeSeqCst(long slot, long seen, long expected, long value, boolean removes) {
    long before = word(storedOf(seen), (int) expected);
    long after = removes ? leftBy(slot) : word(storedOf(seen), (int) value);
    return words.compareAndSetSeqCst(slot, before, after);
  }

  @Override
  public long home(long key, long hash) {
    return key == Integer.MIN_VALUE ? slots : homeOf(hash);
  }

  @Override
  public long claimed(Numbers values, long i) {
    return values.get(i);
  }

  @Override
  public long claimWord(long key, long value) {
    return word(stored((int) key), (int) value);
  }

  @Override
  public boolean matches(long slot, long seen, long key, long hash, long claimWord) {
    return storedOf(seen) == storedOf(claimWord);
  }

  @Override
  public void update(long slot, long key, Numbers values, long i, int policy) {
    int stored = stored((int) key);
    int operand = (int) values.get(i);
    if (policy == FETCH) {
      values.set(i, valueOf(words.loadRelaxed(slot)));
    }
    if (policy == ASSIGN) {
      words.storeRelaxed(slot, word(stored, operand));
    }
    if (policy == ADD) {
      long _ = words.fetchAddRelaxed(slot, above(operand));
    }
    if (policy == MIN) {
      long _ = words.fetchMinRelaxed(slot, word(stored, operand));
    }
    if (policy == MAX) {
      long _ = words.fetchMaxRelaxed(slot, word(stored, operand));
    }
    if (policy == AND) {
      long _ = words.fetchAndRelaxed(slot, word(-1, operand));
    }
    if (policy == OR) {
      long _ = words.fetchOrRelaxed(slot, above(operand));
    }
    if (policy == XOR) {
      long _ = words.fetchXorRelaxed(slot, above(operand));
    }
  }

  @Override
  public long present(long slot) {
    return valueOf(words.loadRelaxed(slot));
  }

  @Override
  public long exchange(long slot, long key, long expected, long value) {
    int stored = stored((int) key);
    return valueOf(
        words.compareAndExchangeRelaxed(
            slot, word(stored, (int) expected), word(stored, (int) value)));
  }

  @Override
  public long value(long slot, long seen, int options) {
    return valueOf(seen);
  }

  @Override
  public long key(long slot, long seen) {
    return slot == slots ? Integer.MIN_VALUE : keyOf(storedOf(seen));
  }

  /** Returns {@link SingleKeys#GONE} if the key was removed after it was found. */
  @Override
  public long valueSeqCst(long slot) {
    long word = words.loadSeqCst(slot);
    return isRemovable() && storedOf(word) == 0 ? SingleKeys.GONE : valueOf(word);
  }

  @Override
  public long valueSeqCst(long slot, long seen) {
    return valueOf(seen);
  }

  @Override
  public long updateSeqCst(long slot, long seen, long operand, int policy) {
    long before = seen;
    boolean done = false;
    while (!done) {
      long result = Change.applied(valueOf(before), operand, policy);
      long after = word(storedOf(before), (int) result);
      long there = words.compareAndExchangeSeqCst(slot, before, after);
      done = there == before;
      before = there;
    }
    return valueOf(before);
  }
}
