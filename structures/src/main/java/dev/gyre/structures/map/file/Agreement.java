package dev.gyre.structures.map.file;

import java.util.List;
import java.util.function.BiPredicate;

/** Whether a user's hash and equality agree, on keys of a test. */
public final class Agreement {

  /** Two seeds: who uses none, or one, is seen with either. */
  private static final long[] SEEDS = {0, 0x9e3779b97f4a7c15L};

  /** Hashes a key. */
  @FunctionalInterface
  public interface Hashed<K> {
    long hash(K key, long seed);
  }

  private Agreement() {}

  /**
   * Refuses an equality by which a key is not itself, or one of two is the other and not the other
   * way round, and a hash by which two that are the same differ.
   *
   * @param name of the equality
   * @throws IllegalArgumentException naming the keys
   */
  public static <K> void require(
      String name, List<K> keys, BiPredicate<K, K> equality, Hashed<K> hash) {
    for (K one : keys) {
      require(equality.test(one, one), "%s is not the same as itself by %s", one, name);
      for (K other : keys) {
        boolean same = equality.test(one, other);
        require(
            same == equality.test(other, one),
            "%s and %s are the same one way round only by %s",
            one,
            other,
            name);
        for (long seed : SEEDS) {
          require(
              !same || hash.hash(one, seed) == hash.hash(other, seed),
              "%s and %s are the same key by %s, and so need the same hash",
              one,
              other,
              name);
        }
      }
    }
  }

  private static void require(boolean condition, String message, Object... keys) {
    if (!condition) {
      throw new IllegalArgumentException(message.formatted(keys));
    }
  }
}
