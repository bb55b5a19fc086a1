package dev.gyre.kernels.map;

import dev.gyre.atomics.Internal;

/**
 * The hash of keys that are records: a record itself, which is compiled into the kernels, on every
 * target.
 *
 * <pre>{@code
 * record EitherWay() implements RecordHash {
 *   public long hash(KeyParts edge, long seed) {
 *     long low = Math.min(edge.first(), edge.second());
 *     long high = Math.max(edge.first(), edge.second());
 *     return Hashing.hash(Hashing.hash(low, seed) ^ high, seed);
 *   }
 * }
 * }</pre>
 *
 * <p>As a {@link Hash}, it is a device function, depends on its arguments and on the record's
 * components alone, and is mixed once more with the map's own seed. Keys that are equal have the
 * same hash.
 */
public interface RecordHash {
  long hash(KeyParts key, long seed);

  /**
   * Ours.
   *
   * @param components how many a key has
   */
  record Ours(int components) implements RecordHash {
    @Override
    public long hash(KeyParts key, long seed) {
      long hash = Hashing.hash(key.first(), seed);
      if (components > 1) {
        hash = Hashing.hash(hash ^ key.second(), seed);
      }
      if (components > 2) {
        hash = Hashing.hash(hash ^ key.third(), seed);
      }
      if (components > 3) {
        hash = Hashing.hash(hash ^ key.fourth(), seed);
      }
      return hash;
    }
  }

  /** A user's hash, mixed once more with the table's seed, as {@link Hash.Remixed}. */
  @Internal
  record Remixed(RecordHash hash) implements RecordHash {
    @Override
    public long hash(KeyParts key, long seed) {
      return Hashing.hash(hash.hash(key, seed), seed);
    }
  }

  /** The hash of keys of two ints, of which each is in a half of a long. */
  record OfPairs(RecordHash hash) implements Hash {
    @Override
    public long hash(long key, long seed) {
      return hash.hash(new KeyParts(key >> 32, (int) key, 0, 0), seed);
    }
  }

  /** The hash of keys of one long. */
  record OfSingles(RecordHash hash) implements Hash {
    @Override
    public long hash(long key, long seed) {
      return hash.hash(new KeyParts(key, 0, 0, 0), seed);
    }
  }
}
