package dev.gyre.kernels.map;

/**
 * What an insert does with the value of a key that is present, column by column, in a table of
 * {@link RecordSlots}.
 *
 * @param keyWords components of a key
 * @param valueWords columns of a value
 */
public record RecordChange(
    int keyWords,
    int valueWords,
    ColumnChange first,
    ColumnChange second,
    ColumnChange third,
    ColumnChange fourth)
    implements Change {

  @Override
  public int policy() {
    return MapCodes.FOLD;
  }

  @Override
  public int change(Slots table, long slot, long row, Numbers values, long i, long pollLimit) {
    long to = slot * RecordSlots.stride(keyWords, valueWords) + 1 + keyWords;
    long from = i * valueWords;
    first.change(to, from);
    second.change(to + 1, from + 1);
    third.change(to + 2, from + 2);
    fourth.change(to + 3, from + 3);
    return MapCodes.PRESENT;
  }

  @Override
  public long applied(long present, long given) {
    throw new UnsupportedOperationException("a row is no number");
  }
}
