package dev.gyre.kernels.map;

/** Which of several tables a key belongs to: that which a hash of it, scaled, is the number of. */
public interface Homes {

  int of(long key);

  /**
   * Of keys that are longs.
   *
   * @param seed of the hash
   * @param count number of tables
   */
  record OfLongs(long seed, int count) implements Homes {
    @Override
    public int of(long key) {
      return (int) Hashing.home(key, seed, count);
    }
  }

  /**
   * Of keys that are ints.
   *
   * @param seed of the hash
   * @param count number of tables
   */
  record OfInts(long seed, int count) implements Homes {
    @Override
    public int of(long key) {
      return (int) Hashing.home((int) key, seed, count);
    }
  }
}
