package dev.gyre.structures.group;

import dev.gyre.atomics.AddressPin;
import dev.gyre.atomics.MemoryExhaustedException;
import java.lang.foreign.MemorySegment;
import java.util.ConcurrentModificationException;

/**
 * Rows with a key and a state, off the heap: groups, or input rows with their values.
 *
 * <p>A row is a header with the key, followed by the words of its state. Row 0 belongs to the null
 * key. Long texts are in the same memory, from its end downwards.
 *
 * <p>A place is an address as {@link AddressPin#first} returns it for {@link #words}. Methods that
 * add rows need capacity for them.
 */
abstract class KeyRows implements AutoCloseable {

  static final int SHORT_SHIFT = 4;

  /** Longest text that is in its header, in bytes. */
  static final int SHORT_BYTES = 1 << SHORT_SHIFT;

  /** Bytes of texts from which on their places would not fit in a header. */
  static final long TEXT_LIMIT_BYTES = 1L << 35;

  final Seed seed;

  /** Bytes of the key. */
  private final int header;

  private final int rowBytes;

  private final Blocks blocks;
  private MemorySegment words = MemorySegment.NULL;
  private long base;

  /** Number of rows, with row 0. */
  private long used = 1;

  /** Bytes of texts that are not in headers. */
  private long usedText;

  private boolean hasNull;

  KeyRows(Blocks blocks, Seed seed, int header, int stateWords) {
    this.blocks = blocks;
    this.seed = seed;
    this.header = header;
    this.rowBytes = header + stateWords * Long.BYTES;
  }

  /** Returns rows without memory, which they will take from some blocks. */
  static KeyRows of(Blocks blocks, boolean areTexts, Seed seed, int stateWords) {
    return areTexts
        ? new TextRows(blocks, seed, stateWords)
        : new LongRows(blocks, seed, stateWords);
  }

  final MemorySegment words() {
    return words;
  }

  final long used() {
    return used;
  }

  final long usedText() {
    return usedText;
  }

  final boolean hasNull() {
    return hasNull;
  }

  /** Returns the number of rows, with that of the null key if it was added. */
  final long count() {
    return used - first();
  }

  /** Returns the first row: 0 if the null key was added. */
  final long first() {
    return hasNull ? 0 : 1;
  }

  /** Returns the place of a row. */
  final long at(long row) {
    return base + row * rowBytes;
  }

  /** Returns the row whose state is at a place. */
  final long row(long state) {
    return (state - state(0)) / rowBytes;
  }

  /** Returns the place of the state of a row. */
  final long state(long row) {
    return at(row) + header;
  }

  final long word(long at) {
    return AddressPin.getLong(words, at);
  }

  final void set(long at, long value) {
    AddressPin.setLong(words, at, value);
  }

  /** Returns a word behind a place: see {@link AddressPin#getLong(MemorySegment, long, int)}. */
  final long word(long at, int offset) {
    return AddressPin.getLong(words, at, offset);
  }

  /** Sets a word behind a place. */
  final void set(long at, int offset, long value) {
    AddressPin.setLong(words, at, offset, value);
  }

  /** Returns the place of the texts whose bytes end the memory. */
  final long textAt(long bytes) {
    return base + words.byteSize() - bytes;
  }

  /** Takes bytes for a text; returns its distance from the end. */
  final long newText(long bytes) {
    usedText += bytes;
    return usedText;
  }

  private long bytes(long rows, long text) {
    return rowBytes(rows) + usedText + text;
  }

  /** Returns the bytes of all rows and of more rows, without texts that are not in headers. */
  final long rowBytes(long more) {
    return (used + more) * rowBytes;
  }

  /** Returns whether there is capacity for more rows and bytes of their texts. */
  final boolean fits(long rows, long text) {
    return bytes(rows, text) <= words.byteSize();
  }

  /**
   * Makes capacity for more rows, unless there is.
   *
   * @param least least number of rows for which capacity is made then
   * @param factor as for {@link #grow}
   */
  final void reserve(long rows, long text, long least, int factor) {
    if (!fits(rows, text)) {
      grow(Math.max(rows, least), text, factor);
    }
  }

  /** Makes capacity for more rows, and for some times the rows that are there. */
  final void grow(long rows, long text, int factor) {
    if (usedText + text >= TEXT_LIMIT_BYTES) {
      throw new MemoryExhaustedException(
          "the texts of a table of groups would take %d bytes, and must take less than %d"
              .formatted(usedText + text, TEXT_LIMIT_BYTES),
          usedText + text,
          null);
    }
    MemorySegment from = words;
    MemorySegment to = blocks.take(bytes(rows, text) + Math.multiplyExact(bytes(0, 0), factor - 1));
    words = to;
    base = AddressPin.first(to, to.byteSize() >> 3, 3);
    if (from.byteSize() == 0) {
      clear();
      return;
    }
    MemorySegment.copy(from, 0, to, 0, used * rowBytes);
    MemorySegment.copy(from, from.byteSize() - usedText, to, to.byteSize() - usedText, usedText);
    blocks.give(from);
  }

  /** Makes row 0 the row of the null key. Returns the place of its state. */
  final long addNull() {
    hasNull = true;
    return state(0);
  }

  /** Adds rows without their keys. Returns the place of the first; their states may be anything. */
  final long newRows(int count) {
    long first = at(used);
    used += count;
    return first;
  }

  final int rowBytes() {
    return rowBytes;
  }

  /** Adds a copy of a row with its state. */
  final void add(KeyRows from, long row) {
    long to = newRows(1);
    copy(from, from.at(row), to, rowBytes);
    copyText(from, to);
  }

  /** Adds a row with the key at a place of other rows, and a state of zeros. Returns its number. */
  final long addKey(KeyRows from, long at) {
    long to = newRows(1);
    copy(from, at, to, header);
    copyText(from, to);
    clearState(used - 1);
    return used - 1;
  }

  /** Adds a row with the key of another row, and grows if necessary. */
  final void appendKey(KeyRows from, long row) {
    reserve(1, from.rowText(row), KeyBlock.ROWS, 2);
    long _ = addKey(from, from.at(row));
  }

  private void copy(KeyRows from, long at, long to, int bytes) {
    for (int i = 0; i < bytes; i += Long.BYTES) {
      set(to + i, from.word(at + i));
    }
  }

  /** Sets the state of a row to 0. */
  final void clearState(long row) {
    for (int i = header; i < rowBytes; i += Long.BYTES) {
      set(at(row) + i, 0);
    }
  }

  /**
   * Removes the rows from one on, except for some.
   *
   * @param kept ascending distances of the rows that stay
   * @param text bytes of texts of the rows before
   */
  final void keep(long first, int[] kept, int count, long text) {
    for (int i = 0; i < count && used - first > count; i++) {
      copy(this, at(first + kept[i]), at(first + i), rowBytes);
    }
    used = first + count;
    // The texts of some removed rows stay until all rows are removed.
    usedText = count == 0 ? text : usedText;
  }

  /** Removes all rows. */
  final void clear() {
    used = 1;
    usedText = 0;
    hasNull = false;
    for (int i = 0; i < rowBytes && words.byteSize() > 0; i += Long.BYTES) {
      set(base + i, 0);
    }
  }

  /** Returns the bytes of a text besides the header. */
  static long textBytes(int length) {
    // As a long: the longest texts have more bytes than an int, with those that fill the last word.
    long bytes = ((long) length + Long.BYTES - 1) & -Long.BYTES;
    // Without a branch: which texts are short is random.
    return bytes & (((long) SHORT_BYTES - length) >> (Long.SIZE - 1));
  }

  /** Returns the bytes of some keys besides their headers. */
  static long textBytes(KeyBlock keys) {
    long bytes = 0;
    for (int i = 0; i < keys.count && keys.areTexts; i++) {
      bytes += keys.isNull(i) ? 0 : textBytes(keys.lengths[keys.from + i]);
    }
    return bytes;
  }

  static ConcurrentModificationException changed() {
    return new ConcurrentModificationException(
        "texts of a batch have changed while it was read: let no thread write its arrays"
            + " meanwhile");
  }

  /** Returns the bytes of the text of a row besides the header. */
  abstract long rowText(long row);

  /** Returns the bytes of the texts of some rows besides their headers. */
  final long rowText(long from, long end) {
    long bytes = 0;
    for (long row = from; row < end && usedText > 0; row++) {
      bytes += rowText(row);
    }
    return bytes;
  }

  /** Adds rows of keys; their states may be anything. Keys that are null get any key. */
  abstract void add(KeyBlock keys);

  /** Adds rows of keys, and grows if necessary. */
  final void append(KeyBlock keys) {
    append(keys, textBytes(keys), keys.count, 2);
  }

  /** Adds rows of keys with some bytes of texts, and grows as {@link #reserve} if necessary. */
  final void append(KeyBlock keys, long text, long least, int factor) {
    reserve(keys.count, text, least, factor);
    long before = usedText;
    add(keys);
    if (usedText - before != text) {
      throw changed();
    }
  }

  /** Copies the text of other rows for a header that was copied. */
  abstract void copyText(KeyRows from, long at);

  /** Returns the length of the text at a place in bytes; 0 if keys are not texts. */
  abstract int length(long at);

  /** Returns the hash of the key at a place. */
  abstract long hash(long at);

  /** Returns whether the key at a place equals that at a place of other rows. */
  abstract boolean equal(long at, KeyRows others, long other);

  /** Returns 0 only if these keys are equal; for texts that are not short, another number. */
  abstract long difference(long at, KeyRows others, long other);

  /** Sets a block to the keys from a row on. */
  final KeyBlock read(long from, KeyBlock block) {
    block.count = (int) Math.min(KeyBlock.ROWS, used - from);
    block.hasNulls = from == 0;
    block.nulls[0] = from == 0;
    readKeys(from, block);
    return block;
  }

  abstract void readKeys(long from, KeyBlock block);

  /** Returns copies of the rows and texts in one of two sections each. */
  final MemorySegment rowSection() {
    return words.asSlice(0, words.byteSize() == 0 ? 0 : used * rowBytes);
  }

  final MemorySegment textSection() {
    return words.asSlice(words.byteSize() - usedText);
  }

  /**
   * Adds the rows and texts of sections.
   *
   * @throws IllegalArgumentException if they are not consistent
   */
  final void restore(MemorySegment rows, MemorySegment text, boolean withNull) {
    long count = rows.byteSize() / rowBytes;
    if (count * rowBytes != rows.byteSize() || text.byteSize() % Long.BYTES != 0) {
      throw new IllegalArgumentException("a section ends within a row");
    }
    grow(count, text.byteSize(), 1);
    used = Math.max(1, count);
    usedText = text.byteSize();
    MemorySegment.copy(rows, 0, words, 0, rows.byteSize());
    MemorySegment.copy(text, 0, words, words.byteSize() - usedText, usedText);
    hasNull = withNull;
    for (long row = 1; row < used; row++) {
      requireValid(at(row));
    }
  }

  /** Throws an IllegalArgumentException if the header refers to a text that is not there. */
  abstract void requireValid(long at);

  @Override
  public final void close() {
    if (words.byteSize() > 0) {
      blocks.give(words);
      words = MemorySegment.NULL;
    }
  }

  /** Rows whose keys are longs. The header is the key. */
  private static final class LongRows extends KeyRows {

    LongRows(Blocks blocks, Seed seed, int stateWords) {
      super(blocks, seed, Long.BYTES, stateWords);
    }

    @Override
    long rowText(long row) {
      return 0;
    }

    @Override
    void add(KeyBlock keys) {
      for (int i = 0; i < keys.count; i++) {
        set(newRows(1), keys.numbers[i]);
      }
    }

    @Override
    void copyText(KeyRows from, long at) {}

    @Override
    int length(long at) {
      return 0;
    }

    @Override
    long hash(long at) {
      return seed.hash(word(at));
    }

    @Override
    boolean equal(long at, KeyRows others, long other) {
      return difference(at, others, other) == 0;
    }

    @Override
    long difference(long at, KeyRows others, long other) {
      return word(at) ^ others.word(other);
    }

    @Override
    void readKeys(long from, KeyBlock block) {
      block.areTexts = false;
      for (int i = 0; i < block.count; i++) {
        block.numbers[i] = word(at(from + i));
      }
    }

    @Override
    void requireValid(long at) {}
  }
}
