package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.TargetUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A trie has no more than 2^63 - 1 words, and shows no other number for having been asked to. */
@ConformanceSuite
@Timeout(300)
class CountLimitTest {

  private static final long MAX = Long.MAX_VALUE;

  /** Long enough for a launch, of 5,000 words. */
  private static final String LONG_TEXT = "word ".repeat(5_000);

  private JvmLauncher jvm;
  private WordTrie trie;

  @BeforeEach
  void open() {
    jvm = JvmLauncher.ofWorkers(2);
    Launcher device = TargetUnderTest.device();
    trie = WordTrie.builder().launcher(device != null ? device : jvm).initialNodes(1).build();
  }

  @AfterEach
  void close() {
    trie.close();
    jvm.close();
  }

  @Test
  void whatWouldBeMoreIsRefusedAndChangesNothing(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("text"), LONG_TEXT);
    trie.addWord("over", MAX);
    assertRefused(() -> trie.addWord("over", MAX));
    assertRefused(() -> trie.addWord("over", 1));
    assertRefused(() -> trie.addWord("other", 1));
    assertRefused(() -> trie.add("some other words"));
    assertRefused(() -> trie.add(LONG_TEXT));
    assertRefused(() -> trie.add(file));
    try (Memory text = Memory.ofBytes(1 << 15)) {
      assertRefused(() -> trie.add(text, 1 << 15));
    }
    assertRefused(() -> trie.addAll(trie));
    assertThat(trie.count("over")).isEqualTo(MAX);
    assertThat(trie.size()).isEqualTo(1);
    assertThat(trie.total()).isEqualTo(MAX).isEqualTo(trie.total("")).isEqualTo(trie.total("ov"));
    assertThat(trie.top(2)).containsExactly(new WordCount("over", MAX));
    Path saved = folder.resolve("trie");
    trie.save(saved);
    try (WordTrie loaded = WordTrie.builder().launcher(jvm).load(saved)) {
      assertThat(loaded.count("over")).isEqualTo(MAX);
      assertRefused(() -> loaded.add("over"));
      assertRefused(() -> loaded.addAll(trie));
      // It counts with what is left.
      loaded.add("").retain(MAX).add("").clear().addAll(trie);
      assertThat(loaded.total()).isEqualTo(MAX);
    }
  }

  @Test
  void sumsOfManyWordsAreWithinTheLimitToo() {
    trie.addWord("one", MAX / 2).addWord("other", MAX / 2);
    assertThat(trie.total()).isEqualTo(MAX - 1);
    assertRefused(() -> trie.addWord("third", 2));
    trie.addWord("third", 1);
    assertThat(trie.total()).isEqualTo(MAX).isEqualTo(trie.total(""));
    assertThat(trie.total("o")).isEqualTo(MAX - 1);
    // Asked again, so that the sums of all prefixes are kept.
    for (int i = 0; i < 20; i++) {
      assertThat(trie.total("")).isEqualTo(MAX);
    }
  }

  @Test
  void textsAreAddedAsLongAsAllTheirWordsAreSureToFit() {
    long most = CountLimit.mostWords(LONG_TEXT.length());
    trie.addWord("over", MAX - most + 1);
    assertRefused(() -> trie.add(LONG_TEXT));
    trie.clear().addWord("over", MAX - most).add(LONG_TEXT);
    assertThat(trie.count("word")).isEqualTo(5_000);
    trie.add("a b c");
    assertThat(trie.total()).isEqualTo(MAX - most + 5_003);
    trie.retain(5_000).add("new words need new nodes");
    assertThat(trie.count("new")).isEqualTo(2);
  }

  @Test
  void whatWasForgottenLeavesRoom() {
    trie.addWord("over", MAX).clear().addWord("over", MAX - 1).addWord("rare", 1).retain(2);
    assertThat(trie.addWord("over", 1).total()).isEqualTo(MAX);
    assertRefused(() -> trie.addWord("over", 1));
  }

  @Test
  void manyThreadsComeToTheLimitAndNoneGoesBeyond() throws Exception {
    int threads = 4;
    int rounds = 8;
    long part = MAX / 16;
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<Integer>> added = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        String own = "own" + "abcd".charAt(thread);
        added.add(pool.submit(() -> add(own, part, rounds)));
      }
      int times = 0;
      for (Future<Integer> future : added) {
        times += future.get();
      }
      // Of 32 there is room for 16, less what the texts beside them may have.
      assertThat(times).isBetween(15, 16);
      assertThat(trie.count("shared")).isEqualTo(times * part);
      assertThat(trie.total()).isEqualTo(trie.total("")).isBetween(15 * part, MAX);
    }
  }

  /** Adds a word and a text by turns; returns how often the word was added. */
  private int add(String own, long times, int rounds) {
    int added = 0;
    for (int round = 0; round < rounds; round++) {
      try {
        trie.addWord("shared", times);
        added++;
      } catch (StructureException e) {
        assertThat(e).hasMessageContaining("2^63 - 1");
      }
      try {
        trie.add(own + "x".repeat(round));
      } catch (StructureException e) {
        assertThat(e).hasMessageContaining("2^63 - 1");
      }
    }
    return added;
  }

  private static void assertRefused(ThrowingCallable adding) {
    assertThatThrownBy(adding)
        .isInstanceOf(StructureException.class)
        .hasMessageContaining("more than 2^63 - 1");
  }
}
