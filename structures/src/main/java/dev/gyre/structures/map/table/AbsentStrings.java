package dev.gyre.structures.map.table;

import org.jspecify.annotations.Nullable;

/**
 * Set of hashes without a key, by {@link String#hashCode}: a bit per hash, which several hashes
 * share. It is valid while the table has no more keys.
 */
final class AbsentStrings {

  /** Smallest number of bits per key; at most twice as many are used. */
  private static final int KEY_BITS = 16;

  private static final int HASH = 0x9E37_79B9;

  /** Share of the heap that it may take, as a divisor. */
  private static final int HEAP_SHARE = 32;

  private static final long MOST_KEYS =
      Math.min(
          Runtime.getRuntime().maxMemory() / HEAP_SHARE * Byte.SIZE / (2 * KEY_BITS),
          Integer.MAX_VALUE / (2 * KEY_BITS));

  private final long[] bits;
  private final int shift;
  private final long keys;

  private AbsentStrings(long[] bits, int shift, long keys) {
    this.bits = bits;
    this.shift = shift;
    this.keys = keys;
  }

  /** Returns whether the heap suffices for a number of keys. */
  static boolean fits(long keys) {
    return keys <= MOST_KEYS;
  }

  /** Returns the number of keys for which this set is valid. */
  long validKeys() {
    return keys;
  }

  /** Returns whether no key has this hash. */
  boolean have(int hash) {
    int bit = spread(hash) >>> shift;
    return (bits[bit >> 6] & (1L << bit)) == 0;
  }

  /** Returns a hash whose upper bits are well distributed. */
  static int spread(int hash) {
    return hash * HASH;
  }

  /** Builder of the set. */
  static final class Builder {
    private final long[] bits;
    private final int shift;
    private long keys;

    Builder(long expected) {
      int log = Long.SIZE - Long.numberOfLeadingZeros(Math.max(expected * KEY_BITS, Long.SIZE) - 1);
      bits = new long[1 << (log - 6)];
      shift = Integer.SIZE - log;
    }

    /** Adds a key by its hash as a string. */
    void add(int hash) {
      int bit = spread(hash) >>> shift;
      bits[bit >> 6] |= 1L << bit;
      keys++;
    }

    /** Returns the set, or null if the table has or may have other keys. */
    @Nullable AbsentStrings build(long taken) {
      return taken == keys ? new AbsentStrings(bits, shift, keys) : null;
    }
  }
}
