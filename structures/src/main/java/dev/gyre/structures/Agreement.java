package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.ToLongBiFunction;

/**
 * Checks with test keys whether a user's hash and equality agree. For the packages of this module.
 */
@Internal
public final class Agreement {

  private static final long FIRST = 0;
  private static final long SECOND = 0x9e3779b97f4a7c15L;

  private Agreement() {}

  /**
   * Throws if the equality is not reflexive or not symmetric on the test keys, or the hashes of two
   * equal keys differ.
   *
   * @param name name of the equality
   * @throws IllegalArgumentException with the keys
   */
  public static <K> void require(
      String name, List<K> keys, BiPredicate<K, K> equality, ToLongBiFunction<K, Long> hash) {
    for (K one : keys) {
      if (!equality.test(one, one)) {
        throw refused(name, one, one, "are not the same key");
      }
      for (K other : keys) {
        boolean same = equality.test(one, other);
        if (same != equality.test(other, one)) {
          throw refused(name, one, other, "are the same key one way round only");
        }
        if (same && !isOneHash(one, other, hash)) {
          throw refused(name, one, other, "are the same key, and so need the same hash");
        }
      }
    }
  }

  private static <K> boolean isOneHash(K one, K other, ToLongBiFunction<K, Long> hash) {
    return hash.applyAsLong(one, FIRST) == hash.applyAsLong(other, FIRST)
        && hash.applyAsLong(one, SECOND) == hash.applyAsLong(other, SECOND);
  }

  private static IllegalArgumentException refused(
      String name, Object one, Object other, String what) {
    return new IllegalArgumentException("by %s, %s and %s %s".formatted(name, one, other, what));
  }
}
