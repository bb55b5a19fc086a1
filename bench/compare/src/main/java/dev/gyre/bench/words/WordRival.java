package dev.gyre.bench.words;

import dev.gyre.kernels.trie.NodeSize;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.commons.collections4.trie.PatriciaTrie;

/** What all benchmarks of words compare. */
public enum WordRival {
  GYRE_TRIE("gyre-trie", true, true),
  /** The same with nodes of 32 bytes. */
  GYRE_TRIE_SMALL("gyre-trie-small", true, true),
  /** {@link dev.gyre.structures.map.TextLongMap}. */
  GYRE_TEXT_MAP("gyre-text-map", true, false),
  /** {@code ConcurrentHashMap<String, LongAdder>}. */
  CONCURRENT_HASH_MAP("ConcurrentHashMap", true, false),
  /** {@code lines().parallel() ... groupingByConcurrent}. */
  PARALLEL_STREAM("parallel stream", true, false),
  /** {@code ConcurrentSkipListMap<String, LongAdder>}: the JDK's own for prefixes. */
  SKIP_LIST("ConcurrentSkipListMap", true, true),
  /** Commons Collections. */
  PATRICIA_TRIE("PatriciaTrie", false, true);

  private static final int STRIPS_PER_THREAD = 8;
  private static final int CAPACITY = 1 << 16;

  private final String label;
  private final boolean concurrent;
  private final boolean sorted;

  WordRival(String label, boolean concurrent, boolean sorted) {
    this.label = label;
    this.concurrent = concurrent;
    this.sorted = sorted;
  }

  /** The name in results. */
  public String label() {
    return label;
  }

  /** Whether several threads may count with it; the others are measured with one. */
  public boolean isConcurrent() {
    return concurrent;
  }

  /** Whether it finds words by their beginning. */
  public boolean hasPrefixes() {
    return sorted;
  }

  /** Makes an empty one for so many threads. */
  public RivalCounter open(int threads) {
    if (!concurrent && threads != 1) {
      throw new IllegalArgumentException(label + " is for one thread");
    }
    int strips = threads * STRIPS_PER_THREAD;
    return switch (this) {
      case GYRE_TRIE -> new TrieCounter(threads, strips, NodeSize.LARGE);
      case GYRE_TRIE_SMALL -> new TrieCounter(threads, strips, NodeSize.SMALL);
      case GYRE_TEXT_MAP -> new TextMapCounter(threads);
      case CONCURRENT_HASH_MAP ->
          MapCounter.ofStrips(() -> new ConcurrentHashMap<>(CAPACITY), threads, strips);
      case SKIP_LIST -> MapCounter.ofStrips(ConcurrentSkipListMap::new, threads, strips);
      case PATRICIA_TRIE -> MapCounter.ofStrips(PatriciaTrie::new, 1, 1);
      case PARALLEL_STREAM -> MapCounter.ofStream(threads);
    };
  }
}
