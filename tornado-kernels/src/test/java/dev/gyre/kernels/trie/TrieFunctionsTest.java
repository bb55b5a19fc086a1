package dev.gyre.kernels.trie;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchMode;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrieFunctionsTest {

  private static JvmLauncher launcher;

  @BeforeAll
  static void open() {
    launcher = JvmLauncher.ofWorkers(4);
  }

  @AfterAll
  static void close() {
    launcher.close();
  }

  @Test
  void countsRandomTextsWithEveryNumberOfStrips() {
    Random random = new Random(1);
    for (int strips = 1; strips <= 64; strips++) {
      for (int length : new int[] {0, 1, 2, 40, 300, 3000}) {
        byte[] text = TrieHarness.randomText(random, length, 3);
        assertThat(new TrieHarness(strips, LaunchMode.STRIDED).count(launcher, text))
            .as("%d strips, %d bytes", strips, length)
            .isEqualTo(TrieHarness.expected(text));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", " ", "a a", "ab", "ab\n", "\n\nab cd", "x'y", "A a B b A"})
  void countsWordsAtTheEdgesOfText(String text) {
    byte[] bytes = text.getBytes(US_ASCII);
    for (int strips = 1; strips <= 12; strips++) {
      assertThat(new TrieHarness(strips, LaunchMode.STRIDED).count(launcher, bytes))
          .as("%d strips", strips)
          .isEqualTo(TrieHarness.expected(bytes));
    }
  }

  @Test
  void aWordLongerThanManyStripsBelongsToOne() {
    byte[] text = ("begin " + "xyz".repeat(400) + " end").getBytes(US_ASCII);
    for (int strips = 1; strips <= 64; strips++) {
      assertThat(new TrieHarness(strips, LaunchMode.STRIDED).count(launcher, text))
          .isEqualTo(TrieHarness.expected(text));
    }
  }

  @Test
  void wordsAroundTheLongestThatTheCacheHoldsAreToldApart() {
    StringBuilder text = new StringBuilder();
    for (int letters = 9; letters <= 16; letters++) {
      for (int i = 0; i < 3; i++) {
        text.append("a".repeat(letters)).append(' ').append("b".repeat(letters - 1)).append("a ");
      }
    }
    byte[] bytes = text.toString().getBytes(US_ASCII);
    assertThat(new TrieHarness(1, LaunchMode.STRIDED).count(launcher, bytes))
        .isEqualTo(TrieHarness.expected(bytes));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8})
  void goesOnAfterTheHostAddedRoomForOneNodeAtATime(int strips) {
    byte[] text = TrieHarness.randomText(new Random(strips), 400, 2);
    for (LaunchMode mode : LaunchMode.values()) {
      TrieHarness harness = new TrieHarness(strips, mode, 3, 1, 1);
      assertThat(harness.count(launcher, text)).isEqualTo(TrieHarness.expected(text));
      TrieHarness ample = new TrieHarness(strips, mode);
      assertThat(ample.count(launcher, text)).isEqualTo(TrieHarness.expected(text));
      assertThat(harness.nodes).isEqualTo(ample.nodes);
      assertThat((long) harness.launches).isEqualTo(ample.nodes);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void concurrentStripsShareOneTrie(int strips) {
    for (int seed = 0; seed < 30; seed++) {
      byte[] text = TrieHarness.randomText(new Random(seed), 4000, 3);
      for (int mask : new int[] {0, 255}) {
        assertThat(
                new TrieHarness(strips, LaunchMode.CONCURRENT, mask, TrieHarness.MAX_NODES, 0)
                    .count(launcher, text))
            .isEqualTo(TrieHarness.expected(text));
      }
    }
  }

  @Test
  void aTwinWhoseClaimIsNoCompareAndExchangeFails() {
    assertThat(fails(build -> BrokenTries.checkThenAct(build))).isTrue();
  }

  @Test
  void aTwinWhoseCountIsNoAtomicAddFails() {
    assertThat(fails(build -> BrokenTries.plainCount(build))).isTrue();
  }

  /** Whether a kernel is found out within a bounded number of runs. */
  private static boolean fails(Function<BuildTrie, Kernel> kernel) {
    boolean failed = false;
    for (int seed = 0; seed < 300 && !failed; seed++) {
      byte[] text = TrieHarness.randomText(new Random(seed), 4000, 3);
      Map<String, Long> counts =
          new TrieHarness(8, LaunchMode.CONCURRENT).count(launcher, text, kernel);
      failed = !counts.equals(TrieHarness.expected(text));
    }
    return failed;
  }
}
