package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.datasets.generators.Keys;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.MapBuilder;
import dev.gyre.structures.trie.WordTrie;
import dev.gyre.structures.trie.WordTrieBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What is built by launches that defer is what is built by those that wait. More keys than by
 * default: {@code -Dgyre.deferred.keys=16777216}.
 */
@ConformanceSuite
class DeferredResultsTest {

  private static final int KEYS = Integer.getInteger("gyre.deferred.keys", 1 << 18);
  private static final Path BOOKS =
      Path.of(System.getProperty("gyre.books", "../../shared/gutenberg"));

  /** The books of the talk's measurements. */
  private static final List<String> TEN =
      List.of(
          "2600-0", "2701-0", "35-0", "84-0", "8800", "pg1727", "pg55", "pg6130", "pg996",
          "1342-0");

  @Test
  void tenBooksHaveTheSameWords() {
    Path[] books = TEN.stream().map(name -> BOOKS.resolve(name + ".txt")).toArray(Path[]::new);
    assumeTrue(
        Stream.of(books).allMatch(Files::exists),
        "the ten books are not in " + BOOKS + " (gyre.books)");
    assertThat(words(Waiting.DEFERRED, books)).isEqualTo(words(Waiting.BLOCKING, books));
  }

  @Test
  void mapsHaveTheSameEntries() {
    assertThat(Arrays.equals(entries(Waiting.DEFERRED), entries(Waiting.BLOCKING))).isTrue();
  }

  private static Map<String, Long> words(Waiting waiting, Path[] books) {
    WordTrieBuilder builder = WordTrie.builder().waiting(waiting);
    Launcher device = TargetUnderTest.device();
    if (device != null) {
      builder.launcher(device);
    }
    try (WordTrie trie = builder.build()) {
      Map<String, Long> words = new HashMap<>();
      trie.add(books).forEach(word -> words.put(word.word(), word.count()));
      return words;
    }
  }

  /** Keys of which about a third come again, with their sums; in the order of the keys. */
  private static long[] entries(Waiting waiting) {
    long[] keys = Keys.uniform(1, KEYS).longs(KEYS);
    MapBuilder<LongLongMap> builder = LongLongMap.builder().waiting(waiting).seed(1);
    Launcher device = TargetUnderTest.device();
    if (device != null) {
      builder.launcher(device);
    }
    try (LongLongMap map = builder.build()) {
      var _ = map.insertOrApply(keys, keys, Apply.ADD);
      long[] found = new long[(int) map.size()];
      long[] sums = new long[found.length];
      assertThat(map.retrieveAll(found, sums)).isEqualTo(found.length);
      Arrays.sort(found);
      var _ = map.find(found, sums);
      long[] both = Arrays.copyOf(found, 2 * found.length);
      System.arraycopy(sums, 0, both, found.length, sums.length);
      return both;
    }
  }
}
