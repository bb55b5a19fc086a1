package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;

/**
 * Table of texts to which the entries of another table are {@linkplain Move moved}, with their
 * text. A key is represented by its slot in the other table.
 *
 * @param states the table, as ints
 * @param table the same memory, as longs
 * @param bump number of words that were taken from the arena, in element 0
 * @param oldStates the other table, as ints
 * @param oldTable the same memory, as longs
 */
record MovedTexts(
    DeviceInts states,
    DeviceLongs table,
    long slots,
    DeviceLongs arena,
    DeviceLongs bump,
    DeviceInts oldStates,
    DeviceLongs oldTable,
    DeviceLongs oldArena,
    TextRule rule,
    long seed)
    implements TextLines {

  @Override
  public Slots copy() {
    return new MovedTexts(
        states, table, slots, arena, bump, oldStates, oldTable, oldArena, rule, seed);
  }

  @Override
  public long hash(long old) {
    return rule.hash(TextLayout.key(oldStates, oldTable, oldArena, old), seed);
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
    long from = TextLayout.arenaWord(oldTable.get(TextLayout.markAt(old)));
    long words = text(old);
    table.set(TextLayout.firstAt(slot), oldTable.get(TextLayout.firstAt(old)));
    table.set(TextLayout.markAt(slot), TextLayout.mark(hash, words > 0 ? text : 0));
    for (long word = 0; word < words; word++) {
      arena.set(text + word, oldArena.get(from + word));
    }
  }

  @Override
  public long text(long old) {
    return TextLayout.arenaWords(oldStates.get(TextLayout.lengthAt(old)));
  }

  @Override
  public long takeFor(Slots other, long from, long to, int step) {
    long words = 0;
    for (long old = from; old < to; old += step) {
      long needed = text(old);
      words += other.stateOf(other.quiet(old)) == MapCodes.FILLED ? needed : 0;
    }
    long first = 0;
    if (words > 0) {
      // relaxed: no thread reads the words before the launch has ended
      first = bump.fetchAddRelaxed(0, words);
    }
    return first;
  }

  // No key is looked up.

  @Override
  public boolean matches(long slot, long seen, long old, long hash, long claimWord) {
    return false;
  }
}
