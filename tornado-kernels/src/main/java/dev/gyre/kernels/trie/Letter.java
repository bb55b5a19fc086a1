package dev.gyre.kernels.trie;

/**
 * A letter as a word trie uses it: the <em>steps</em> that lead through it, packed in an int. In a
 * long, also its length in bytes. Each step leads along one or two edges, by the {@link
 * NodeLayout}.
 *
 * <table>
 *   <caption>Bits of a letter; 0 is no letter</caption>
 *   <tr><th>bits<th>what
 *   <tr><td>0 to 24<td>one to five steps, the first in the lowest bits: each {@value #STEP_BITS} bits, its number plus 1
 *   <tr><td>25 to 29<td>number of these bits that are used
 *   <tr><td>30<td>set if the letter may begin a word; a combining mark can only continue a word
 *   <tr><td>32 to 63<td>bytes of text, at least 1 even if there is no letter
 * </table>
 *
 * <p>These are device functions, which the host uses too.
 *
 * @since 0.1.0
 */
public final class Letter {

  /** Number of bits of a step. */
  public static final int STEP_BITS = 5;

  /** Largest number of steps of a letter. */
  public static final int MAX_STEPS = 5;

  private static final int STEPS = (1 << (MAX_STEPS * STEP_BITS)) - 1;
  private static final int STEP = (1 << STEP_BITS) - 1;
  private static final int TAKEN_SHIFT = MAX_STEPS * STEP_BITS;
  private static final int TAKEN = 31;
  private static final int BEGINS_SHIFT = 30;
  private static final int BEGINS = 1 << BEGINS_SHIFT;

  private Letter() {}

  /** Returns a letter of some steps, with 0 bytes. */
  static int of(int steps, int count, boolean begins) {
    return steps | (count * STEP_BITS) << TAKEN_SHIFT | (begins ? BEGINS : 0);
  }

  /** Returns the steps, the first in the lowest bits; 0 for no letter. */
  public static int steps(long letter) {
    return (int) letter & STEPS;
  }

  /** Returns the number of the first of some steps. */
  public static int step(int steps) {
    return (steps & STEP) - 1;
  }

  /** Returns the number of bits of the steps. */
  public static int bits(long letter) {
    return ((int) letter >> TAKEN_SHIFT) & TAKEN;
  }

  /** Returns whether there is a letter that may begin a word. */
  public static boolean begins(long letter) {
    return beginning(letter) != 0;
  }

  /** Returns 1 if there is a letter that may begin a word, otherwise 0. */
  static int beginning(long letter) {
    return (int) letter >> BEGINS_SHIFT;
  }

  /** Returns a number greater than 0 if there is a mark, otherwise 0. */
  static int mark(long letter) {
    int steps = (int) letter;
    return steps < BEGINS ? steps : 0;
  }

  /** Returns the bytes of text of the letter. */
  public static int bytes(long letter) {
    return (int) (letter >> Integer.SIZE);
  }
}
