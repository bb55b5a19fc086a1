package dev.gyre.kernels.map.owned;

import static dev.gyre.kernels.map.MapCodes.EMPTY;

import dev.gyre.kernels.map.PackedSlots;

/**
 * {@link PackedSlots} that are owned. Others may read the words meanwhile: each is all there is to
 * see, and aligned, so that it is written at once (MapPublication.OwnedTest).
 */
record OwnedPacked(PackedSlots table) implements OwnedSlots {

  @Override
  public long word(long slot) {
    return table.words().get(slot);
  }

  @Override
  public boolean same(long word, long key) {
    return table.same(0, word, key, 0);
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
    return true;
  }

  @Override
  public void write(long slot, long key, long value) {
    table.words().set(slot, table.desired(key, value));
  }

  @Override
  public void publish(Told told, int count) {}

  @Override
  public long value(long slot) {
    return PackedSlots.valueOf(word(slot));
  }

  @Override
  public void setValue(long slot, long value) {
    table.words().set(slot, PackedSlots.word(PackedSlots.storedOf(word(slot)), (int) value));
  }
}
