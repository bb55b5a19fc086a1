package dev.gyre.kernels.map;

import dev.gyre.atomics.Internal;

/**
 * How an insert changes the value of a present key, column by column, in a table of {@link
 * RecordSlots}.
 *
 * @param keyWords components of a key
 * @param given new values, by the numbers of keys in a batch
 * @since 0.1.0
 */
@Internal
public record RecordChange(
    int keyWords,
    int valueWords,
    Rows given,
    ColumnChange first,
    ColumnChange second,
    ColumnChange third,
    ColumnChange fourth)
    implements Change {

  /** Returns this change for other values. */
  public RecordChange of(Rows others) {
    return new RecordChange(keyWords, valueWords, others, first, second, third, fourth);
  }

  @Override
  public int policy() {
    return MapCodes.FOLD;
  }

  @Override
  public void change(Slots table, long slot, long row, Numbers values, long i) {
    long to = slot * RecordSlots.stride(keyWords, valueWords) + 1 + keyWords;
    first.change(to, given, row, 0);
    second.change(to + 1, given, row, 1);
    third.change(to + 2, given, row, 2);
    fourth.change(to + 3, given, row, 3);
  }

  @Override
  public long applied(long present, long given) {
    throw new UnsupportedOperationException("a row is not a number");
  }
}
