package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Internal;

/**
 * Slots whose keys and values are records of numbers: {@link StateSlots} of rows of words, in one
 * array.
 *
 * <p><b>Layout.</b> A slot consists of a word with the state, the words of the key, and the words
 * of the value. Ints and floats are in the first half of a word, except in keys, where they are
 * widened.
 *
 * <p>A key and a value are represented by the number of their row in a batch. A found value is
 * represented by its slot plus 1, and {@link Rows.Found} copies it.
 *
 * <p><b>Protocol.</b> Words of a value change separately, by atomics of their type ({@link
 * RecordChange}). A concurrent reader may see words of different updates. {@link ReplaceRecords}
 * changes all words at once, while no other thread uses the table. States are as in {@link
 * StateSlots}.
 *
 * @param states the table, as ints
 * @param table the same memory
 * @param keyWords components of a key
 * @param valueWords columns of a value
 * @param keys keys of a batch
 * @param values values of a batch
 * @since 0.1.0
 */
@Internal
public record RecordSlots(
    DeviceInts states,
    DeviceLongs table,
    long slots,
    long seed,
    int keyWords,
    int valueWords,
    Rows keys,
    Rows values,
    RecordHash hash,
    RecordEquality equality,
    Removal removal)
    implements StateSlots {

  /** Returns the number of words of a slot. */
  public static long stride(int keyWords, int valueWords) {
    return 1L + keyWords + valueWords;
  }

  @Override
  public RecordSlots copy() {
    return new RecordSlots(
        states, table, slots, seed, keyWords, valueWords, keys, values, hash, equality, removal);
  }

  @Override
  public boolean isRemovable() {
    return removal.isAllowed();
  }

  private long wordOf(long slot) {
    return slot * stride(keyWords, valueWords);
  }

  /** Returns the index of the first word of a slot's value. */
  @Override
  public long valueAt(long slot) {
    return wordOf(slot) + 1 + keyWords;
  }

  @Override
  public long stateAt(long slot) {
    return 2 * wordOf(slot);
  }

  /**
   * Returns the index of the state by which equal keys of a batch agree which of them comes last.
   */
  long lastAt(long slot) {
    return 2 * wordOf(slot) + 1;
  }

  @Override
  public long hash(long row) {
    return hash.hash(Rows.parts(keys, row, keyWords), seed);
  }

  @Override
  public long home(long row, long hash) {
    return Hashing.homeOf(hash, slots);
  }

  @Override
  public boolean matches(long slot, long seen, long row, long hash, long claimWord) {
    Rows there = new Rows.InMemory(table, wordOf(slot) + 1, 0);
    return isPresent(seen)
        && equality.same(Rows.parts(there, 0, keyWords), Rows.parts(keys, row, keyWords));
  }

  @Override
  public void write(long slot, long row, long hash, long text) {
    long at = wordOf(slot) + 1;
    for (int word = 0; word < keyWords; word++) {
      table.set(at + word, keys.get(row, word));
    }
  }

  @Override
  public void setValue(long slot, long row) {
    long at = valueAt(slot);
    for (int word = 0; word < valueWords; word++) {
      table.set(at + word, values.get(row, word));
    }
  }

  /** Writes the present row to the batch: FETCH. Other changes are {@link RecordChange}s. */
  @Override
  public void update(long slot, long row, Numbers found, long i, int policy) {
    found.set(i, slot + 1);
  }

  @Override
  public long value(long slot, long seen, int options) {
    return slot + 1;
  }

  @Override
  public long key(long slot, long seen) {
    return slot + 1;
  }

  // A row does not fit in a long.

  @Override
  public long present(long slot) {
    throw new UnsupportedOperationException("a row is not a number");
  }

  @Override
  public long exchange(long slot, long row, long expected, long value) {
    throw new UnsupportedOperationException("a row is not a number");
  }
}
