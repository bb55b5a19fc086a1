package dev.gyre.kernels.map;

import dev.gyre.atomics.Internal;

/**
 * Hash of numbers: a user's record, which is compiled into the operation on every target.
 *
 * <pre>{@code
 * record Fibonacci() implements Hash {
 *   public long hash(long key, long seed) {
 *     return (key ^ seed) * 0x9e3779b97f4a7c15L;
 *   }
 * }
 * }</pre>
 *
 * <p>It is a device function. Its result depends only on its arguments and on the components of the
 * record, and it changes nothing. The map mixes the result once more with its own seed, so that all
 * bits count. Many keys with the same hash make a map slow, and nothing else. If a hash ignores the
 * seed, an attacker can choose keys that collide. In maps of ints, keys are ints. {@link Hashing}
 * has the default hash.
 *
 * @since 0.1.0
 */
public interface Hash extends KeyHash {
  long hash(long key, long seed);

  /**
   * A user's hash, mixed once more with the table's seed.
   *
   * <p>A user's hash may ignore the seed. The mix gives each table a different order of keys; equal
   * hashes stay equal.
   */
  @Internal
  record Remixed(Hash hash) implements Hash {
    @Override
    public long hash(long key, long seed) {
      return Hashing.hash(hash.hash(key, seed), seed);
    }
  }

  /** Hash for maps of ints, which select slots by 32 bits: its upper half. */
  @Internal
  record UpperHalf(Hash hash) implements Hash {
    @Override
    public long hash(long key, long seed) {
      return hash.hash(key, seed) >> 32;
    }
  }
}
