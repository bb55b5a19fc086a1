package dev.gyre.datasets.generators;

/**
 * Zipf-Mandelbrot distribution: rank r, counted from 1, has a probability in proportion to
 * 1/(r+q)^s.
 *
 * <p>It draws ranks by the alias method (Walker 1977, in Vose's form of 1991), with two look-ups
 * for any number of ranks. Immutable.
 */
final class ZipfRanks {

  /** Largest number of ranks, 12 bytes each. */
  static final int MAX_RANKS = 1 << 26;

  private final double[] keep;
  private final int[] alias;

  ZipfRanks(int ranks, double exponent, double offset) {
    if (ranks < 1 || ranks > MAX_RANKS) {
      throw new IllegalArgumentException("ranks must be 1 to " + MAX_RANKS + ": " + ranks);
    }
    if (!(exponent >= 0 && exponent <= 100)) {
      throw new IllegalArgumentException("exponent must be 0 to 100: " + exponent);
    }
    if (!(offset >= 0 && offset <= 1e9)) {
      throw new IllegalArgumentException("offset must be 0 to 1e9: " + offset);
    }
    keep = weights(ranks, exponent, offset);
    alias = new int[ranks];
    pair();
  }

  /** Returns the probabilities times the number of ranks, so that their mean is 1. */
  private static double[] weights(int ranks, double exponent, double offset) {
    double[] weights = new double[ranks];
    double sum = 0;
    for (int rank = 0; rank < ranks; rank++) {
      // StrictMath: Math.pow may differ in the last bit from one JVM to the next.
      weights[rank] = StrictMath.pow((rank + 1 + offset) / (1 + offset), -exponent);
      sum += weights[rank];
    }
    for (int rank = 0; rank < ranks; rank++) {
      weights[rank] *= ranks / sum;
    }
    return weights;
  }

  /** Fills up each light rank with the surplus of a heavy one. */
  private void pair() {
    int ranks = keep.length;
    int[] stack = new int[ranks];
    int light = 0;
    int heavy = ranks;
    for (int rank = 0; rank < ranks; rank++) {
      alias[rank] = rank;
      if (keep[rank] < 1) {
        stack[light++] = rank;
      } else {
        stack[--heavy] = rank;
      }
    }
    while (light > 0 && heavy < ranks) {
      int small = stack[--light];
      int large = stack[heavy];
      alias[small] = large;
      keep[large] -= 1 - keep[small];
      if (keep[large] < 1) {
        heavy++;
        stack[light++] = large;
      }
    }
    // The rest differs from 1 by rounding only.
    while (light > 0) {
      keep[stack[--light]] = 1;
    }
  }

  /** Returns the rank, from 0, for 64 random bits. */
  int draw(long bits) {
    int rank = (int) SplitMix.bounded(bits, keep.length);
    double fraction = SplitMix.unit(SplitMix.mix(bits));
    return fraction < keep[rank] ? rank : alias[rank];
  }
}
