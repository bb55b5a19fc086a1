package dev.gyre.bench.words;

import dev.gyre.atomics.Memory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.commons.collections4.Trie;

/**
 * Counts with a map as a careful Java programmer does: one strip of the text per task, one string
 * per word, {@code get} before {@code computeIfAbsent}.
 */
final class MapCounter implements RivalCounter {

  private final Supplier<Map<String, LongAdder>> empty;
  private final ExecutorService pool;
  private final int strips;
  private Map<String, LongAdder> counts;

  MapCounter(Supplier<Map<String, LongAdder>> empty, int threads, int strips) {
    this.empty = empty;
    this.pool = Executors.newFixedThreadPool(threads);
    this.strips = strips;
    this.counts = empty.get();
  }

  @Override
  public void count(Memory text) {
    counts = empty.get();
    List<Future<?>> tasks = new ArrayList<>();
    for (int strip = 0; strip < strips; strip++) {
      long begin = text.byteSize() * strip / strips;
      long end = text.byteSize() * (strip + 1) / strips;
      tasks.add(pool.submit(() -> WordScan.forEach(text, begin, end, this::add)));
    }
    try {
      for (Future<?> task : tasks) {
        task.get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
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

  private static long sum(Collection<LongAdder> values) {
    long sum = 0;
    for (LongAdder value : values) {
      sum += value.sum();
    }
    return sum;
  }

  @Override
  public long total() {
    return sum(counts.values());
  }

  @Override
  public long distinct() {
    return counts.size();
  }

  @Override
  public long countsOf(List<String> words) {
    long sum = 0;
    for (String word : words) {
      LongAdder count = counts.get(word);
      sum += count == null ? 0 : count.sum();
    }
    return sum;
  }

  @Override
  public long countsOfBytes(List<byte[]> words) {
    long sum = 0;
    for (byte[] word : words) {
      LongAdder count = counts.get(new String(word, StandardCharsets.ISO_8859_1));
      sum += count == null ? 0 : count.sum();
    }
    return sum;
  }

  @Override
  public long countsUnder(List<String> prefixes) {
    long sum = 0;
    for (String prefix : prefixes) {
      sum +=
          switch (counts) {
            case Trie<String, LongAdder> trie -> sum(trie.prefixMap(prefix).values());
            case SortedMap<String, LongAdder> sorted ->
                sum(sorted.subMap(prefix, prefix + Character.MAX_VALUE).values());
            default -> throw new UnsupportedOperationException("prefixes of a hash map");
          };
    }
    return sum;
  }

  @Override
  public long countsOfTop(int words) {
    Largest largest = new Largest(words);
    counts.forEach((word, count) -> largest.accept(word, count.sum()));
    return largest.sum();
  }

  @Override
  public List<String> words() {
    return List.copyOf(counts.keySet());
  }

  @Override
  public void drop() {
    counts = empty.get();
  }

  @Override
  public void close() {
    pool.close();
  }
}
