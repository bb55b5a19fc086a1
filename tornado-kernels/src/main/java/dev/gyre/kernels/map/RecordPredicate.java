package dev.gyre.kernels.map;

import dev.gyre.atomics.Internal;

/**
 * {@link EntryPredicate} for maps whose keys and values are records.
 *
 * @since 0.1.0
 */
public interface RecordPredicate {
  boolean test(KeyParts key, RowParts value);

  /**
   * Predicate for rows, which are identified by their numbers.
   *
   * @param keyWords components of a key
   * @param valueWords columns of a value
   */
  @Internal
  record InRows(RecordPredicate predicate, Rows keys, int keyWords, Rows values, int valueWords)
      implements EntryPredicate {
    @Override
    public boolean test(long key, long value) {
      return predicate.test(
          Rows.parts(keys, key, keyWords), RowParts.of(values, value, valueWords));
    }
  }

  /**
   * Predicate for keys that are packed in a long, with one long as value.
   *
   * @param paired whether keys are two ints
   */
  @Internal
  record Packed(RecordPredicate predicate, boolean paired) implements EntryPredicate {
    @Override
    public boolean test(long key, long value) {
      return predicate.test(KeyParts.ofPacked(key, paired), new RowParts(value, 0, 0, 0));
    }
  }
}
