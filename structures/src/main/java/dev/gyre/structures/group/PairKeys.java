package dev.gyre.structures.group;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.group.Batch.Column;
import dev.gyre.structures.group.device.Totals;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Keys that consist of another key and the value of a further column, encoded as texts.
 *
 * <p>First come the bytes of the first key, then of the second. If both are texts, the length of
 * the second follows in 4 bytes. At last there is a byte of flags, unless both are numbers and not
 * null. Numbers have 8 bytes, the lowest first. A null is a 0 or the empty text with a flag.
 */
final class PairKeys extends KeyBlock implements AutoCloseable {

  static final int FIRST_NULL = 1;
  static final int SECOND_NULL = 2;

  static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Bytes after the texts that are readable. */
  private static final int SLACK = 2 * Long.BYTES;

  private final KeyBlock first;
  private final KeyBlock second = new KeyBlock();
  private @Nullable Memory memory;

  /** Creates keys whose first part is a block that is read before. */
  PairKeys(KeyBlock first) {
    this.first = first;
    beTexts(MemorySegment.NULL);
  }

  /** Appends the values of a column to the rows of the first part. */
  void append(Column column, int firstRow) {
    second.read(column, firstRow, first.count);
    append();
  }

  /** Appends words of the keys of groups to the first part. */
  void append(Totals.Words words, int key, int[] groups) {
    second.read(words, key, groups, first.count);
    append();
  }

  private void append() {
    count = first.count;
    reserve();
    long at = 0;
    boolean someTexts = first.areTexts || second.areTexts;
    for (int i = 0; i < count; i++) {
      boolean firstNull = first.hasNulls && first.nulls[i];
      boolean secondNull = second.hasNulls && second.nulls[i];
      offsets[i] = at;
      at = write(first, i, firstNull, at);
      long from = at;
      at = write(second, i, secondNull, at);
      if (first.areTexts && second.areTexts) {
        bytes.set(INT, at, (int) (at - from));
        at += Integer.BYTES;
      }
      if (someTexts || firstNull || secondNull) {
        int flags = (firstNull ? FIRST_NULL : 0) | (secondNull ? SECOND_NULL : 0);
        bytes.set(ValueLayout.JAVA_BYTE, at++, (byte) flags);
      }
      lengths[i] = Math.toIntExact(at - offsets[i]);
    }
  }

  /** Makes keys null whose second part is null. */
  void takeNullsOfSecond() {
    hasNulls = second.hasNulls;
    System.arraycopy(second.nulls, 0, nulls, 0, count);
  }

  /**
   * Splits keys into both parts.
   *
   * @param first gets the first parts, which are texts or numbers as it says
   * @param second gets the second parts likewise
   * @throws IllegalArgumentException if a key has no such parts, as in a file that was changed
   */
  static void split(KeyBlock pairs, KeyBlock first, KeyBlock second) {
    first.begin(pairs);
    second.begin(pairs);
    boolean someTexts = first.areTexts || second.areTexts;
    for (int i = 0; i < pairs.count; i++) {
      long at = pairs.offsets[i];
      long end = at + pairs.lengths[i];
      int flags = 0;
      if (someTexts || end - at > 2 * Long.BYTES) {
        flags = pairs.bytes.get(ValueLayout.JAVA_BYTE, --end);
      }
      int length = Long.BYTES;
      if (first.areTexts && second.areTexts) {
        end -= Integer.BYTES;
        length = pairs.bytes.get(INT, end);
      } else if (second.areTexts) {
        length = (int) (end - at) - Long.BYTES;
      }
      int rest = (int) (end - at) - length;
      boolean isNull = (flags & FIRST_NULL) != 0;
      boolean isWrong = first.areTexts ? rest < 0 || (isNull && rest > 0) : rest != Long.BYTES;
      if (length < 0 || isWrong) {
        throw new IllegalArgumentException("a key does not have the parts of its columns");
      }
      first.set(i, at, rest, isNull);
      second.set(i, end - length, length, (flags & SECOND_NULL) != 0);
    }
  }

  private void reserve() {
    long needed = SLACK + (long) count * (2 * Long.BYTES + Integer.BYTES + 1);
    for (KeyBlock part : new KeyBlock[] {first, second}) {
      for (int i = 0; part.areTexts && i < count; i++) {
        needed += part.hasNulls && part.nulls[i] ? 0 : part.lengths[part.from + i];
      }
    }
    if (needed > bytes.byteSize()) {
      close();
      // If there is too little memory, the next keys are not written to the closed one.
      bytes = MemorySegment.NULL;
      memory = Memory.ofBytes(2 * needed);
      bytes = memory.segment();
    }
  }

  private long write(KeyBlock part, int i, boolean isNull, long at) {
    if (!part.areTexts) {
      bytes.set(LONG, at, isNull ? 0 : part.numbers[i]);
      return at + Long.BYTES;
    }
    int length = isNull ? 0 : part.lengths[part.from + i];
    MemorySegment.copy(part.bytes, isNull ? 0 : part.offsets[part.from + i], bytes, at, length);
    return at + length;
  }

  @Override
  public void close() {
    if (memory != null) {
      memory.close();
    }
  }
}
