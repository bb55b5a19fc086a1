package dev.gyre.bench.words;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * Counts words with a {@link TextLongMap}: one strip per task, as {@link MapCounter}; words are
 * gathered in a batch and counted by {@code insertOrApply}.
 */
final class TextMapCounter implements AutoCloseable {

  private static final int PAGE = 1 << 16;
  private static final int BATCH = 1 << 12;

  private final Memory text;
  private final byte[] folded = new byte[256];
  private final TextLongMap counts = TextLongMap.builder().threads(1).build();

  TextMapCounter(Memory text) {
    this.text = text;
    for (int c = 'a'; c <= 'z'; c++) {
      folded[c] = (byte) c;
      folded[c - 0x20] = (byte) c;
    }
  }

  TextLongMap count(ExecutorService pool, int strips) throws Exception {
    List<Future<?>> tasks = new ArrayList<>();
    for (int strip = 0; strip < strips; strip++) {
      long begin = text.byteSize() * strip / strips;
      long end = text.byteSize() * (strip + 1) / strips;
      tasks.add(pool.submit(() -> countStrip(begin, end)));
    }
    for (Future<?> task : tasks) {
      task.get();
    }
    return counts;
  }

  private boolean isLetter(long at) {
    return folded[text.segment().get(ValueLayout.JAVA_BYTE, at) & 0xff] != 0;
  }

  /** Counts the words that start in a strip. */
  private void countStrip(long begin, long end) {
    long at = begin;
    while (at > 0 && at < end && isLetter(at - 1)) {
      at++;
    }
    long stop = end;
    while (stop < text.byteSize() && stop > 0 && isLetter(stop - 1)) {
      stop++;
    }
    byte[] page = new byte[PAGE];
    byte[] word = new byte[1 << 10];
    int length = 0;
    try (TextKeys batch = new TextKeys()) {
      while (at < stop) {
        int size = (int) Math.min(PAGE, stop - at);
        MemorySegment.copy(text.segment(), ValueLayout.JAVA_BYTE, at, page, 0, size);
        for (int i = 0; i < size; i++) {
          byte letter = folded[page[i] & 0xff];
          if (letter != 0) {
            word[length++] = letter;
          } else if (length > 0) {
            add(batch, word, length);
            length = 0;
          }
        }
        at += size;
      }
      if (length > 0) {
        add(batch, word, length);
      }
      flush(batch);
    }
  }

  private void add(TextKeys batch, byte[] word, int length) {
    batch.add(word, 0, length);
    if (batch.count() == BATCH) {
      flush(batch);
    }
  }

  private void flush(TextKeys batch) {
    long[] ones = new long[batch.count()];
    Arrays.fill(ones, 1);
    var _ = counts.insertOrApply(batch, Longs.of(ones), Apply.ADD, BulkOptions.NONE);
    batch.clear();
  }

  @Override
  public void close() {
    counts.close();
  }
}
