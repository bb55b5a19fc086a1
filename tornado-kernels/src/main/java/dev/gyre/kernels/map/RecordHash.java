package dev.gyre.kernels.map;

import dev.gyre.atomics.Internal;

/**
 * Hash of record keys: a user's record, which is compiled into the operation on every target.
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
 * <p>The rules of {@link Hash} apply. Equal keys must have the same hash.
 *
 * @since 0.1.0
 */
public interface RecordHash {
  long hash(KeyParts key, long seed);

  /**
   * Default hash.
   *
   * @param components number of components of a key
   */
  @Internal
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

  /** A user's hash, mixed once more with the table's seed; see {@link Hash.Remixed}. */
  @Internal
  record Remixed(RecordHash hash) implements RecordHash {
    @Override
    public long hash(KeyParts key, long seed) {
      return Hashing.hash(hash.hash(key, seed), seed);
    }
  }

  /** Hash of keys that are packed in a long: two ints if {@code paired}, otherwise one long. */
  @Internal
  record Packed(RecordHash hash, boolean paired) implements Hash {
    @Override
    public long hash(long key, long seed) {
      return hash.hash(KeyParts.ofPacked(key, paired), seed);
    }
  }
}
