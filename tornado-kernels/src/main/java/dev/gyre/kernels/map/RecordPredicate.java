package dev.gyre.kernels.map;

/** {@link EntryPredicate} of entries whose keys and values are records. */
public interface RecordPredicate {
  boolean test(KeyParts key, RowParts value);

  /**
   * The same of rows, which are told by their numbers.
   *
   * @param keyWords components of a key
   * @param valueWords columns of a value
   */
  record InRows(RecordPredicate predicate, Rows keys, int keyWords, Rows values, int valueWords)
      implements EntryPredicate {
    @Override
    public boolean test(long key, long value) {
      return predicate.test(
          Rows.parts(keys, key, keyWords), RowParts.of(values, value, valueWords));
    }
  }

  /**
   * The same of keys that are packed in a long, with one long for their value.
   *
   * @param paired whether keys are two ints
   */
  record Packed(RecordPredicate predicate, boolean paired) implements EntryPredicate {
    @Override
    public boolean test(long key, long value) {
      return predicate.test(KeyParts.ofPacked(key, paired), new RowParts(value, 0, 0, 0));
    }
  }
}
