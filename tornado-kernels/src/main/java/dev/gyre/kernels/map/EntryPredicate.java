package dev.gyre.kernels.map;

/**
 * What a user chooses entries by: a record, which is compiled into the kernels, on every target.
 *
 * <pre>{@code
 * record LargerThan(long least) implements EntryPredicate {
 *   public boolean test(long key, long value) {
 *     return value > least;
 *   }
 * }
 * }</pre>
 *
 * <p>It is a device function, depends on its arguments and on the record's components alone, and
 * changes nothing. In maps of ints, key and value are ints.
 */
public interface EntryPredicate {
  boolean test(long key, long value);

  /** Chooses all. */
  record All() implements EntryPredicate {
    @Override
    public boolean test(long key, long value) {
      return true;
    }
  }
}
