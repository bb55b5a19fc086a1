package dev.gyre.kernels.map;

import dev.gyre.atomics.Internal;

/**
 * {@link EntryVisitor} for maps whose keys and values are records.
 *
 * @since 0.1.0
 */
public interface RecordVisitor {
  void visit(KeyParts key, RowParts value);

  /**
   * Visitor of rows, which are identified by their numbers.
   *
   * @param keyWords components of a key
   * @param valueWords columns of a value
   */
  @Internal
  record InRows(RecordVisitor visitor, Rows keys, int keyWords, Rows values, int valueWords)
      implements EntryVisitor {
    @Override
    public void visit(long key, long value) {
      visitor.visit(Rows.parts(keys, key, keyWords), RowParts.of(values, value, valueWords));
    }
  }

  /**
   * The same of keys that are packed in a long, with one long for their value.
   *
   * @param paired whether keys are two ints
   */
  @Internal
  record Packed(RecordVisitor visitor, boolean paired) implements EntryVisitor {
    @Override
    public void visit(long key, long value) {
      visitor.visit(KeyParts.ofPacked(key, paired), new RowParts(value, 0, 0, 0));
    }
  }
}
