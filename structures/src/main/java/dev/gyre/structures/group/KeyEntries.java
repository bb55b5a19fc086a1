package dev.gyre.structures.group;

import dev.gyre.kernels.map.TextLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Keys in off-heap memory, none of them null.
 *
 * @param keys longs, or the words of texts
 * @param places the places of texts in the words, as in {@link TextLayout}; null for longs
 * @param owner frees the memory
 */
record KeyEntries(long count, MemorySegment keys, @Nullable MemorySegment places, Runnable owner)
    implements AutoCloseable {

  static final KeyEntries NONE = new KeyEntries(0, MemorySegment.NULL, null, () -> {});

  /** Sets a block to some of the keys, from one on; returns how many. */
  int read(long from, KeyBlock block) {
    int rows = (int) Math.min(KeyBlock.ROWS, count - from);
    block.count = rows;
    block.hasNulls = false;
    if (places == null) {
      block.areTexts = false;
      MemorySegment.copy(keys, ValueLayout.JAVA_LONG, from * Long.BYTES, block.numbers, 0, rows);
      return rows;
    }
    block.beTexts(keys);
    for (int i = 0; i < rows; i++) {
      long place = places.getAtIndex(ValueLayout.JAVA_LONG, from + i);
      block.offsets[i] = TextLayout.start(place) * Long.BYTES;
      block.lengths[i] = TextLayout.length(place);
    }
    return rows;
  }

  /** Returns the words that the texts take; too many for any memory if a place is invalid. */
  long words() {
    long words = 0;
    for (long i = 0; places != null && i < count; i++) {
      long place = places.getAtIndex(ValueLayout.JAVA_LONG, i);
      long end = TextLayout.start(place) + TextLayout.words(TextLayout.length(place));
      words = Math.max(words, place < 0 ? Long.MAX_VALUE : end);
    }
    return words;
  }

  /** Returns these keys with more to free. */
  KeyEntries and(Runnable other) {
    return new KeyEntries(
        count,
        keys,
        places,
        () -> {
          owner.run();
          other.run();
        });
  }

  @Override
  public void close() {
    owner.run();
  }
}
