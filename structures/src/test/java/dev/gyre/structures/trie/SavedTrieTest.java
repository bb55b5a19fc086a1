package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.MemoryLeft;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is saved loads and is equal, whatever state a trie is in when it may be read. */
@Timeout(120)
class SavedTrieTest {

  private static final int THREADS = 3;
  private static final int WORDS = 600;

  @TempDir private Path folder;

  private static String word(SplittableRandom random) {
    StringBuilder word = new StringBuilder();
    for (int letter = 0; letter < 6; letter++) {
      word.append((char) random.nextInt('a', 'z' + 1));
    }
    return word.toString();
  }

  private static Map<String, Long> words(WordTrie trie) {
    TreeMap<String, Long> words = new TreeMap<>();
    trie.forEach(w -> words.put(w.word(), w.count()));
    return words;
  }

  @ParameterizedTest
  @EnumSource
  void edgesForWhichThereWasNoRoomAreNotSaved(Alphabet alphabet) {
    Path file = folder.resolve("nodes");
    byte[] word = "ab".getBytes(StandardCharsets.US_ASCII);
    try (TrieNodes nodes = new TrieNodes(alphabet, NodeSize.LARGE, 2)) {
      assertThat(TrieAdder.addWord(nodes, Steps.ofWord(alphabet, "a"), 5)).isTrue();
      assertThat(TrieAdder.addWord(nodes, Steps.ofWord(alphabet, "ab"), 1)).isFalse();
      assertThat(TrieAdder.addWord(nodes, Steps.ofWord(alphabet, "c"), 1)).isFalse();
      TrieFile.save(nodes, file);
      try (TrieNodes loaded = TrieFile.read(TrieFile.FORMAT.open(file), alphabet)) {
        assertThat(loaded.size()).isEqualTo(2);
        assertThat(new TrieWords(loaded, new TrieLock(loaded)).count(word)).isZero();
        assertThat(new TrieWords(loaded, new TrieLock(loaded)).count(new byte[] {'a'}))
            .isEqualTo(5);
        loaded.grow();
        assertThat(TrieAdder.addWord(loaded, Steps.ofWord(alphabet, "ab"), 2)).isTrue();
        assertThat(new TrieWords(loaded, new TrieLock(loaded)).count(word)).isEqualTo(2);
      }
      // Nor is anything lost for the one that goes on.
      nodes.grow();
      assertThat(TrieAdder.addWord(nodes, Steps.ofWord(alphabet, "ab"), 3)).isTrue();
      assertThat(new TrieWords(nodes, new TrieLock(nodes)).count(word)).isEqualTo(3);
    }
  }

  @Test
  void whatWasAddedUntilMemoryEndedIsSaved() {
    Path file = folder.resolve("trie");
    SplittableRandom random = new SplittableRandom(1);
    try (WordTrie trie = WordTrie.builder().workers(1).build()) {
      boolean room = true;
      try (MemoryLeft _ = MemoryLeft.of(1 << 20)) {
        while (room) {
          trie.addWord(word(random), 1);
        }
      } catch (MemoryExhaustedException e) {
        room = false;
      }
      trie.save(file);
      try (WordTrie loaded = WordTrie.load(file)) {
        assertThat(words(loaded)).isEqualTo(words(trie));
        assertThat(loaded.addWord("and", 1).count("and")).isEqualTo(1);
      }
    }
  }

  @Test
  void whatIsSavedBesideThreadsThatAddIsLoaded() throws Exception {
    Path file = folder.resolve("trie");
    Queue<Throwable> failed = new ConcurrentLinkedQueue<>();
    for (int round = 0; round < 8; round++) {
      try (WordTrie trie = WordTrie.builder().workers(1).initialNodes(1).build()) {
        List<Thread> adding = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
          SplittableRandom random = new SplittableRandom(round * 10L + t);
          adding.add(
              Thread.ofPlatform()
                  .start(
                      () -> {
                        try {
                          for (int i = 0; i < WORDS; i++) {
                            trie.add(word(random));
                          }
                        } catch (RuntimeException e) {
                          failed.add(e);
                        }
                      }));
        }
        while (adding.stream().anyMatch(Thread::isAlive)) {
          trie.save(file);
          try (WordTrie loaded = WordTrie.builder().workers(1).load(file)) {
            Map<String, Long> later = words(trie);
            words(loaded)
                .forEach((word, count) -> assertThat(count).isLessThanOrEqualTo(later.get(word)));
          }
        }
        trie.save(file);
        try (WordTrie loaded = WordTrie.builder().workers(1).load(file)) {
          assertThat(loaded.total()).isEqualTo(THREADS * WORDS);
          assertThat(words(loaded)).isEqualTo(words(trie));
        }
      }
    }
    assertThat(failed).isEmpty();
  }
}
