package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.TextSource;
import dev.gyre.datasets.generators.ZipfText;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.Others;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers of a trie whose nodes a device made, and which stay there. */
@ParameterizedClass
@EnumSource
@ConformanceSuite
class SelectedWordsTest {

  @Parameter private NodeSize size = NodeSize.LARGE;

  /** What a survey and a few words are, and less than nodes are. */
  private static final long FEW_BYTES = 1 << 16;

  private final CountingLauncher launcher = new CountingLauncher();

  @AfterEach
  void close() {
    launcher.close();
  }

  private WordTrie counted(Alphabet alphabet, byte[] text) {
    WordTrie trie = WordTrie.builder().nodeSize(size).launcher(launcher).alphabet(alphabet).build();
    add(trie, text);
    long _ = launcher.home();
    return trie;
  }

  private static void add(WordTrie trie, byte[] text) {
    try (Memory memory = Memory.ofBytes(text.length)) {
      memory.segment().copyFrom(MemorySegment.ofArray(text));
      trie.add(memory, text.length);
    }
  }

  /** Words of one to nine letters, most of them rare; some begin others. */
  private static byte[] text(Alphabet alphabet, int words) {
    SplittableRandom random = new SplittableRandom(words);
    int[] letters =
        (alphabet == Alphabet.ASCII_LETTERS ? "abcdxyz" : "abzéж語𐐨").codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      SplittableRandom word =
          new SplittableRandom((long) (words * Math.pow(random.nextDouble(), 4)));
      for (int left = word.nextInt(1, 10); left > 0; left--) {
        text.appendCodePoint(letters[word.nextInt(letters.length)]);
      }
      text.append(' ');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static SortedMap<String, Long> model(byte[] text) {
    SortedMap<String, Long> model = new TreeMap<>(ScriptText.BYTE_ORDER);
    for (String word : new String(text, StandardCharsets.UTF_8).split(" ", -1)) {
      if (!word.isEmpty()) {
        model.merge(word, 1L, Long::sum);
      }
    }
    return model;
  }

  private static List<WordCount> words(SortedMap<String, Long> model, String prefix) {
    return model.entrySet().stream()
        .filter(e -> e.getKey().startsWith(prefix))
        .map(e -> new WordCount(e.getKey(), e.getValue()))
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  @Tag("slow")
  void answersAreThoseOfTheWords(Alphabet alphabet) {
    byte[] text = text(alphabet, 20_000);
    SortedMap<String, Long> model = model(text);
    for (String prefix : new String[] {"", "a", "ab", "bza", "abzaa", "qq", "no word"}) {
      List<WordCount> all = words(model, prefix);
      try (WordTrie trie = counted(alphabet, text)) {
        assertThat(trie.total(prefix)).isEqualTo(all.stream().mapToLong(WordCount::count).sum());
        List<WordCount> met = new ArrayList<>();
        trie.forEach(prefix, met::add);
        assertThat(met).isEqualTo(all);
        for (int limit : new int[] {0, 1, 2, 10, 100, Integer.MAX_VALUE}) {
          assertThat(trie.top(prefix, limit))
              .isEqualTo(all.stream().sorted(WordCount.BY_COUNT).limit(limit).toList());
        }
        assertThat(trie.size()).isEqualTo(model.size());
        assertThat(trie.total())
            .isEqualTo(words(model, "").stream().mapToLong(WordCount::count).sum());
      }
    }
  }

  @Test
  void noMoreComesHomeThanIsAskedFor() {
    byte[] text = ZipfText.sample();
    try (WordTrie trie = counted(Alphabet.ASCII_LETTERS, text)) {
      List<WordCount> top = trie.top(10);
      assertThat(launcher.home()).isBetween(1L, FEW_BYTES);
      long total = trie.total() + trie.size();
      assertThat(launcher.home()).isBetween(1L, 2 * FEW_BYTES);
      List<WordCount> all = new ArrayList<>();
      trie.forEach(all::add);
      assertThat(launcher.home()).isGreaterThan(trie.nodes() * size.bytes());
      assertThat(all).hasSize((int) trie.size());
      // All came home with that: the host answers.
      assertThat(trie.top(10)).isEqualTo(top);
      assertThat(trie.total() + trie.size()).isEqualTo(total);
      assertThat(launcher.home()).isZero();
    }
  }

  /** Each costs a little: at some time it pays to have the nodes. */
  @Test
  void nodesComeHomeWhereQuestionsGoOn() {
    byte[] text = ZipfText.sample();
    try (WordTrie trie = counted(Alphabet.ASCII_LETTERS, text)) {
      long nodes = trie.byteSize();
      add(trie, text);
      long _ = launcher.home();
      long total = trie.total();
      for (int i = 0; i < 100; i++) {
        assertThat(trie.total()).isEqualTo(total);
      }
      assertThat(launcher.home()).isBetween(nodes / 2, 2 * nodes);
      assertThat(trie.total()).isEqualTo(total);
      assertThat(launcher.home()).isZero();
    }
  }

  @Test
  void whatADeviceDoesNotSelectComesHome() {
    String wide = "ab".repeat(5_000);
    StringBuilder equals = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      for (int rest = i + 1; rest > 0; rest /= 26) {
        equals.append((char) ('a' + rest % 26));
      }
      equals.append(' ');
    }
    byte[] text = equals.append(wide).toString().getBytes(StandardCharsets.UTF_8);
    SortedMap<String, Long> model = model(text);
    try (WordTrie trie = counted(Alphabet.ASCII_LETTERS, text)) {
      // All are as frequent.
      assertThat(trie.top(3))
          .isEqualTo(words(model, "").stream().sorted(WordCount.BY_COUNT).limit(3).toList());
    }
    try (WordTrie trie = counted(Alphabet.ASCII_LETTERS, text)) {
      // One is too long.
      assertThat(trie.top(model.size()))
          .isEqualTo(words(model, "").stream().sorted(WordCount.BY_COUNT).toList());
    }
  }

  /** It is sent as it is, long or short, without a copy on the host. */
  @Test
  void textInPinnedMemoryIsSentFromThere() {
    byte[] text = ZipfText.sample();
    for (int length : new int[] {text.length, 20_000, 0}) {
      try (WordTrie trie = WordTrie.builder().nodeSize(size).launcher(launcher).build();
          Memory memory = launcher.pinned(text.length)) {
        memory.segment().copyFrom(MemorySegment.ofArray(text));
        trie.add(memory, length);
        assertThat(launcher.sent()).isEqualTo(length);
        SortedMap<String, Long> words = new TreeMap<>();
        trie.forEach(w -> words.put(w.word(), w.count()));
        assertThat(words).isEqualTo(WordTrieTest.sequential(Arrays.copyOf(text, length)));
      }
    }
  }

  /** Short or long, and whoever asks is told of the progress. */
  @Test
  void aTextOfOneFileIsCountedFromWhereItIsMapped(@TempDir Path folder) throws IOException {
    byte[] text = ZipfText.sample();
    for (int length : new int[] {text.length, 20_000, 100, 0}) {
      Path file = Files.write(folder.resolve("text"), Arrays.copyOf(text, length));
      try (WordTrie trie = WordTrie.builder().nodeSize(size).launcher(launcher).build()) {
        long[] told = new long[2];
        long read =
            trie.add(
                TextSource.ofFiles(List.of(file)),
                (done, all) -> {
                  told[0] = done;
                  told[1] = all;
                });
        assertThat(read).isEqualTo(length);
        assertThat(told).isEqualTo(length == 0 ? new long[2] : new long[] {length, length});
        SortedMap<String, Long> words = new TreeMap<>();
        trie.forEach(w -> words.put(w.word(), w.count()));
        assertThat(words).isEqualTo(WordTrieTest.sequential(Arrays.copyOf(text, length)));
      }
    }
  }

  /** One who is interrupted is answered, and keeps the interrupt. */
  @Test
  void anInterruptIsKept() {
    try (WordTrie trie = counted(Alphabet.ASCII_LETTERS, ZipfText.sample())) {
      Thread.currentThread().interrupt();
      List<WordCount> top = trie.top(3);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(trie.top(3)).isEqualTo(top);
    }
  }

  @Test
  void textsMayBeAddedMeanwhile() {
    byte[] text = text(Alphabet.ASCII_LETTERS, 20_000);
    int rounds = 20;
    AtomicBoolean done = new AtomicBoolean();
    try (WordTrie trie = counted(Alphabet.ASCII_LETTERS, text)) {
      long distinct = trie.size();
      List<WordCount> first = trie.top(1);
      CompletableFuture<Void> asking =
          Others.start(
              () -> {
                while (!done.get()) {
                  assertThat(trie.size()).isEqualTo(distinct);
                  assertThat(trie.top(1).getFirst().word()).isEqualTo(first.getFirst().word());
                  List<WordCount> all = new ArrayList<>();
                  trie.forEach(all::add);
                  assertThat(all).hasSize((int) distinct);
                }
              });
      try {
        for (int round = 1; round < rounds; round++) {
          add(trie, text);
        }
      } finally {
        done.set(true);
      }
      asking.join();
      assertThat(trie.top(1).getFirst().count()).isEqualTo(rounds * first.getFirst().count());
    }
  }
}
