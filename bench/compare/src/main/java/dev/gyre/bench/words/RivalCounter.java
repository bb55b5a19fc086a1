package dev.gyre.bench.words;

import dev.gyre.atomics.Memory;
import dev.gyre.bench.map.Rival;
import dev.gyre.bench.map.Rival.Use;
import dev.gyre.kernels.trie.NodeSize;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.ObjLongConsumer;
import org.apache.commons.collections4.trie.PatriciaTrie;

/** Counts of words that are measured: ours, or what Java programs count with today. */
public interface RivalCounter extends AutoCloseable {

  /**
   * Makes an empty one for so many threads.
   *
   * @throws IllegalArgumentException if a rival counts no words, or supports only one thread
   */
  static RivalCounter open(Rival rival, int threads) {
    rival.require(Use.WORDS, threads);
    int strips = threads * 8;
    return switch (rival) {
      case GYRE_TRIE -> new TrieCounter(threads, strips, NodeSize.LARGE);
      case GYRE_TRIE_SMALL -> new TrieCounter(threads, strips, NodeSize.SMALL);
      case GYRE_TEXT_MAP -> new TextMapCounter(threads);
      case CONCURRENT_HASH_MAP ->
          MapCounter.ofStrips(() -> new ConcurrentHashMap<>(1 << 16), threads, strips);
      case SKIP_LIST -> MapCounter.ofStrips(ConcurrentSkipListMap::new, threads, strips);
      case PATRICIA_TRIE -> MapCounter.ofStrips(PatriciaTrie::new, 1, 1);
      case PARALLEL_STREAM -> MapCounter.ofStream(threads);
      default -> throw new IllegalArgumentException(rival + " counts no words");
    };
  }

  /** Brings a text into the form that is counted, where that is no part of counting. */
  default void prepare(Memory text) {}

  /** Counts the words of a text, from an empty structure to all counts. */
  void count(Memory text);

  /** Returns the number of distinct words. */
  long distinct();

  /** Returns the count of a word, or 0. */
  long countOf(String word);

  /** Gives all words with their counts to an action. */
  void forEach(ObjLongConsumer<String> action);

  /** Returns the number of words that were counted. */
  default long total() {
    long[] sum = new long[1];
    forEach((_, count) -> sum[0] += count);
    return sum[0];
  }

  /** Returns the sum of the counts of words. */
  default long countsOf(List<String> words) {
    long sum = 0;
    for (String word : words) {
      sum += countOf(word);
    }
    return sum;
  }

  /**
   * Returns the sum of the counts of all words that begin with one of some prefixes.
   *
   * @throws UnsupportedOperationException if only whole words can be looked up
   */
  default long countsUnder(List<String> prefixes) {
    throw new UnsupportedOperationException("prefixes of a hash map");
  }

  /** Returns the sum of the counts of the most frequent words: one pass, and a queue. */
  default long countsOfTop(int words) {
    record Counted(String word, long count) {}
    PriorityQueue<Counted> queue = new PriorityQueue<>((a, b) -> Long.compare(a.count, b.count));
    forEach(
        (word, count) -> {
          Counted least = queue.peek();
          if (least == null || queue.size() < words) {
            queue.add(new Counted(word, count));
          } else if (count > least.count) {
            Counted _ = queue.remove();
            queue.add(new Counted(word, count));
          }
        });
    return queue.stream().mapToLong(Counted::count).sum();
  }

  /** Returns all distinct words. */
  default List<String> words() {
    List<String> words = new ArrayList<>();
    forEach((word, _) -> words.add(word));
    return words;
  }

  /** Returns the bytes outside the heap. */
  default long bytesOutside() {
    return 0;
  }

  @Override
  void close();
}
