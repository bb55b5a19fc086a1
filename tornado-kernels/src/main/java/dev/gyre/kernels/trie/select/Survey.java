package dev.gyre.kernels.trie.select;

/**
 * Result of {@link SurveyWords}, in longs: totals, and the number of words by approximate count.
 *
 * <p>Words are counted in <em>buckets</em>: one for each count below 64, and 32 for each power of
 * two above, in the order of counts.
 */
public final class Survey {

  /** Number of nodes at the start of the survey, including the root. */
  public static final int MADE = 0;

  /** Number of distinct words. */
  public static final int DISTINCT = 1;

  /** Number of words, with repetitions. */
  public static final int TOTAL = 2;

  /** Number of chosen words. */
  public static final int CHOSEN = 3;

  /** Number of longs of their steps. */
  public static final int STEP_LONGS = 4;

  /** Number of words with too many steps. */
  public static final int TOO_LONG = 5;

  /** Index of the first bucket. */
  public static final int BUCKETS_FROM = 8;

  /** Number of buckets. */
  public static final int BUCKETS = 1 << 11;

  /** Number of longs of a survey. */
  public static final int LONGS = BUCKETS_FROM + BUCKETS;

  private static final int FINE_BITS = 5;
  private static final int FINE = 1 << FINE_BITS;

  private Survey() {}

  /** Returns the bucket of a count, which is more than 0. */
  public static int bucket(long count) {
    int coarse = 0;
    while (count >> coarse >= 2 * FINE) {
      coarse++;
    }
    return coarse * FINE + (int) (count >> coarse);
  }

  /** Returns the smallest count of a bucket. */
  public static long floor(int bucket) {
    int coarse = Math.max(0, bucket / FINE - 1);
    return (long) (bucket - coarse * FINE) << coarse;
  }
}
