package dev.gyre.kernels.trie;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@EnumSource
class BuildTrieTest {

  private static JvmLauncher launcher;

  @Parameter private NodeSize size = NodeSize.LARGE;

  @BeforeAll
  static void open() {
    launcher = JvmLauncher.ofWorkers(4);
  }

  @AfterAll
  static void close() {
    launcher.close();
  }

  private void requireCounted(TrieHarness harness, byte[] text) {
    harness.size = size;
    assertThat(harness.count(launcher, text)).isEqualTo(harness.expected(text));
  }

  @Test
  void countsRandomTextsWithBlocksOfAllSizes() {
    Random random = new Random(1);
    for (int blocks : new int[] {1, 2, 3, 8, 40}) {
      for (int blockSize : new int[] {1, 2, 5}) {
        for (int length : new int[] {1, 2, 31, 32, 33, 40, 64, 65, 300, 3000}) {
          requireCounted(
              new TrieHarness(blocks, blockSize), TrieHarness.randomText(random, length, 3));
        }
      }
    }
  }

  @Test
  void countsWordsOfUnicodeWhereverChunksEnd() {
    Random random = new Random(2);
    for (int length = 1; length < 400; length++) {
      TrieHarness harness = new TrieHarness(2, 2);
      harness.alphabet = Alphabet.UNICODE_LETTERS;
      requireCounted(harness, TrieHarness.randomUnicode(random, length));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", " ", "a a", "ab", "ab\n", "\n\nab cd", "x'y", "A a B b A"})
  void countsWordsAtTheEdgesOfText(String text) {
    byte[] bytes = text.getBytes(US_ASCII);
    for (int blocks = 1; blocks <= 3; blocks++) {
      requireCounted(new TrieHarness(blocks, 1), bytes);
      requireCounted(new TrieHarness(1, blocks), bytes);
    }
  }

  @Test
  void aWordLongerThanManyChunksIsOne() {
    byte[] text = ("begin " + "xyz".repeat(400) + " end").getBytes(US_ASCII);
    requireCounted(new TrieHarness(8, 4), text);
    requireCounted(new TrieHarness(8, 4), "xyz".repeat(400).getBytes(US_ASCII));
  }

  @Test
  void wordsAroundTheLongestThatHasAKeyAreToldApart() {
    StringBuilder text = new StringBuilder();
    for (int letters = 6; letters <= 18; letters++) {
      for (int i = 0; i < 3; i++) {
        text.append("a".repeat(letters)).append(' ').append("b".repeat(letters - 1)).append("a ");
      }
    }
    byte[] bytes = text.toString().getBytes(US_ASCII);
    requireCounted(new TrieHarness(1, 2), bytes);
  }

  /** What finds no slot is counted in the trie itself. */
  @ParameterizedTest
  @ValueSource(ints = {4, 8, 64, 1 << 12})
  void aBlockMayHaveRoomForFewWords(int words) {
    byte[] text = TrieHarness.randomText(new Random(words), 3000, 8);
    for (LaunchMode mode : LaunchMode.values()) {
      TrieHarness harness = new TrieHarness(new LaunchShape(2, 4), mode, TrieHarness.MAX_NODES, 0);
      harness.blockWords = words;
      requireCounted(harness, text);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8})
  void goesOnAfterTheHostAddedRoomForOneNodeAtATime(int blocks) {
    byte[] text = TrieHarness.randomText(new Random(blocks), 100, 2);
    LaunchShape shape = new LaunchShape(blocks, 2);
    for (LaunchMode mode : LaunchMode.values()) {
      TrieHarness harness = new TrieHarness(shape, mode, 1, 1);
      requireCounted(harness, text);
      TrieHarness ample = new TrieHarness(shape, mode, TrieHarness.MAX_NODES, 0);
      requireCounted(ample, text);
      assertThat(harness.nodes).isEqualTo(ample.nodes);
      assertThat((long) harness.launches).isEqualTo(ample.nodes);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void concurrentThreadsShareOneTrieAndTheWordsOfTheirBlock(int threads) {
    for (int seed = 0; seed < 30; seed++) {
      byte[] text = TrieHarness.randomText(new Random(seed), 4000, 3);
      LaunchShape[] shapes = {new LaunchShape(threads, 1), new LaunchShape(1, threads)};
      for (LaunchShape shape : shapes) {
        requireCounted(
            new TrieHarness(shape, LaunchMode.CONCURRENT, TrieHarness.MAX_NODES, 0), text);
      }
    }
  }

  @Test
  void aMutantWhoseClaimIsNoCompareAndExchangeFails() {
    assertThat(fails(build -> BrokenTries.checkThenAct(build))).isTrue();
  }

  @Test
  void aMutantWhoseCountIsNoAtomicAddFails() {
    assertThat(fails(build -> BrokenTries.plainCount(build))).isTrue();
  }

  /** Whether a kernel is found out within a bounded number of runs. */
  private static boolean fails(Function<BuildTrie, Kernel> kernel) {
    boolean failed = false;
    for (int seed = 0; seed < 300 && !failed; seed++) {
      byte[] text = TrieHarness.randomText(new Random(seed), 4000, 3);
      LaunchShape shape = LaunchShape.ofThreads(8);
      TrieHarness harness = new TrieHarness(shape, LaunchMode.CONCURRENT, TrieHarness.MAX_NODES, 0);
      Map<String, Long> counts = harness.count(launcher, text, kernel);
      failed = !counts.equals(harness.expected(text));
    }
    return failed;
  }
}
