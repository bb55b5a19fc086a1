package dev.gyre.kernels.map.owned;

import static dev.gyre.kernels.map.MapCodes.EMPTY;

import dev.gyre.kernels.map.IntLines;

/**
 * {@link IntLines} that are owned.
 *
 * <table>
 *   <caption>All accesses that race</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>store of a key's and of a value's word</td><td>plain, aligned, so at once</td>
 *       <td>loads of {@link IntLines}</td><td>each word is all there is to see. The value's may be
 *       seen before the key's, which readers expect: see the table of {@link IntLines}
 *       (IntLineWalk.BothSeen)</td></tr>
 * </table>
 */
record OwnedLines(IntLines table) implements OwnedSlots {

  @Override
  public long word(long slot) {
    return table.words().get(IntLines.keyAt(slot));
  }

  @Override
  public boolean same(long word, long key) {
    return word == IntLines.word(key);
  }

  @Override
  public boolean isFilled(long slot, long word) {
    return word != EMPTY;
  }

  @Override
  public boolean isEmpty(long slot, long word) {
    return word == EMPTY;
  }

  @Override
  public boolean hasValue(long slot) {
    return table.words().get(IntLines.valueAt(slot)) != EMPTY;
  }

  @Override
  public void write(long slot, long key, long value) {
    table.words().set(IntLines.keyAt(slot), IntLines.word(key));
    table.words().set(IntLines.valueAt(slot), IntLines.word(value));
  }

  @Override
  public void publish(Told told, int count) {}

  @Override
  public long value(long slot) {
    return IntLines.contentOf(table.words().get(IntLines.valueAt(slot)));
  }

  @Override
  public void setValue(long slot, long value) {
    table.words().set(IntLines.valueAt(slot), IntLines.word(value));
  }
}
