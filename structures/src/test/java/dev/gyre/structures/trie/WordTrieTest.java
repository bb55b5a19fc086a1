package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextChunks;
import dev.gyre.datasets.TextSource;
import dev.gyre.datasets.generators.ZipfText;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.StructureException;
import java.io.ByteArrayInputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@EnumSource
@Timeout(120)
class WordTrieTest {

  @Parameter private NodeSize size = NodeSize.LARGE;

  @Test
  void countsWords() {
    try (WordTrie trie = WordTrie.builder().nodeSize(size).build()) {
      trie.add("It was the best of times, it was the worst of times");
      assertThat(trie.count("times")).isEqualTo(2);
      assertThat(trie.count("It")).isEqualTo(2);
      assertThat(trie.count("time")).isZero();
      assertThat(trie.count("timesx")).isZero();
      assertThat(trie.count("")).isZero();
      assertThat(trie.count("of times")).isZero();
      assertThat(trie.contains("best")).isTrue();
      assertThat(trie.contains("beast")).isFalse();
      assertThat(trie.total()).isEqualTo(12);
      assertThat(trie.size()).isEqualTo(7);
      assertThat(trie.top(3))
          .containsExactly(new WordCount("it", 2), new WordCount("of", 2), new WordCount("the", 2));
      assertThat(words(trie).keySet())
          .containsExactly("best", "it", "of", "the", "times", "was", "worst");
    }
  }

  /** Short ones, and those that are long enough for a launch. */
  @Test
  void aTextMayBeBytes() {
    byte[] text = "words, and more words; ".repeat(10_000).getBytes(StandardCharsets.UTF_8);
    try (WordTrie trie = WordTrie.builder().nodeSize(size).build()) {
      trie.add(Arrays.copyOf(text, 9)).add(text);
      assertThat(trie.count("words")).isEqualTo(20_001);
      assertThat(trie.count("an")).isEqualTo(1);
      assertThat(trie.total()).isEqualTo(40_002);
    }
  }

  @Test
  void aTrieWithoutWordsHasOnlyItsRoot() {
    try (WordTrie trie = WordTrie.builder().nodeSize(size).build()) {
      trie.add("").add(" 123 \n\n").add(new byte[0]);
      assertThat(trie.size()).isZero();
      assertThat(trie.total()).isZero();
      assertThat(trie.nodes()).isEqualTo(1);
      assertThat(trie.top(5)).isEmpty();
      assertThat(words(trie)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 64, 1000})
  void agreesWithASequentialCountForAnyNumberOfDeviceThreads(int deviceThreads) {
    byte[] text = ZipfText.sample();
    try (WordTrie trie =
        WordTrie.builder()
            .nodeSize(size)
            .deviceThreads(deviceThreads)
            .workers(4)
            .initialNodes(1)
            .build()) {
      addBytes(trie, text);
      assertThat(words(trie)).isEqualTo(sequential(text));
    }
  }

  @Test
  void agreesOnRandomBytesForEverySmallStripAndChunk() {
    SplittableRandom random = new SplittableRandom(42);
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(2)) {
      for (int round = 0; round < 60; round++) {
        byte[] text = new byte[random.nextInt(120)];
        for (int i = 0; i < text.length; i++) {
          // Few letters, so that words meet; some bytes of every other kind.
          text[i] =
              (byte)
                  (random.nextInt(3) > 0
                      ? "abcABC".charAt(random.nextInt(6))
                      : random.nextInt(256));
        }
        SortedMap<String, Long> expected = sequential(text);
        int deviceThreads = 1 + random.nextInt(40);
        long chunkBytes = 1 + random.nextLong(40);
        try (WordTrie trie =
            WordTrie.builder()
                .nodeSize(size)
                .launcher(launcher)
                .deviceThreads(deviceThreads)
                .initialNodes(1 + random.nextInt(5))
                .build()) {
          trie.add(TextSource.ofMemory(MemorySegment.ofArray(text)), chunkBytes, ByteProgress.NONE);
          assertThat(words(trie))
              .as("round %d, %d strips, chunks of %d", round, deviceThreads, chunkBytes)
              .isEqualTo(expected);
        }
      }
    }
  }

  /** Workers ask in vain for what others have learnt of thousands of words, and then no more. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void wordsThatAreAllNewAreCountedAndThoseThatComeAgainBehindThem(int workers) {
    Random random = new Random(5);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 60_000; i++) {
      // From the middle on, a hundred words.
      int word = i < 30_000 ? i + 1 : random.nextInt(1, 100);
      text.append(word % 3 == 0 ? "incomprehensibly" : "");
      for (int rest = word; rest > 0; rest /= 26) {
        text.append((char) ('a' + rest % 26));
      }
      text.append(' ');
    }
    byte[] twice = text.append(text).toString().getBytes(StandardCharsets.US_ASCII);
    try (WordTrie trie = WordTrie.builder().nodeSize(size).workers(workers).build()) {
      trie.add(twice).add(twice);
      SortedMap<String, Long> expected = sequential(twice);
      expected.replaceAll((_, count) -> 2 * count);
      assertThat(words(trie)).isEqualTo(expected);
    }
  }

  @Test
  void countsAddUpOverTexts() {
    try (WordTrie trie = WordTrie.builder().nodeSize(size).initialNodes(2).build()) {
      for (int i = 0; i < 50; i++) {
        trie.add("again w" + "x".repeat(i) + " again");
      }
      assertThat(trie.count("again")).isEqualTo(100);
      assertThat(trie.total()).isEqualTo(150);
      assertThat(trie.size()).isEqualTo(51);
    }
  }

  @Test
  void filesAreCountedAsIfANewlineStoodBetween(@TempDir Path folder) throws Exception {
    Path first = Files.writeString(folder.resolve("a"), "one tw");
    Path second = Files.writeString(folder.resolve("b"), "o three");
    Path empty = Files.writeString(folder.resolve("c"), "");
    try (WordTrie trie = WordTrie.builder().nodeSize(size).build()) {
      trie.add(first, empty, second);
      assertThat(words(trie).keySet()).containsExactly("o", "one", "three", "tw");
    }
  }

  @Test
  void aMissingFileIsBadInputAndSparesTheTrie(@TempDir Path folder) {
    try (WordTrie trie = WordTrie.builder().nodeSize(size).build()) {
      trie.add("kept");
      assertThatThrownBy(() -> trie.add(folder.resolve("missing")))
          .isInstanceOf(BadInputException.class)
          .hasMessageContaining("missing");
      assertThat(trie.count("kept")).isEqualTo(1);
    }
  }

  @Test
  @Tag("slow")
  void aWordOfTenMegabytesIsAWord() {
    byte[] text = new byte[10 << 20];
    java.util.Arrays.fill(text, (byte) 'a');
    // A letter of its own at the end, so that the end is seen to be there.
    text[text.length - 1] = 'b';
    try (WordTrie trie = WordTrie.builder().nodeSize(size).deviceThreads(7).build()) {
      long read =
          trie.add(
              TextSource.ofStream("word", new ByteArrayInputStream(text)),
              1 << 20,
              ByteProgress.NONE);
      assertThat(read).isEqualTo(text.length);
      assertThat(trie.size()).isEqualTo(1);
      assertThat(trie.nodes()).isEqualTo(text.length * (long) size.edgesPerStep() + 1);
      assertThat(trie.count(new String(text, StandardCharsets.US_ASCII))).isEqualTo(1);
      assertThat(trie.top(1).getFirst().word()).hasSize(text.length).endsWith("ab");
    }
  }

  @Test
  void memoryIsBounded() {
    try (WordTrie trie = WordTrie.builder().nodeSize(size).build()) {
      addBytes(trie, ZipfText.sample());
      assertThat(trie.byteSize())
          .isBetween(size.bytes() * trie.nodes(), 2 * size.bytes() * trie.nodes());
    }
    try (WordTrie trie = WordTrie.builder().nodeSize(size).initialNodes(100_000).build()) {
      trie.add("few words");
      trie.trim();
      assertThat(trie.byteSize()).isLessThanOrEqualTo(2 * size.bytes() * trie.nodes());
      trie.add("few more");
      assertThat(trie.count("few")).isEqualTo(2);
    }
  }

  @Test
  void useAfterCloseIsATypedError() {
    WordTrie trie = WordTrie.builder().nodeSize(size).build();
    trie.close();
    trie.close();
    assertThatThrownBy(() -> trie.count("a")).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> trie.add("a")).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> trie.top(1)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(trie::size).isInstanceOf(ClosedException.class);
  }

  @Test
  void badArgumentsAreRefused() {
    assertThatThrownBy(() -> WordTrie.builder().nodeSize(size).deviceThreads(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> WordTrie.builder().nodeSize(size).workers(1 << 20))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> WordTrie.builder().nodeSize(size).initialNodes(0))
        .isInstanceOf(IllegalArgumentException.class);
    try (WordTrie trie = WordTrie.builder().nodeSize(size).build();
        Memory memory = Memory.ofBytes(4)) {
      assertThatThrownBy(() -> trie.add(memory, 5)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> trie.add(memory, -1)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> trie.top(-1)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aCancelledBuildCannotBeMistakenForAWhole() {
    try (JvmLauncher jvm = JvmLauncher.create();
        WordTrie trie =
            WordTrie.builder().nodeSize(size).launcher(new CancellingLauncher(jvm)).build()) {
      String text = "some text ".repeat(10_000); // Long enough for a launch.
      assertThatThrownBy(() -> trie.add(text)).isInstanceOf(LaunchCancelledException.class);
      assertThatThrownBy(trie::size)
          .isInstanceOf(StructureException.class)
          .hasMessageContaining("incomplete");
    }
  }

  @Test
  void aTrieWhoseLauncherIsClosedMeanwhileSaysSo() {
    try (JvmLauncher jvm = JvmLauncher.create();
        WordTrie trie =
            WordTrie.builder().nodeSize(size).launcher(new ClosedLauncher(jvm)).build()) {
      String text = "some text ".repeat(10_000); // Long enough for a launch.
      assertThatThrownBy(() -> trie.add(text)).isInstanceOf(ClosedException.class);
      assertThatThrownBy(trie::size)
          .isInstanceOf(StructureException.class)
          .hasMessageContaining("incomplete");
    }
  }

  /** Is closed by the first device thread of each launch. */
  private static final class ClosedLauncher extends ForwardingLauncher {

    ClosedLauncher(Launcher launcher) {
      super(launcher);
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      return launcher.start(
          (thread, all) -> {
            launcher.close();
            kernel.run(thread, all);
          },
          shape,
          mode);
    }
  }

  /** Cancels each launch as soon as it has started. */
  private static final class CancellingLauncher extends ForwardingLauncher {

    CancellingLauncher(Launcher launcher) {
      super(launcher);
    }

    @Override
    public int blocksAtOnce(Kernel kernel, int blockSize) {
      return launcher.blocksAtOnce(kernel, blockSize);
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      CountDownLatch cancelled = new CountDownLatch(1);
      Launch launch =
          launcher.start(
              (thread, anyShape) -> {
                awaitUninterrupted(cancelled);
                kernel.run(thread, anyShape);
              },
              shape,
              mode);
      launch.cancel();
      cancelled.countDown();
      return launch;
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void readersAndWritersOfManyThreadsDoNotDisturbOneAnother() throws Exception {
    try (WordTrie trie = WordTrie.builder().nodeSize(size).initialNodes(1).build()) {
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int mine = t;
        threads.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int i = 0; i < 50; i++) {
                        trie.add("shared own" + "abcd".charAt(mine) + "x".repeat(i));
                        trie.count("shared");
                      }
                    }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(trie.count("shared")).isEqualTo(200);
      assertThat(trie.size()).isEqualTo(201);
    }
  }

  @Test
  void topIsTheHeadOfTheSortedWords() {
    Random random = new Random(7);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 5000; i++) {
      text.append((char) ('a' + random.nextInt(20))).append((char) ('a' + random.nextInt(3)));
      text.append(' ');
    }
    try (WordTrie trie = WordTrie.builder().nodeSize(size).build()) {
      trie.add(text);
      List<WordCount> sorted =
          words(trie).entrySet().stream()
              .map(e -> new WordCount(e.getKey(), e.getValue()))
              .sorted(WordCount.BY_COUNT)
              .toList();
      for (int n = 0; n <= sorted.size() + 1; n++) {
        assertThat(trie.top(n)).isEqualTo(sorted.subList(0, Math.min(n, sorted.size())));
      }
    }
  }

  private static void addBytes(WordTrie trie, byte[] text) {
    trie.add(
        TextSource.ofMemory(MemorySegment.ofArray(text)),
        TextChunks.DEFAULT_CHUNK_BYTES,
        ByteProgress.NONE);
  }

  private static SortedMap<String, Long> words(WordTrie trie) {
    TreeMap<String, Long> words = new TreeMap<>();
    List<String> order = new ArrayList<>();
    trie.forEach(
        w -> {
          words.put(w.word(), w.count());
          order.add(w.word());
        });
    assertThat(order).isSorted().doesNotHaveDuplicates();
    return words;
  }

  /** Counts by hand, with nothing of what is tested. */
  static SortedMap<String, Long> sequential(byte[] text) {
    TreeMap<String, Long> counts = new TreeMap<>();
    StringBuilder word = new StringBuilder();
    for (int i = 0; i <= text.length; i++) {
      int b = i < text.length ? text[i] : ' ';
      if ((b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z')) {
        word.append((char) (b | 0x20));
      } else if (!word.isEmpty()) {
        counts.merge(word.toString(), 1L, Long::sum);
        word.setLength(0);
      }
    }
    return counts;
  }
}
