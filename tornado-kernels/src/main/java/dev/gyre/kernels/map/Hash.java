package dev.gyre.kernels.map;

import dev.gyre.atomics.Internal;

/**
 * The hash of numbers, a record that is compiled into the kernels, on every target.
 *
 * <pre>{@code
 * record Fibonacci() implements Hash {
 *   public long hash(long key, long seed) {
 *     return (key ^ seed) * 0x9e3779b97f4a7c15L;
 *   }
 * }
 * }</pre>
 *
 * <p>It is a device function, depends on its arguments and on the record's components alone, and
 * changes nothing. The map mixes its result once more with a seed of its own, so that all bits
 * count. If many keys have one hash, a map is slow, and no more than that. A hash that does not use
 * the seed lets an attacker choose keys that collide. Keys of maps of ints are ints.
 *
 * <p>{@link Hashing} has ours.
 */
public interface Hash extends KeyHash {
  long hash(long key, long seed);

  /**
   * A user's hash, mixed once more with the table's seed.
   *
   * <p>A user's hash may ignore the seed, and then all tables would have their keys in one order.
   * The mix gives each table an order of its own; equal hashes stay equal.
   */
  @Internal
  record Remixed(Hash hash) implements Hash {
    @Override
    public long hash(long key, long seed) {
      return Hashing.hash(hash.hash(key, seed), seed);
    }
  }

  /** A hash for maps of ints, whose slots are told by 32 bits: its upper half. */
  record UpperHalf(Hash hash) implements Hash {
    @Override
    public long hash(long key, long seed) {
      return hash.hash(key, seed) >> 32;
    }
  }
}
