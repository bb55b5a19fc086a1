package dev.gyre.bench.words;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.TextCombiner;
import dev.gyre.structures.map.TextLongMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Counts with our map of text keys: one strip of the text per task, as {@link MapCounter}, each
 * with a {@link TextCombiner}.
 */
final class TextMapCounter implements RivalCounter {

  private final ExecutorService pool;
  private final int strips;
  private TextLongMap counts;

  TextMapCounter(int threads, int strips) {
    this.pool = Executors.newFixedThreadPool(threads);
    this.strips = strips;
    this.counts = empty();
  }

  /** Each operation of the map is to run on the thread that calls it. */
  private static TextLongMap empty() {
    return TextLongMap.builder().threads(1).build();
  }

  @Override
  public void count(Memory text) {
    counts.close();
    counts = empty();
    List<Future<?>> tasks = new ArrayList<>();
    for (int strip = 0; strip < strips; strip++) {
      long begin = text.byteSize() * strip / strips;
      long end = text.byteSize() * (strip + 1) / strips;
      tasks.add(pool.submit(() -> count(text, begin, end)));
    }
    try {
      for (Future<?> task : tasks) {
        task.get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private void count(Memory text, long begin, long end) {
    try (TextCombiner strip = new TextCombiner(counts, Apply.ADD)) {
      WordScan.forEach(text, begin, end, (word, length) -> strip.add(word, 0, length, 1));
    }
  }

  @Override
  public long total() {
    long[] sum = new long[1];
    counts.forEach((word, count) -> sum[0] += count);
    return sum[0];
  }

  @Override
  public long distinct() {
    return counts.size();
  }

  @Override
  public long countsOf(List<String> words) {
    long[] found = new long[words.size()];
    var _ = counts.find(words, found);
    return Arrays.stream(found).sum();
  }

  @Override
  public long countsUnder(List<String> prefixes) {
    throw new UnsupportedOperationException("prefixes of a hash map");
  }

  @Override
  public List<String> words() {
    List<String> words = new ArrayList<>();
    counts.forEach((word, count) -> words.add(word));
    return words;
  }

  @Override
  public void drop() {
    counts.close();
    counts = empty();
  }

  @Override
  public void close() {
    counts.close();
    pool.close();
  }
}
