package dev.gyre.bench.map;

/**
 * A set of numbers that is timed.
 *
 * @param <A> some of its keys: {@code long[]} or {@code int[]}
 */
public interface NumberSet<A> extends RivalSet<A> {

  /** How many of the keys are there. */
  long count(A keys);

  /** {@link #add}, one call for each key. */
  default long addSingly(A keys) {
    return add(keys);
  }

  /** {@link #count}, one call for each key. */
  default long countSingly(A keys) {
    return count(keys);
  }

  /** Takes all keys out, and keeps the room. */
  void clear();
}
