package dev.gyre.kernels.trie.select;

/**
 * What is known of the words of a trie after {@link SurveyWords}, in longs: totals, and how many
 * words have about which count.
 *
 * <p>Words are numbered by <em>buckets</em> of counts: one for each count below 64, and 32 for each
 * power of two above, in the order of the counts.
 */
public final class Survey {

  /** Nodes that there were when the survey began, with the root. */
  public static final int MADE = 0;

  /** The node below which words are asked for, itself with them; {@link #NOWHERE} for none. */
  public static final int FROM = 1;

  /** Distinct words. */
  public static final int DISTINCT = 2;

  /** Words, each as often as it was found. */
  public static final int TOTAL = 3;

  /** Words that were chosen. */
  public static final int CHOSEN = 4;

  /** Longs that their steps take. */
  public static final int STEP_LONGS = 5;

  /** Words that have more steps than are followed. */
  public static final int TOO_LONG = 6;

  /** The first bucket. */
  public static final int BUCKETS_FROM = 8;

  /** Number of buckets. */
  public static final int BUCKETS = 1 << 11;

  /** Longs of a survey. */
  public static final int LONGS = BUCKETS_FROM + BUCKETS;

  /** What is no node. */
  public static final long NOWHERE = -1;

  private static final int FINE_BITS = 5;
  private static final int FINE = 1 << FINE_BITS;

  private Survey() {}

  /** The bucket of a count, which is more than 0. */
  public static int bucket(long count) {
    int coarse = 0;
    while (count >> coarse >= 2 * FINE) {
      coarse++;
    }
    return coarse * FINE + (int) (count >> coarse);
  }

  /** The least count of a bucket. */
  public static long floor(int bucket) {
    int coarse = Math.max(0, bucket / FINE - 1);
    return (long) (bucket - coarse * FINE) << coarse;
  }
}
