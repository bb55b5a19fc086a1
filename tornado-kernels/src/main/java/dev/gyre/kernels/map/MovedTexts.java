package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;

/**
 * Table of texts to which the entries of another table are {@linkplain Move moved}. Keys stay in
 * the arena. A key is represented by its slot in the other table.
 *
 * @param states the table, as ints
 * @param table the same memory, as longs
 * @param oldStates the other table, as ints
 * @param oldTable the same memory, as longs
 * @param arena arena of both
 */
record MovedTexts(
    DeviceInts states,
    DeviceLongs table,
    long slots,
    DeviceInts oldStates,
    DeviceLongs oldTable,
    DeviceLongs arena,
    TextRule rule,
    long seed)
    implements LongValues {

  @Override
  public Slots copy() {
    return new MovedTexts(states, table, slots, oldStates, oldTable, arena, rule, seed);
  }

  @Override
  public long hash(long old) {
    return rule.hash(TextLayout.key(oldStates, oldTable, arena, old), seed);
  }

  @Override
  public long home(long old, long hash) {
    return TextLayout.home(hash, slots);
  }

  @Override
  public long stateAt(long slot) {
    return TextLayout.stateAt(slot);
  }

  @Override
  public DeviceLongs values() {
    return table;
  }

  @Override
  public long valueAt(long slot) {
    return TextLayout.valueAt(slot);
  }

  /** Returns state and length. No thread changes a value, so that the state is FILLED. */
  @Override
  public long claimWord(long old, long value) {
    return oldTable.get(TextLayout.headAt(old));
  }

  @Override
  public long claim(long slot, long claimWord) {
    // relaxed: keys differ, so that no thread reads what another one writes before the launch has
    // ended
    return table.compareAndExchangeRelaxed(TextLayout.headAt(slot), MapCodes.EMPTY, claimWord);
  }

  /** The claim has published it. */
  @Override
  public void fill(long slot, long old, long hash, Numbers value, long i, long text) {
    write(slot, old, hash, text);
    setValue(slot, value.get(i));
  }

  @Override
  public void write(long slot, long old, long hash, long text) {
    table.set(TextLayout.firstAt(slot), oldTable.get(TextLayout.firstAt(old)));
    table.set(TextLayout.markAt(slot), oldTable.get(TextLayout.markAt(old)));
  }

  // No key is looked up.

  @Override
  public boolean matches(long slot, long seen, long old, long hash, long claimWord) {
    return false;
  }

  @Override
  public long key(long slot, long seen) {
    return slot;
  }

  @Override
  public boolean isWhole(long slot) {
    return true;
  }
}
