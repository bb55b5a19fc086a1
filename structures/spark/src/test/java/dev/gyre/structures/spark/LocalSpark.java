package dev.gyre.structures.spark;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.structures.trie.WordTrie;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.SparkSession;

/** Spark within this process, for tests. */
final class LocalSpark {

  /** What {@code -Dgyre.memory.limit} of this module's tests says. */
  private static final long LIMIT = 400L << 20;

  /** A task that fails is tried again twice. */
  private static final String MASTER = "local[2,3]";

  private LocalSpark() {}

  /** A session whose tasks have 128 MiB off-heap each. */
  static SparkSession open() {
    return session(MASTER).getOrCreate();
  }

  static SparkSession.Builder session(String master) {
    return SparkSession.builder()
        .master(master)
        .appName("gyre tests")
        .config("spark.ui.enabled", false)
        .config("spark.driver.host", "localhost")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", 3)
        .config("spark.memory.offHeap.enabled", true)
        .config("spark.memory.offHeap.size", "256m")
        .config("spark.unsafe.exceptionOnMemoryLeak", true);
  }

  /** Whether nothing is allocated off-heap. */
  static boolean allIsGivenBack() {
    // Each block has a header.
    try (Memory _ = Memory.ofBytes(LIMIT - Memory.HEADER_BYTES)) {
      return true;
    } catch (MemoryExhaustedException e) {
      return false;
    }
  }

  /** The words of a trie, which is closed. */
  static Map<String, Long> words(WordTrie trie) {
    try (trie) {
      Map<String, Long> words = new TreeMap<>();
      trie.forEach(w -> words.put(w.word(), w.count()));
      return words;
    }
  }
}
