package dev.gyre.kernels.map;

import dev.gyre.atomics.Internal;

/**
 * Selects entries of a map: a user's record, which is compiled into the operation on every target.
 *
 * <pre>{@code
 * record LargerThan(long least) implements EntryPredicate {
 *   public boolean test(long key, long value) {
 *     return value > least;
 *   }
 * }
 * }</pre>
 *
 * <p>It is a device function. Its result depends only on its arguments and on the components of the
 * record, and it changes nothing. In maps of ints, key and value are ints.
 *
 * @since 0.1.0
 */
public interface EntryPredicate {
  boolean test(long key, long value);

  /** Selects all entries. */
  @Internal
  record All() implements EntryPredicate {
    @Override
    public boolean test(long key, long value) {
      return true;
    }
  }
}
