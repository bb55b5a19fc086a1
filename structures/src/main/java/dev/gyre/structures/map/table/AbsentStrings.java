package dev.gyre.structures.map.table;

import org.jspecify.annotations.Nullable;

/**
 * Which strings are not among the keys of a table, by their {@link String#hashCode}: a bit for each
 * hash, of which several have one. What is said holds as long as the table has no more keys than
 * these.
 */
final class AbsentStrings {

  /** Bits for each key, at least; at most twice as many. */
  private static final int KEY_BITS = 16;

  private static final int HASH = 0x9E37_79B9;

  /** At most this part of the heap is taken. */
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

  /** Whether there is heap for so many keys. */
  static boolean fits(long keys) {
    return keys <= MOST_KEYS;
  }

  /** The number of keys with which all strings are absent that these {@link #have}. */
  long beside() {
    return keys;
  }

  /** Whether no key has this hash. */
  boolean have(int hash) {
    int bit = spread(hash) >>> shift;
    return (bits[bit >> 6] & (1L << bit)) == 0;
  }

  /** A hash of which the upper bits are the best. */
  static int spread(int hash) {
    return hash * HASH;
  }

  /** Takes the keys. */
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

    /** The result, unless the table has other keys, too, or may have. */
    @Nullable AbsentStrings build(long taken) {
      return taken == keys ? new AbsentStrings(bits, shift, keys) : null;
    }
  }
}
