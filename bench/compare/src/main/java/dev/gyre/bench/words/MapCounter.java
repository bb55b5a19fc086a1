package dev.gyre.bench.words;

import dev.gyre.atomics.Memory;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.collections4.Trie;
import org.jspecify.annotations.Nullable;

/** Counts with maps of the JDK and of libraries. */
abstract class MapCounter implements RivalCounter {

  private final ForkJoinPool pool;
  private Map<String, ? extends Number> counts = Map.of();

  private MapCounter(int threads) {
    this.pool = new ForkJoinPool(threads);
  }

  abstract Map<String, ? extends Number> counted(Memory text);

  /**
   * Counts as a careful Java programmer does: one strip of the text per task, one string per word,
   * {@code get} before {@code computeIfAbsent}.
   */
  static RivalCounter ofStrips(Supplier<Map<String, LongAdder>> empty, int threads, int strips) {
    return new MapCounter(threads) {
      @Override
      Map<String, LongAdder> counted(Memory text) {
        Map<String, LongAdder> map = empty.get();
        long bytes = text.byteSize();
        IntStream.range(0, strips)
            .parallel()
            .forEach(
                strip ->
                    WordScan.forEach(
                        text,
                        bytes * strip / strips,
                        bytes * (strip + 1) / strips,
                        (word, length) -> add(map, word, length)));
        return map;
      }
    };
  }

  private static void add(Map<String, LongAdder> counts, byte[] word, int length) {
    String key = new String(word, 0, length, StandardCharsets.ISO_8859_1);
    LongAdder count = counts.get(key);
    if (count == null) {
      count = counts.computeIfAbsent(key, _ -> new LongAdder());
    }
    count.increment();
  }

  /**
   * Counts by a parallel stream, as most Java programs do. Each text is made a string once,
   * beforehand.
   */
  static RivalCounter ofStream(int threads) {
    return new MapCounter(threads) {
      private static final Pattern GAP = Pattern.compile("[^A-Za-z]+");
      private @Nullable Memory source;
      private String string = "";

      @Override
      public void prepare(Memory memory) {
        if (source != memory) {
          source = memory;
          byte[] bytes = memory.segment().toArray(ValueLayout.JAVA_BYTE);
          string = new String(bytes, StandardCharsets.ISO_8859_1);
        }
      }

      @Override
      Map<String, Long> counted(Memory memory) {
        prepare(memory);
        return string
            .lines()
            .parallel()
            .flatMap(GAP::splitAsStream)
            .filter(word -> !word.isEmpty())
            .map(word -> word.toLowerCase(Locale.ROOT))
            .collect(Collectors.groupingByConcurrent(Function.identity(), Collectors.counting()));
      }
    };
  }

  @Override
  public void count(Memory text) {
    Callable<Map<String, ? extends Number>> task = () -> counted(text);
    counts = pool.submit(task).join();
  }

  @Override
  public long distinct() {
    return counts.size();
  }

  @Override
  public long countOf(String word) {
    Number count = counts.get(word);
    return count == null ? 0 : count.longValue();
  }

  @Override
  public void forEach(ObjLongConsumer<String> action) {
    counts.forEach((word, count) -> action.accept(word, count.longValue()));
  }

  @Override
  public long countsUnder(List<String> prefixes) {
    long sum = 0;
    for (String prefix : prefixes) {
      Collection<? extends Number> values =
          switch (counts) {
            case Trie<String, ? extends Number> trie -> trie.prefixMap(prefix).values();
            case SortedMap<String, ? extends Number> sorted ->
                sorted.subMap(prefix, prefix + Character.MAX_VALUE).values();
            default -> throw new UnsupportedOperationException("prefixes of a hash map");
          };
      for (Number value : values) {
        sum += value.longValue();
      }
    }
    return sum;
  }

  @Override
  public void close() {
    pool.close();
  }
}
