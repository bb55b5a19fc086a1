package dev.gyre.structures.group;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.group.Batch.Column;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Keys of several parts, such as columns, encoded as texts.
 *
 * <p>A key has the values of its parts, in order. A number has 8 bytes, the lowest first. A text
 * has its bytes, and then its length in 4 bytes, which the first text of a key does not need. A
 * null is a 0 or the empty text. At the end there is a flag for each part, a byte that is not 0 if
 * the value is null. If all parts are numbers and not null, there are no flags.
 */
final class CompositeKeys extends KeyBlock implements AutoCloseable {

  static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Bytes after the texts that are readable. */
  private static final int SLACK = 2 * Long.BYTES;

  /** Bytes of a part besides its text. */
  private static final int PART_BYTES = Long.BYTES + 1;

  private final KeyBlock[] parts;
  private @Nullable Memory memory;

  CompositeKeys(KeyBlock... parts) {
    this.parts = parts;
    beTexts(MemorySegment.NULL);
  }

  /** Sets the keys to the values of the parts, which were read before. */
  void combine() {
    count = parts[0].count;
    reserve();
    long at = 0;
    for (int i = 0; i < count; i++) {
      offsets[i] = at;
      at = write(i, at);
      lengths[i] = Math.toIntExact(at - offsets[i]);
    }
  }

  /** Reads the last part of rows whose others were read. A key is null if its last part is. */
  void combine(Column last, int firstRow) {
    KeyBlock part = parts[parts.length - 1];
    part.read(last, firstRow, parts[0].count);
    combine();
    hasNulls = part.hasNulls;
    System.arraycopy(part.nulls, 0, nulls, 0, count);
  }

  private long write(int i, long from) {
    long at = from;
    boolean hasText = false;
    boolean hasNull = false;
    for (KeyBlock part : parts) {
      boolean isNull = part.isNull(i);
      hasNull |= isNull;
      if (part.areTexts) {
        int length = isNull ? 0 : part.lengths[part.from + i];
        MemorySegment.copy(part.bytes, isNull ? 0 : part.offsets[part.from + i], bytes, at, length);
        at += length;
        if (hasText) {
          bytes.set(INT, at, length);
          at += Integer.BYTES;
        }
        hasText = true;
      } else {
        bytes.set(LONG, at, isNull ? 0 : part.numbers[i]);
        at += Long.BYTES;
      }
    }
    if (hasText || hasNull) {
      for (KeyBlock part : parts) {
        bytes.set(ValueLayout.JAVA_BYTE, at++, (byte) (part.isNull(i) ? 1 : 0));
      }
    }
    return at;
  }

  /**
   * Splits keys into their parts.
   *
   * @param parts get the values, which are texts or numbers as they say
   * @throws IllegalArgumentException if a key has no such parts, as in a file that was changed
   */
  static void split(KeyBlock keys, KeyBlock... parts) {
    int numbers = 0;
    while (numbers < parts.length && !parts[numbers].areTexts) {
      numbers++;
    }
    for (KeyBlock part : parts) {
      part.begin(keys);
    }
    for (int i = 0; i < keys.count; i++) {
      long from = keys.offsets[i];
      long end = from + keys.lengths[i];
      boolean hasFlags = numbers < parts.length || end - from > (long) numbers * Long.BYTES;
      end -= hasFlags ? parts.length : 0;
      long flags = end;
      for (int part = parts.length - 1; part >= 0; part--) {
        long length = Long.BYTES;
        if (part == numbers) {
          length = end - from - (long) part * Long.BYTES;
        } else if (parts[part].areTexts) {
          end -= Integer.BYTES;
          length = end < from ? -1 : keys.bytes.get(INT, end);
        }
        end -= length;
        requireParts(length >= 0 && end >= from);
        boolean isNull = hasFlags && keys.bytes.get(ValueLayout.JAVA_BYTE, flags + part) != 0;
        requireParts(!isNull || !parts[part].areTexts || length == 0);
        parts[part].set(i, end, (int) length, isNull);
      }
      requireParts(end == from);
    }
  }

  private static void requireParts(boolean are) {
    Plan.require(are, "a key does not have the parts of its columns");
  }

  private void reserve() {
    long needed = SLACK + (long) count * parts.length * PART_BYTES;
    for (KeyBlock part : parts) {
      for (int i = 0; part.areTexts && i < count; i++) {
        needed += part.isNull(i) ? 0 : part.lengths[part.from + i];
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

  @Override
  public void close() {
    if (memory != null) {
      memory.close();
    }
  }
}
