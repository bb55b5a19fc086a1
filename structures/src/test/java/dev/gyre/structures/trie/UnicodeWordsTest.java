package dev.gyre.structures.trie;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.TargetUnderTest;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Words of all scripts, compared with regular expressions and a map. */
@Timeout(300)
class UnicodeWordsTest {

  private static final List<ScriptText> SCRIPTS = List.of(ScriptText.values());

  private static JvmLauncher jvm;

  @BeforeAll
  static void open() {
    jvm = JvmLauncher.ofWorkers(4);
  }

  @AfterAll
  static void close() {
    jvm.close();
  }

  /**
   * Runs device threads one after the other, on the thread that calls: for very many short texts,
   * which would else be as many waits for threads.
   */
  private static final class OneByOne extends ForwardingLauncher {

    OneByOne(Launcher launcher) {
      super(launcher);
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      for (int thread = 0; thread < shape.threads(); thread++) {
        kernel.run(thread, shape);
      }
      return new Launch() {
        @Override
        public void join() {}

        @Override
        public boolean cancel() {
          return false;
        }

        @Override
        public boolean isDone() {
          return true;
        }
      };
    }

    @Override
    public void close() {}
  }

  private static WordTrie trie(Alphabet alphabet, int deviceThreads) {
    return trie(alphabet, deviceThreads, jvm);
  }

  /** A trie of the device that is tested; of a launcher of the JVM if there is none. */
  private static WordTrie trie(Alphabet alphabet, int deviceThreads, Launcher onJvm) {
    Launcher device = TargetUnderTest.device();
    return WordTrie.builder()
        .alphabet(alphabet)
        .launcher(device != null ? device : onJvm)
        .deviceThreads(deviceThreads)
        .initialNodes(1)
        .build();
  }

  private static void add(WordTrie trie, byte[] text, long chunkBytes) {
    trie.add(TextSource.ofMemory(MemorySegment.ofArray(text)), chunkBytes, ByteProgress.NONE);
  }

  private static SortedMap<String, Long> words(WordTrie trie) {
    TreeMap<String, Long> words = new TreeMap<>(ScriptText.BYTE_ORDER);
    List<String> order = new ArrayList<>();
    trie.forEach(
        w -> {
          words.put(w.word(), w.count());
          order.add(w.word());
        });
    assertThat(order).isSortedAccordingTo(ScriptText.BYTE_ORDER).doesNotHaveDuplicates();
    return words;
  }

  @ParameterizedTest
  @EnumSource
  @Tag("slow")
  void everyStripAndChunkSizeGivesTheSameWords(ScriptText script) {
    byte[] text = script.text(new SplittableRandom(script.name().hashCode()), 12).getBytes(UTF_8);
    for (Alphabet alphabet : Alphabet.values()) {
      SortedMap<String, Long> expected =
          alphabet == Alphabet.ASCII_LETTERS
              ? WordTrieTest.sequential(text)
              : ScriptText.sequential(text);
      for (int strips = 1; strips <= text.length + 2; strips++) {
        try (WordTrie trie = trie(alphabet, strips);
            Memory whole = Memory.ofBytes(text.length)) {
          whole.segment().copyFrom(MemorySegment.ofArray(text));
          trie.add(whole, text.length);
          assertThat(words(trie)).as("%d strips", strips).isEqualTo(expected);
        }
        try (WordTrie trie = trie(alphabet, strips, new OneByOne(jvm))) {
          for (int chunk = strips; chunk <= text.length + 1; chunk += text.length / 3) {
            add(trie.clear(), text, chunk);
            assertThat(words(trie))
                .as("%d strips, chunks of %d", strips, chunk)
                .isEqualTo(expected);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void stripsAndChunksOfAllSizesGiveTheSameWords(ScriptText script) {
    testStripsAndChunks(script, 5);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("slow")
  void everyPairOfStripAndChunkSizeGivesTheSameWords(ScriptText script) {
    testStripsAndChunks(script, TargetUnderTest.device() == null ? 1 : 5);
  }

  /**
   * Takes each number of strips, and from 1 + strips modulo chunkStep on, every such chunk size.
   */
  private void testStripsAndChunks(ScriptText script, int chunkStep) {
    byte[] all = script.text(new SplittableRandom(script.name().hashCode()), 9).getBytes(UTF_8);
    // May end inside a letter.
    byte[] text = Arrays.copyOf(all, Math.min(all.length, 25));
    for (Alphabet alphabet : Alphabet.values()) {
      SortedMap<String, Long> expected =
          alphabet == Alphabet.ASCII_LETTERS
              ? WordTrieTest.sequential(text)
              : ScriptText.sequential(text);
      for (int strips = 1; strips <= text.length + 1; strips++) {
        try (WordTrie trie = trie(alphabet, strips, new OneByOne(jvm))) {
          for (int chunk = 1 + strips % chunkStep; chunk <= text.length + 1; chunk += chunkStep) {
            add(trie.clear(), text, chunk);
            assertThat(words(trie))
                .as("%d strips, chunks of %d", strips, chunk)
                .isEqualTo(expected);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 64, 1000})
  void allScriptsInOneTextAgreeForAnyNumberOfDeviceThreads(int deviceThreads) {
    byte[] text = mixed(new SplittableRandom(deviceThreads), 20_000);
    try (WordTrie trie = trie(Alphabet.UNICODE_LETTERS, deviceThreads)) {
      add(trie, text, 100_000);
      assertThat(words(trie)).isEqualTo(ScriptText.sequential(text));
    }
  }

  private static byte[] mixed(SplittableRandom random, int words) {
    StringBuilder text = new StringBuilder();
    for (int left = words; left > 0; ) {
      ScriptText script = SCRIPTS.get(random.nextInt(SCRIPTS.size()));
      int some = random.nextInt(1, 50);
      text.append(script.text(random, some));
      // English between them, so that words of both ways to find them meet.
      text.append(random.nextBoolean() ? " It’s the “word” naïve " : "and");
      left -= some;
    }
    return text.toString().getBytes(UTF_8);
  }

  @Test
  void malformedBytesSeparateWords() {
    SplittableRandom random = new SplittableRandom(99);
    for (int round = 0; round < 400; round++) {
      byte[] text = damaged(random, mixed(random, 30));
      try (WordTrie trie = trie(Alphabet.UNICODE_LETTERS, random.nextInt(1, text.length + 2))) {
        add(trie, text, random.nextInt(1, text.length + 2));
        assertThat(words(trie)).as("round %d", round).isEqualTo(ScriptText.sequential(text));
        trie.clear().add(new String(text, UTF_8));
        assertThat(words(trie)).as("round %d", round).isEqualTo(ScriptText.sequential(text));
      }
    }
  }

  private static final byte[][] MALFORMED = {
    {(byte) 0xc0, (byte) 0x80}, // overlong
    {(byte) 0xc1, (byte) 0xa1},
    {(byte) 0xe0, (byte) 0x83, (byte) 0xa9},
    {(byte) 0xf0, (byte) 0x80, (byte) 0x83, (byte) 0xa9},
    {(byte) 0xed, (byte) 0xa0, (byte) 0x81, (byte) 0xed, (byte) 0xb0, (byte) 0xa8}, // surrogates
    {(byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80}, // beyond Unicode
    {(byte) 0xf8, (byte) 0x88, (byte) 0x80, (byte) 0x80, (byte) 0x80},
    {(byte) 0xc3}, // truncated
    {(byte) 0xe3, (byte) 0x81},
    {(byte) 0xf0, (byte) 0x90, (byte) 0x90},
    {(byte) 0xa9}, // without a beginning
    {(byte) 0xff},
  };

  private static byte[] damaged(SplittableRandom random, byte[] text) {
    ByteArrayOutputStream damaged = new ByteArrayOutputStream();
    for (byte b : text) {
      switch (random.nextInt(40)) {
        case 0 -> damaged.writeBytes(MALFORMED[random.nextInt(MALFORMED.length)]);
        case 1 -> damaged.write(random.nextInt(256));
        case 2 -> {
          // Left out.
        }
        default -> damaged.write(b);
      }
    }
    byte[] all = damaged.toByteArray();
    // Ends in the middle of a letter, most of the time.
    return Arrays.copyOf(all, all.length - random.nextInt(4));
  }

  /** What a block of text may hold where words are found 64 bytes at a time, and what looks so. */
  private static final List<byte[]> PARTS =
      List.of(
          "\u2019".getBytes(UTF_8),
          "\u2014".getBytes(UTF_8),
          "\u203f".getBytes(UTF_8),
          "\u2040".getBytes(UTF_8),
          "\u2071".getBytes(UTF_8), // a letter
          "\u00e9".getBytes(UTF_8),
          "\u4e00".getBytes(UTF_8),
          new byte[] {(byte) 0xe2, (byte) 0x80}, // truncated
          new byte[] {(byte) 0xe2},
          new byte[] {(byte) 0x80},
          new byte[] {0},
          " ".getBytes(UTF_8),
          "s".getBytes(UTF_8),
          "Word".getBytes(UTF_8),
          "eightyis".getBytes(UTF_8),
          "twelveletter".getBytes(UTF_8),
          "thirteenOfThe".getBytes(UTF_8),
          "q".repeat(63).getBytes(UTF_8),
          "Q".repeat(65).getBytes(UTF_8));

  @ParameterizedTest
  @EnumSource
  void anyPartsOfBlocksAgree(Alphabet alphabet) {
    SplittableRandom random = new SplittableRandom(7);
    int rounds = TargetUnderTest.device() == null ? 200 : 40;
    for (int round = 0; round < rounds; round++) {
      ByteArrayOutputStream parts = new ByteArrayOutputStream();
      int most = random.nextInt(1, PARTS.size() + 1);
      for (int i = random.nextInt(200); i >= 0; i--) {
        parts.writeBytes(PARTS.get(random.nextInt(most)));
      }
      byte[] text = parts.toByteArray();
      SortedMap<String, Long> expected =
          alphabet == Alphabet.ASCII_LETTERS
              ? WordTrieTest.sequential(text)
              : ScriptText.sequential(text);
      try (WordTrie trie = trie(alphabet, random.nextInt(1, 9), new OneByOne(jvm))) {
        add(trie, text, text.length);
        assertThat(words(trie)).as("round %d", round).isEqualTo(expected);
      }
    }
  }

  @Test
  void aLongWordIsOneWordWhereverItIsCut() {
    String word = "ыя" + "\u0301".repeat(500) + "漢".repeat(2_000) + "𐐀".repeat(500) + "é";
    byte[] text = ("\u0301" + word + "’" + word + "\n").getBytes(UTF_8);
    for (int strips = 1; strips < 400; strips += 7) {
      try (WordTrie trie = trie(Alphabet.UNICODE_LETTERS, strips)) {
        add(trie, text, 1 + 17L * strips);
        assertThat(trie.count(word)).as("%d strips", strips).isEqualTo(2);
        assertThat(trie.total()).isEqualTo(2);
      }
    }
  }

  @Test
  void lookUpFoldsAsAddingDoes() {
    try (WordTrie trie = WordTrie.builder().alphabet(Alphabet.UNICODE_LETTERS).build()) {
      trie.add("Straße STRAẞE Σίσυφος ΣΊΣΥΦΟΣ naïve Naïve don’t हिन्दी \u0301x");
      assertThat(trie.count("STRASSE")).isZero();
      assertThat(trie.count("straße")).isEqualTo(2);
      assertThat(trie.count("σίσυφοσ")).isEqualTo(2);
      assertThat(trie.count("NAÏVE")).isEqualTo(2);
      assertThat(trie.count("nai\u0308ve")).isZero();
      assertThat(trie.count("don")).isEqualTo(1);
      assertThat(trie.count("हिन्दी")).isEqualTo(1);
      assertThat(trie.count("x")).isEqualTo(1);
      assertThat(trie.count("\u0301x")).isZero();
      assertThat(trie.count("don’t")).isZero();
      assertThat(trie.longestPrefix("ΣΊΣΥΦΟΣ!")).contains(new WordCount("σίσυφοσ", 2));
      assertThat(trie.top("Σ", 3)).containsExactly(new WordCount("σίσυφοσ", 2));
      assertThat(trie.top("\u0301", 3)).isEmpty();
    }
  }

  @Test
  void equallyFrequentWordsComeInByteOrder() {
    // In UTF-16 the last would come before the one before it.
    List<String> words = List.of("a", "z", "é", "я", "語", "ﬀ", "𐐨");
    try (WordTrie trie = WordTrie.builder().alphabet(Alphabet.UNICODE_LETTERS).build()) {
      trie.add(String.join(" ", words.reversed()));
      assertThat(trie.top(10)).extracting(WordCount::word).isEqualTo(words);
      for (int limit = 0; limit < words.size(); limit++) {
        assertThat(trie.top(limit)).extracting(WordCount::word).isEqualTo(words.subList(0, limit));
      }
    }
  }

  @Test
  void wordsOfAsciiLettersHaveTheNodesThatTheyHaveWithTheAlphabetOfAscii(@TempDir Path folder) {
    String text = "It was the best of times, it was the worst of times";
    try (WordTrie ascii = WordTrie.create();
        WordTrie unicode = WordTrie.builder().alphabet(Alphabet.UNICODE_LETTERS).build()) {
      assertThat(unicode.add(text).nodes()).isEqualTo(ascii.add(text).nodes());
      assertThat(words(unicode)).isEqualTo(words(ascii));
    }
  }
}
