package dev.gyre.datasets.generators;

/**
 * Seeded sequence of keys. Key {@code i} depends only on the seed and {@code i}, so that any part
 * of a sequence can be generated separately, repeatedly, or by several threads.
 *
 * <pre>{@code
 * long[] keys = Keys.unique(42).longs(1_000_000);
 * }</pre>
 *
 * <p>Immutable. Every JVM generates the same keys.
 */
public abstract sealed class Keys {

  private Keys() {}

  /** Returns key {@code index} as an int. */
  public abstract int intAt(long index);

  /** Returns key {@code index} as a long. */
  public abstract long longAt(long index);

  /**
   * Returns random keys, all different, from the whole range of the type. Ints repeat after 2^32
   * keys.
   */
  public static Keys unique(long seed) {
    return new Unique(seed);
  }

  /**
   * Returns uniformly distributed keys from 0 to {@code bound} - 1, with repeats. As ints, keys
   * from 2^31 on are negative.
   *
   * @param bound 1 to 2^63 - 1; for ints at most 2^32
   */
  public static Keys uniform(long seed, long bound) {
    if (bound < 1) {
      throw new IllegalArgumentException("bound must be at least 1: " + bound);
    }
    return new Uniform(seed, bound);
  }

  /**
   * Returns random keys with Zipf distribution: the r-th most frequent key has a probability in
   * proportion to 1/r^exponent. The key of rank r is key r of {@link #unique} with the same seed.
   *
   * @param distinct number of different keys, 1 to 2^26
   * @param exponent 0 (uniform) to 100
   */
  public static Keys zipf(long seed, int distinct, double exponent) {
    return new Zipf(seed, new ZipfRanks(distinct, exponent, 0), unique(seed));
  }

  /**
   * Returns the ranks of the keys of {@link #zipf}, from 0 to {@code distinct} - 1: dense keys in
   * place of scattered ones.
   *
   * @param distinct number of different keys, 1 to 2^26
   * @param exponent 0 (uniform) to 100
   */
  public static Keys zipfRanks(long seed, int distinct, double exponent) {
    return new Zipf(seed, new ZipfRanks(distinct, exponent, 0), new Sequence());
  }

  /** Returns the first {@code count} keys as ints. */
  public int[] ints(int count) {
    int[] keys = new int[count];
    for (int i = 0; i < count; i++) {
      keys[i] = intAt(i);
    }
    return keys;
  }

  /** Returns the first {@code count} keys as longs. */
  public long[] longs(int count) {
    long[] keys = new long[count];
    for (int i = 0; i < count; i++) {
      keys[i] = longAt(i);
    }
    return keys;
  }

  private static final class Unique extends Keys {
    private final long seed;

    Unique(long seed) {
      this.seed = seed;
    }

    @Override
    public int intAt(long index) {
      // Two rounds with two halves of the seed: a bijection of the 32 low bits of the index.
      return SplitMix.mix(SplitMix.mix((int) index + (int) seed) + (int) (seed >>> 32));
    }

    @Override
    public long longAt(long index) {
      return SplitMix.at(seed, index);
    }
  }

  private static final class Sequence extends Keys {
    @Override
    public int intAt(long index) {
      return (int) index;
    }

    @Override
    public long longAt(long index) {
      return index;
    }
  }

  private static final class Uniform extends Keys {
    private final long seed;
    private final long bound;

    Uniform(long seed, long bound) {
      this.seed = seed;
      this.bound = bound;
    }

    @Override
    public int intAt(long index) {
      if (bound > 1L << 32) {
        throw new IllegalArgumentException("bound must be at most 2^32 for ints: " + bound);
      }
      return (int) longAt(index);
    }

    @Override
    public long longAt(long index) {
      return SplitMix.bounded(SplitMix.at(seed, index), bound);
    }
  }

  private static final class Zipf extends Keys {
    private final long seed;
    private final ZipfRanks ranks;
    private final Keys keyOfRank;

    Zipf(long seed, ZipfRanks ranks, Keys keyOfRank) {
      // A different sequence: otherwise ranks and keys would be correlated.
      this.seed = SplitMix.mix(~seed);
      this.ranks = ranks;
      this.keyOfRank = keyOfRank;
    }

    private int rankAt(long index) {
      return ranks.draw(SplitMix.at(seed, index));
    }

    @Override
    public int intAt(long index) {
      return keyOfRank.intAt(rankAt(index));
    }

    @Override
    public long longAt(long index) {
      return keyOfRank.longAt(rankAt(index));
    }
  }
}
