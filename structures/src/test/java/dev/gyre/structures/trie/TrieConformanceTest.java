package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextSource;
import dev.gyre.datasets.generators.ZipfText;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.Others;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.Waiting;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The words and counts of texts, on every target, for strips and chunks of any size. */
@ParameterizedClass
@EnumSource
@ConformanceSuite
class TrieConformanceTest {

  @Parameter private NodeSize size = NodeSize.LARGE;

  private WordTrieBuilder builder() {
    Launcher device = TargetUnderTest.device();
    return device == null
        ? WordTrie.builder().nodeSize(size)
        : WordTrie.builder().nodeSize(size).launcher(device);
  }

  private static void add(WordTrie trie, byte[] text) {
    try (Memory memory = Memory.ofBytes(text.length)) {
      memory.segment().copyFrom(MemorySegment.ofArray(text));
      trie.add(memory, text.length);
    }
  }

  private static SortedMap<String, Long> words(WordTrie trie) {
    SortedMap<String, Long> words = new TreeMap<>();
    trie.forEach(w -> words.put(w.word(), w.count()));
    return words;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 64, 1000})
  void launchesThatDeferCountTheSame(int strips) {
    byte[] text = ZipfText.sample();
    try (WordTrie trie =
        builder().waiting(Waiting.DEFERRED).deviceThreads(strips).initialNodes(strips).build()) {
      add(trie, text);
      assertThat(words(trie)).isEqualTo(WordTrieTest.sequential(text));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 64, 1000})
  void anyNumberOfStripsAndNodesToBeginWith(int strips) {
    byte[] text = ZipfText.sample();
    try (WordTrie trie = builder().deviceThreads(strips).initialNodes(strips).build()) {
      add(trie, text);
      assertThat(words(trie)).isEqualTo(WordTrieTest.sequential(text));
    }
  }

  /** Where it was counted no question was asked yet, so that the nodes may still be there. */
  @Test
  void isSavedFromWhereItWasCounted(@TempDir Path folder) {
    byte[] text = ZipfText.sample();
    Path file = folder.resolve("trie");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (WordTrie trie = builder().build()) {
      add(trie, text);
      trie.save(file);
      add(trie, text);
      trie.save(out);
      assertThat(trie.count("whale")).isZero();
    }
    try (WordTrie once = builder().load(file);
        WordTrie twice = WordTrie.load(MemorySegment.ofArray(out.toByteArray()))) {
      assertThat(words(once)).isEqualTo(WordTrieTest.sequential(text));
      add(once, text);
      assertThat(words(once)).isEqualTo(words(twice));
    }
  }

  @Test
  void isAddedToAnotherFromWhereItWasCounted() {
    byte[] text = ZipfText.sample();
    byte[] more = "the whale and nothing else ".repeat(2_000).getBytes(StandardCharsets.UTF_8);
    byte[] both = Arrays.copyOf(text, text.length + more.length + 1);
    both[text.length] = ' ';
    System.arraycopy(more, 0, both, text.length + 1, more.length);
    SortedMap<String, Long> expected = WordTrieTest.sequential(both);
    try (WordTrie here = WordTrie.builder().nodeSize(size).build();
        WordTrie first = builder().build();
        WordTrie second = builder().build()) {
      add(first, text);
      add(second, more);
      // Of two where they were counted, and of one with one of the JVM's.
      assertThat(words(first.addAll(second))).isEqualTo(expected);
      add(here, text);
      assertThat(words(here.addAll(second))).isEqualTo(expected);
      second.clear();
      add(second, more);
      here.clear();
      add(here, text);
      assertThat(words(second.addAll(here))).isEqualTo(expected);
    }
  }

  /** Capacity for a long text is made where there is none yet, not where a launch made some. */
  @Test
  void aShortTextBeforeALongOne() {
    byte[] few = "first second third ".getBytes(StandardCharsets.UTF_8);
    byte[] many = "later ".repeat(4000).getBytes(StandardCharsets.UTF_8);
    try (WordTrie trie = builder().build()) {
      for (int round = 0; round < 3; round++) {
        add(trie, few);
        add(trie, many);
        assertThat(trie.count("first")).isEqualTo(1);
        assertThat(trie.count("later")).isEqualTo(4000);
        assertThat(trie.total("l") + trie.total("third")).isEqualTo(4001);
        if (round == 0) {
          trie.clear();
        } else {
          trie.retain(Long.MAX_VALUE);
        }
      }
    }
  }

  /** Nodes come to the host while others read, and add to what came. */
  @Test
  void whoReadsAndAddsBesideLaunchesLosesNothing() {
    int rounds = 60;
    byte[] many = "later ".repeat(4000).getBytes(StandardCharsets.UTF_8);
    AtomicBoolean done = new AtomicBoolean();
    AtomicLong added = new AtomicLong();
    try (WordTrie trie = builder().build()) {
      List<CompletableFuture<Void>> others =
          List.of(
              Others.start(() -> readAll(trie, done)),
              Others.start(() -> readAll(trie, done)),
              Others.start(
                  () -> {
                    while (!done.get()) {
                      trie.add("word");
                      added.incrementAndGet();
                    }
                  }));
      try {
        for (int round = 0; round < rounds; round++) {
          add(trie, many);
          assertThat(trie.count("later")).isEqualTo(4000L * (round + 1));
          assertThat(trie.total("l")).isEqualTo(4000L * (round + 1));
        }
      } finally {
        done.set(true);
      }
      others.forEach(CompletableFuture::join);
      assertThat(trie.count("word")).isEqualTo(added.get());
      assertThat(trie.total()).isEqualTo(added.get() + 4000L * rounds);
      assertThat(trie.total("")).isEqualTo(trie.total());
    }
  }

  private static void readAll(WordTrie trie, AtomicBoolean done) {
    long last = 0;
    while (!done.get()) {
      long seen = trie.count("later");
      assertThat(seen).isGreaterThanOrEqualTo(last);
      assertThat(trie.total("") + trie.total()).isGreaterThanOrEqualTo(seen);
      last = seen;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 64, 1000})
  void unicodeWordsOfAllScripts(int strips) {
    SplittableRandom random = new SplittableRandom(strips);
    StringBuilder scripts = new StringBuilder("\u0301");
    for (ScriptText script : ScriptText.values()) {
      scripts.append(script.text(random, 300));
    }
    byte[] text = scripts.toString().getBytes(StandardCharsets.UTF_8);
    // Not well-formed any more at a few places.
    for (int i = 0; i < 40; i++) {
      text[random.nextInt(text.length)] = (byte) random.nextInt(256);
    }
    try (WordTrie trie =
        builder()
            .alphabet(Alphabet.UNICODE_LETTERS)
            .deviceThreads(strips)
            .initialNodes(strips)
            .build()) {
      add(trie, text);
      assertThat(words(trie)).isEqualTo(new TreeMap<>(ScriptText.sequential(text)));
    }
  }

  @Test
  void stripsAndChunksFromOneByteUp() {
    SplittableRandom random = new SplittableRandom(42);
    for (int round = 0; round < 60; round++) {
      byte[] text = new byte[1 + random.nextInt(120)];
      for (int i = 0; i < text.length; i++) {
        // Few letters, so that words meet; some bytes of every other kind.
        boolean letter = random.nextInt(3) > 0;
        text[i] = (byte) (letter ? "abcABC".charAt(random.nextInt(6)) : random.nextInt(256));
      }
      int strips = 1 + random.nextInt(40);
      long chunkBytes = 1 + random.nextLong(40);
      try (WordTrie trie =
          builder().deviceThreads(strips).initialNodes(1 + random.nextInt(5)).build()) {
        trie.add(TextSource.ofMemory(MemorySegment.ofArray(text)), chunkBytes, ByteProgress.NONE);
        assertThat(words(trie))
            .as("round %d, %d strips, chunks of %d bytes", round, strips, chunkBytes)
            .isEqualTo(WordTrieTest.sequential(text));
      }
    }
  }

  @Test
  void wordsOfAMillionLetters() {
    byte[] text = new byte[3_000_000];
    java.util.Arrays.fill(text, (byte) 'x');
    text[1_000_000] = ' ';
    text[2_000_001] = ' ';
    try (WordTrie trie = builder().deviceThreads(100).build()) {
      add(trie, text);
      assertThat(trie.nodes()).isEqualTo(1_000_000L * size.edgesPerStep() + 1);
      assertThat(trie.size()).isEqualTo(2);
      assertThat(trie.count("x".repeat(1_000_000))).isEqualTo(2);
      assertThat(trie.count("x".repeat(999_998))).isEqualTo(1);
    }
  }

  @Test
  void oneWordManyTimes() {
    byte[] text = "same ".repeat(400_000).getBytes(StandardCharsets.US_ASCII);
    try (WordTrie trie = builder().initialNodes(2).build()) {
      add(trie, text);
      add(trie, text);
      assertThat(trie.count("same")).isEqualTo(800_000);
      assertThat(trie.nodes()).isEqualTo(4L * size.edgesPerStep() + 1);
    }
  }

  @Test
  void wordsByAnyWayIn() {
    byte[] text = ZipfText.sample();
    try (WordTrie trie = builder().initialNodes(1).build()) {
      SortedMap<String, Long> expected = new TreeMap<>(WordTrieTest.sequential(text));
      add(trie, text);
      trie.add("Once by itself");
      expected.merge("once", 1L, Long::sum);
      expected.merge("by", 1L, Long::sum);
      expected.merge("itself", 1L, Long::sum);
      assertThat(words(trie)).isEqualTo(expected);
      add(trie, text);
      WordTrieTest.sequential(text)
          .forEach((word, count) -> expected.merge(word, count, Long::sum));
      assertThat(words(trie)).isEqualTo(expected);
      trie.retain(100);
      expected.values().removeIf(count -> count < 100);
      assertThat(words(trie)).isEqualTo(expected);
      trie.clear();
      add(trie, text);
      assertThat(words(trie)).isEqualTo(WordTrieTest.sequential(text));
    }
  }

  @Test
  void theTenBooks() throws IOException {
    Path folder =
        Path.of(System.getProperty("gyre.books", "../../shared/gutenberg")).toAbsolutePath();
    Path[] ten =
        Stream.of(
                "2600-0", "2701-0", "35-0", "84-0", "8800", "pg1727", "pg55", "pg6130", "pg996",
                "1342-0")
            .map(name -> folder.resolve(name + ".txt"))
            .toArray(Path[]::new);
    assumeTrue(
        Stream.of(ten).allMatch(Files::exists),
        "skipped: no books in " + folder + "; -Dgyre.books=FOLDER names another folder");
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (Path book : List.of(ten)) {
      all.write(Files.readAllBytes(book));
      all.write('\n');
    }
    try (WordTrie trie = builder().build()) {
      trie.add(ten);
      assertThat(trie.total()).isEqualTo(1_976_457);
      assertThat(trie.size()).isEqualTo(38_541);
      assertThat(trie.nodes()).isEqualTo(size == NodeSize.LARGE ? 98_461 : 187_788);
      assertThat(words(trie)).isEqualTo(WordTrieTest.sequential(all.toByteArray()));
    }
  }
}
