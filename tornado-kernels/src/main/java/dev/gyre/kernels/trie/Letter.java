package dev.gyre.kernels.trie;

/**
 * What a letter is to a word trie: the <em>steps</em> that lead through it, packed into an int; in
 * a long, also how many bytes of text it took. Each step goes along one edge of a node or two, as a
 * {@link NodeLayout} says.
 *
 * <table>
 * <caption>Bits of a letter; 0 is no letter</caption>
 * <tr><th>bits<th>what
 * <tr><td>0 to 24<td>one to five steps, the first in the lowest bits: each {@value #STEP_BITS} bits,
 *     its number and 1
 * <tr><td>25 to 29<td>how many of those bits are taken
 * <tr><td>30<td>set where the letter may begin a word; a combining mark can only go on with one
 * <tr><td>32 to 63<td>bytes of text, at least 1 even where there is no letter
 * </table>
 *
 * <p>These are device functions as well as helpers of the host.
 */
public final class Letter {

  /** Bits of a step. */
  public static final int STEP_BITS = 5;

  /** Most steps of a letter. */
  public static final int MAX_STEPS = 5;

  private static final int STEPS = (1 << (MAX_STEPS * STEP_BITS)) - 1;
  private static final int STEP = (1 << STEP_BITS) - 1;
  private static final int TAKEN_SHIFT = MAX_STEPS * STEP_BITS;
  private static final int TAKEN = 31;
  private static final int BEGINS_SHIFT = 30;
  private static final int BEGINS = 1 << BEGINS_SHIFT;

  private Letter() {}

  /** A letter of no bytes yet, of steps side by side. */
  static int of(int steps, int count, boolean begins) {
    return steps | (count * STEP_BITS) << TAKEN_SHIFT | (begins ? BEGINS : 0);
  }

  /** The steps, the first in the lowest bits; 0 for no letter. */
  public static int steps(long letter) {
    return (int) letter & STEPS;
  }

  /** The number of the first of some steps. */
  public static int step(int steps) {
    return (steps & STEP) - 1;
  }

  /** Bits that the steps take. */
  public static int bits(long letter) {
    return ((int) letter >> TAKEN_SHIFT) & TAKEN;
  }

  /** Whether there is a letter, and it may begin a word. */
  public static boolean begins(long letter) {
    return beginning(letter) != 0;
  }

  /** 1 where there is a letter that may begin a word, else 0. */
  static int beginning(long letter) {
    return (int) letter >> BEGINS_SHIFT;
  }

  /** More than 0 where there is a mark; else 0. */
  static int mark(long letter) {
    int steps = (int) letter;
    return steps < BEGINS ? steps : 0;
  }

  /** Bytes of text that the letter took. */
  public static int bytes(long letter) {
    return (int) (letter >> Integer.SIZE);
  }
}
