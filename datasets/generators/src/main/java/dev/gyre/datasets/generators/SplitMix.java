package dev.gyre.datasets.generators;

/**
 * Generator SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014),
 * implemented here so that every JVM generates the same numbers for a seed.
 */
final class SplitMix {

  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private long state;

  SplitMix(long seed) {
    state = seed;
  }

  /** Returns number {@code index} of the sequence of a seed; different for different indexes. */
  static long at(long seed, long index) {
    return mix(seed + (index + 1) * GOLDEN);
  }

  /** Scrambles 64 bits; a bijection. */
  static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** Scrambles 32 bits; a bijection, the finalizer of MurmurHash3. */
  static int mix(int value) {
    int z = (value ^ (value >>> 16)) * 0x85ebca6b;
    z = (z ^ (z >>> 13)) * 0xc2b2ae35;
    return z ^ (z >>> 16);
  }

  /** Maps random bits onto 0 (inclusive) to {@code bound} (exclusive). */
  static long bounded(long bits, long bound) {
    return Math.unsignedMultiplyHigh(bits, bound);
  }

  /** Maps random bits onto 0 (inclusive) to 1 (exclusive). */
  static double unit(long bits) {
    return (bits >>> 11) * 0x1.0p-53;
  }

  long nextLong() {
    state += GOLDEN;
    return mix(state);
  }

  int nextInt(int bound) {
    return (int) bounded(nextLong(), bound);
  }
}
