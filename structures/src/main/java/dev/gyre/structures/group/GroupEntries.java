package dev.gyre.structures.group;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.Memories;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Groups in off-heap memory: the groups of a shard, or a copy for a merge or a saved file.
 *
 * <p>A row has two words for the key, followed by the state. The words are the long and 1, or the
 * place of the text in bytes and its length plus 1. The second word is 0 for the null key.
 *
 * @param texts bytes of all texts
 * @param stride number of words of a row
 * @param owned what is freed
 */
record GroupEntries(
    boolean areTexts, MemorySegment texts, MemorySegment rows, int stride, Runnable owned)
    implements AutoCloseable {

  /** Number of words before the state. */
  static final int HEADER = 2;

  /** Returns a copy of the groups of several shards; the caller closes it. */
  static GroupEntries copy(List<GroupEntries> parts) {
    GroupEntries any = parts.getFirst();
    long bytes = parts.stream().mapToLong(part -> part.rows.byteSize()).sum();
    List<Memory> all = Memories.make(() -> textsOf(parts), () -> Memory.ofBytes(bytes));
    MemorySegment texts = all.getFirst().segment();
    MemorySegment rows = all.getLast().segment();
    long at = 0;
    long textAt = 0;
    for (GroupEntries part : parts) {
      MemorySegment.copy(part.rows, 0, rows, at, part.rows.byteSize());
      for (long row = 0; row < part.count() && any.areTexts; row++) {
        rows.set(ValueLayout.JAVA_LONG, at + row * any.rowBytes(), part.word(row, 0) + textAt);
      }
      at += part.rows.byteSize();
      textAt += part.texts.byteSize();
    }
    return new GroupEntries(any.areTexts, texts, rows, any.stride, () -> Memories.close(all));
  }

  /** Returns a copy of the texts of several shards, in the order of the shards. */
  static Memory textsOf(List<GroupEntries> parts) {
    Memory all = Memory.ofBytes(parts.stream().mapToLong(part -> part.texts.byteSize()).sum());
    long at = 0;
    for (GroupEntries part : parts) {
      MemorySegment.copy(part.texts, 0, all.segment(), at, part.texts.byteSize());
      at += part.texts.byteSize();
    }
    return all;
  }

  private long rowBytes() {
    return (long) stride * Long.BYTES;
  }

  /** Returns the number of groups. */
  long count() {
    return rows.byteSize() / Long.BYTES / stride;
  }

  /** Returns whether each row is consistent with the texts. */
  boolean isValid() {
    boolean valid = count() * stride * Long.BYTES == rows.byteSize();
    for (long row = 0; row < count() && valid; row++) {
      long at = word(row, 0);
      long length = Math.max(0, word(row, 1) - 1);
      boolean inside = at >= 0 && at <= texts.byteSize() && length <= texts.byteSize() - at;
      valid = word(row, 1) >= 0 && length <= Integer.MAX_VALUE && (!areTexts || inside);
    }
    return valid;
  }

  private long word(long row, int word) {
    return rows.get(ValueLayout.JAVA_LONG, (row * stride + word) * Long.BYTES);
  }

  /** Returns a word of the state of a row. */
  long state(long row, int word) {
    return word(row, HEADER + word);
  }

  /** Copies the state of a row. */
  void copyState(long row, long[] to, int at) {
    long from = row * rowBytes() + HEADER * Long.BYTES;
    MemorySegment.copy(rows, ValueLayout.JAVA_LONG, from, to, at, stride - HEADER);
  }

  /** Sets a block to the keys from a row on; returns how many. */
  int read(long from, KeyBlock block) {
    block.count = (int) Math.min(KeyBlock.ROWS, count() - from);
    block.hasNulls = true;
    block.areTexts = areTexts;
    if (areTexts) {
      block.beTexts(texts);
    }
    for (int i = 0; i < block.count; i++) {
      block.nulls[i] = word(from + i, 1) == 0;
      if (areTexts) {
        block.offsets[i] = word(from + i, 0);
        block.lengths[i] = (int) Math.max(0, word(from + i, 1) - 1);
      } else {
        block.numbers[i] = word(from + i, 0);
      }
    }
    return block.count;
  }

  @Override
  public void close() {
    owned.run();
  }
}
