package dev.gyre.kernels.map;

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
 * changes nothing. Keys are spread over the slots by the upper bits of their hash; where many have
 * the same there, a map is slow, and no more than that. A hash that does not use the seed lets
 * anybody choose keys that collide. Keys of maps of ints are ints.
 *
 * <p>{@link Hashing} has ours.
 */
public interface Hash extends KeyHash {
  long hash(long key, long seed);

  /** A hash for maps of ints, whose slots are told by 32 bits: its upper half. */
  record UpperHalf(Hash hash) implements Hash {
    @Override
    public long hash(long key, long seed) {
      return hash.hash(key, seed) >> 32;
    }
  }
}
