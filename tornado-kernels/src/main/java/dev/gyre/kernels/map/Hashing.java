package dev.gyre.kernels.map;

import dev.gyre.atomics.Unsigned;

/**
 * The map's hash, one per key type, the same bits on every target.
 *
 * <p>Both are bijections of the key, so no two keys have the same hash. A seed enters before and
 * between the rounds: without it nobody can say which keys will meet. They are not cryptographic.
 *
 * <p>The <em>home</em> of a key is its hash scaled to the number of slots. It rises with the hash,
 * so that keys ordered by hash are ordered by home in a table of any size; growth and partitioning
 * rest on that. Keys in the order of another table must not be in order here, so no two maps hash
 * by one seed: see {@code docs/decisions/0001-a-seed-for-each-table.md}.
 */
public final class Hashing {

  private Hashing() {}

  /** Ours of longs, where a hash may be another one. */
  public record OfLongs() implements Hash {
    @Override
    public long hash(long key, long seed) {
      return Hashing.hash(key, seed);
    }
  }

  /** Ours of ints, where a hash may be another one. */
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
   * The slot where the search for an int key begins.
   *
   * @param slots number of slots, at most 2^32
   */
  public static long home(int key, long seed, long slots) {
    return homeOf(hash(key, seed), slots);
  }

  /** The slot where the search for the hash of an int key begins. */
  public static long homeOf(int hash, long slots) {
    return Unsigned.shiftRight(Unsigned.toLong(hash) * slots, 32);
  }

  /** The slot where the search for a long key begins. */
  public static long home(long key, long seed, long slots) {
    return homeOf(hash(key, seed), slots);
  }

  /** The slot where the search for the hash of a long key, or of a text, begins. */
  static long homeOf(long hash, long slots) {
    return Unsigned.multiplyHigh(hash, slots);
  }

  /** The part of the hashes, of {@code 2^bits} parts in rising order, that an int key is in. */
  public static int part(int key, long seed, int bits) {
    return part(hash(key, seed), bits);
  }

  /** The part of the hashes, of {@code 2^bits} parts in rising order, that a long key is in. */
  public static int part(long key, long seed, int bits) {
    return part(hash(key, seed), bits);
  }

  /** The same of the hash of an int key. */
  public static int part(int hash, int bits) {
    return Unsigned.shiftRight(hash, Integer.SIZE - bits);
  }

  /** The same of the hash of a long key. */
  public static int part(long hash, int bits) {
    return (int) Unsigned.shiftRight(hash, Long.SIZE - bits);
  }
}
