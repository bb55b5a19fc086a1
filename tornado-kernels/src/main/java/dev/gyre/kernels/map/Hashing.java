package dev.gyre.kernels.map;

import dev.gyre.atomics.Unsigned;

/**
 * Default hashes of the map, one per key type, with the same bits on every target.
 *
 * <p>Both are bijections of the key, so that no two keys have the same hash. A seed enters before
 * and between the rounds. Without the seed it is unpredictable which keys collide. The hashes are
 * not cryptographic.
 *
 * <p>The <em>home</em> of a key is its hash scaled to the number of slots. It rises with the hash:
 * keys in hash order are in home order in a table of any size. Growth and partitioning rely on
 * that. Keys in the order of another table must not be in order here. Therefore no two maps have
 * the same seed: see {@code docs/decisions/0001-a-seed-for-each-table.md}.
 *
 * @since 0.1.0
 */
public final class Hashing {

  private Hashing() {}

  /** Default hash of longs, as a strategy. */
  public record OfLongs() implements Hash {
    @Override
    public long hash(long key, long seed) {
      return Hashing.hash(key, seed);
    }
  }

  /** Default hash of ints, as a strategy. */
  public record OfInts() implements Hash {
    @Override
    public long hash(long key, long seed) {
      return Hashing.hash((int) key, seed);
    }
  }

  /** MurmurHash3's 32-bit finalizer (Appleby), with a seed. */
  public static int hash(int key, long seed) {
    int h = key ^ (int) seed;
    h ^= Unsigned.shiftRight(h, 16);
    h *= 0x85ebca6b;
    h ^= Unsigned.shiftRight(h, 13);
    h += (int) (seed >> 32);
    h *= 0xc2b2ae35;
    h ^= Unsigned.shiftRight(h, 16);
    return h;
  }

  /** Stafford's variant 13 of MurmurHash3's 64-bit finalizer, with a seed. */
  public static long hash(long key, long seed) {
    long h = key ^ seed;
    h ^= Unsigned.shiftRight(h, 30);
    h *= 0xbf58476d1ce4e5b9L;
    h ^= Unsigned.shiftRight(h, 27);
    h += seed;
    h *= 0x94d049bb133111ebL;
    h ^= Unsigned.shiftRight(h, 31);
    return h;
  }

  /**
   * Returns the home slot of an int key.
   *
   * @param slots number of slots, at most 2^32
   */
  public static long home(int key, long seed, long slots) {
    return homeOf(hash(key, seed), slots);
  }

  /** Returns the home slot of the hash of an int key. */
  public static long homeOf(int hash, long slots) {
    return Unsigned.shiftRight(Unsigned.toLong(hash) * slots, 32);
  }

  /** Returns the home slot of a long key. */
  public static long home(long key, long seed, long slots) {
    return homeOf(hash(key, seed), slots);
  }

  /** Returns the home slot of the hash of a long key or a text. */
  static long homeOf(long hash, long slots) {
    return Unsigned.multiplyHigh(hash, slots);
  }

  /**
   * Returns the number of the hash range of an int key, of {@code 2^bits} ranges in rising order.
   */
  public static int partition(int key, long seed, int bits) {
    return partition(hash(key, seed), bits);
  }

  /**
   * Returns the number of the hash range of a long key, of {@code 2^bits} ranges in rising order.
   */
  public static int partition(long key, long seed, int bits) {
    return partition(hash(key, seed), bits);
  }

  /** Returns the number of the hash range of the hash of an int key. */
  public static int partition(int hash, int bits) {
    return Unsigned.shiftRight(hash, Integer.SIZE - bits);
  }

  /** Returns the number of the hash range of the hash of a long key. */
  public static int partition(long hash, int bits) {
    return (int) Unsigned.shiftRight(hash, Long.SIZE - bits);
  }
}
