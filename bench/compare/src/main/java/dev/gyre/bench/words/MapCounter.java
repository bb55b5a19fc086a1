package dev.gyre.bench.words;

import dev.gyre.atomics.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts words as a careful Java programmer does: one strip per task, bytes copied to the heap by
 * the page, a table for letters, one string per word, {@code get} before {@code computeIfAbsent}.
 */
final class MapCounter {

  private static final int PAGE = 1 << 16;

  private final Memory text;
  private final byte[] folded = new byte[256];
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>(1 << 16);

  MapCounter(Memory text) {
    this.text = text;
    for (int c = 'a'; c <= 'z'; c++) {
      folded[c] = (byte) c;
      folded[c - 0x20] = (byte) c;
    }
  }

  Map<String, LongAdder> count(ExecutorService pool, int strips) throws Exception {
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
    while (at < stop) {
      int size = (int) Math.min(PAGE, stop - at);
      MemorySegment.copy(text.segment(), ValueLayout.JAVA_BYTE, at, page, 0, size);
      for (int i = 0; i < size; i++) {
        byte letter = folded[page[i] & 0xff];
        if (letter != 0) {
          word[length++] = letter;
        } else if (length > 0) {
          add(word, length);
          length = 0;
        }
      }
      at += size;
    }
    if (length > 0) {
      add(word, length);
    }
  }

  private void add(byte[] word, int length) {
    String key = new String(word, 0, length, StandardCharsets.ISO_8859_1);
    LongAdder count = counts.get(key);
    if (count == null) {
      count = counts.computeIfAbsent(key, _ -> new LongAdder());
    }
    count.increment();
  }
}
