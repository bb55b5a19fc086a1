package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.structures.FailingAllocations;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whichever allocation of a trie's operation fails: all memory is given back. */
class FailingTrieAllocationsTest {

  private static final String TEXT =
      IntStream.range(0, 3000)
          .mapToObj(i -> Integer.toString(i, 36).replaceAll("[0-9]", "x"))
          .collect(Collectors.joining(" "));

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void ofANewTrie(Alphabet alphabet) throws Exception {
    int failures = FailingAllocations.ofAll(() -> trie(alphabet).close());
    assertThat(failures).isGreaterThan(1);
  }

  private static WordTrie trie(Alphabet alphabet) {
    return WordTrie.builder().alphabet(alphabet).workers(2).initialNodes(4).build();
  }

  @ParameterizedTest
  @EnumSource
  void ofTextsAndWords(Alphabet alphabet) throws Exception {
    int failures =
        FailingAllocations.ofAll(
            () -> {
              try (WordTrie trie = trie(alphabet)) {
                trie.add("some words");
                trie.add(TEXT);
                trie.addWord("another", 5);
                assertThat(trie.total("a")).isPositive();
              }
            });
    assertThat(failures).isGreaterThan(4);
  }

  @ParameterizedTest
  @EnumSource
  void ofMergesAndWhatIsRetained(Alphabet alphabet) throws Exception {
    int failures =
        FailingAllocations.ofAll(
            () -> {
              try (WordTrie trie = trie(alphabet);
                  WordTrie other = trie(alphabet)) {
                other.add("some other words, some of them twice");
                trie.add("words");
                trie.addAll(other);
                trie.retain(2);
                trie.clear();
              }
            });
    assertThat(failures).isGreaterThan(4);
  }

  @ParameterizedTest
  @EnumSource
  void ofALoadedTrie(Alphabet alphabet) throws Exception {
    Path file = folder.resolve("trie");
    try (WordTrie trie = trie(alphabet)) {
      trie.add("some words");
      trie.save(file);
    }
    int failures =
        FailingAllocations.ofAll(() -> WordTrie.builder().alphabet(alphabet).load(file).close());
    assertThat(failures).isGreaterThan(1);
  }
}
