package dev.gyre.bench.words;

import dev.gyre.atomics.Memory;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts by a parallel stream, as most Java programs do. The text is a string beforehand, which is
 * not measured.
 */
final class StreamCounter implements RivalCounter {

  private static final Pattern GAP = Pattern.compile("[^A-Za-z]+");

  private final ForkJoinPool pool;
  private @Nullable Memory source;
  private String text = "";
  private Map<String, Long> counts = Map.of();

  StreamCounter(int threads) {
    this.pool = new ForkJoinPool(threads);
  }

  /** Makes the string that is counted, once for each text. */
  @Override
  public void prepare(Memory memory) {
    if (source != memory) {
      source = memory;
      byte[] bytes = memory.segment().toArray(ValueLayout.JAVA_BYTE);
      text = new String(bytes, StandardCharsets.ISO_8859_1);
    }
  }

  @Override
  public void count(Memory memory) {
    prepare(memory);
    counts =
        pool.submit(
                () ->
                    text.lines()
                        .parallel()
                        .flatMap(GAP::splitAsStream)
                        .filter(word -> !word.isEmpty())
                        .map(word -> word.toLowerCase(Locale.ROOT))
                        .collect(
                            Collectors.groupingByConcurrent(
                                Function.identity(), Collectors.counting())))
            .join();
  }

  @Override
  public long total() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public long distinct() {
    return counts.size();
  }

  @Override
  public long countsOf(List<String> words) {
    long sum = 0;
    for (String word : words) {
      sum += counts.getOrDefault(word, 0L);
    }
    return sum;
  }

  @Override
  public long countsOfBytes(List<byte[]> words) {
    long sum = 0;
    for (byte[] word : words) {
      sum += counts.getOrDefault(new String(word, StandardCharsets.ISO_8859_1), 0L);
    }
    return sum;
  }

  @Override
  public long countsOfTop(int words) {
    Largest largest = new Largest(words);
    counts.forEach(largest::accept);
    return largest.sum();
  }

  @Override
  public List<String> words() {
    return List.copyOf(counts.keySet());
  }

  @Override
  public void drop() {
    counts = Map.of();
  }

  @Override
  public void close() {
    pool.close();
  }
}
