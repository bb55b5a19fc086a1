package dev.gyre.datasets.generators;

import java.util.function.LongToIntFunction;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;

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
public final class Keys {

  private final LongToIntFunction ints;
  private final LongUnaryOperator longs;

  private Keys(LongToIntFunction ints, LongUnaryOperator longs) {
    this.ints = ints;
    this.longs = longs;
  }

  /** Returns key {@code index} as an int. */
  public int intAt(long index) {
    return ints.applyAsInt(index);
  }

  /** Returns key {@code index} as a long. */
  public long longAt(long index) {
    return longs.applyAsLong(index);
  }

  /**
   * Returns random keys, all different, from the whole range of the type. Ints repeat after 2^32
   * keys.
   */
  public static Keys unique(long seed) {
    return new Keys(
        // Two rounds with two halves of the seed: a bijection of the 32 low bits of the index.
        index -> SplitMix.mix(SplitMix.mix((int) index + (int) seed) + (int) (seed >>> 32)),
        index -> SplitMix.at(seed, index));
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
    LongUnaryOperator longs = index -> SplitMix.bounded(SplitMix.at(seed, index), bound);
    return new Keys(
        index -> {
          if (bound > 1L << 32) {
            throw new IllegalArgumentException("bound must be at most 2^32 for ints: " + bound);
          }
          return (int) longs.applyAsLong(index);
        },
        longs);
  }

  /**
   * Returns random keys with Zipf distribution: the r-th most frequent key has a probability in
   * proportion to 1/r^exponent. The key of rank r is key r of {@link #unique} with the same seed.
   *
   * @param distinct number of different keys, 1 to 2^26
   * @param exponent 0 (uniform) to 100
   */
  public static Keys zipf(long seed, int distinct, double exponent) {
    Keys ranks = zipfRanks(seed, distinct, exponent);
    Keys keys = unique(seed);
    return new Keys(
        index -> keys.intAt(ranks.longAt(index)), index -> keys.longAt(ranks.longAt(index)));
  }

  /**
   * Returns the ranks of the keys of {@link #zipf}, from 0 to {@code distinct} - 1: dense keys in
   * place of scattered ones.
   *
   * @param distinct number of different keys, 1 to 2^26
   * @param exponent 0 (uniform) to 100
   */
  public static Keys zipfRanks(long seed, int distinct, double exponent) {
    ZipfRanks ranks = new ZipfRanks(distinct, exponent, 0);
    // A different sequence: otherwise ranks and keys would be correlated.
    long seedOfRanks = SplitMix.mix(~seed);
    LongToIntFunction ints = index -> ranks.draw(SplitMix.at(seedOfRanks, index));
    return new Keys(ints, ints::applyAsInt);
  }

  /** Returns the first {@code count} keys as ints. */
  public int[] ints(int count) {
    return IntStream.range(0, count).map(this::intAt).toArray();
  }

  /** Returns the first {@code count} keys as longs. */
  public long[] longs(int count) {
    return IntStream.range(0, count).mapToLong(this::longAt).toArray();
  }
}
