package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.generators.ZipfText;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.SavedFileException.Kind;
import dev.gyre.structures.StructureException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Everything but counting, compared with a {@link TreeMap}. */
@Timeout(120)
class TrieOperationsTest {

  @TempDir private Path folder;

  /** What stands behind every letter. */
  private static final String LAST = Character.toString(Character.MAX_CODE_POINT);

  private static final String ASCII = "abc";
  private static final String UNICODE = "aéж語𐐨";
  private static final String MARK = "\u0301";

  /** Nodes are of either size, and of another one now and then. */
  @ParameterizedTest
  @EnumSource
  @Tag("slow")
  void anySequenceOfOperationsIsThatOfATreeMap(Alphabet alphabet) throws Exception {
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SortedMap<String, Long> model = new TreeMap<>(ScriptText.BYTE_ORDER);
      WordTrie trie = empty(alphabet, size(random));
      try {
        for (int step = 0; step < 40; step++) {
          trie = step(random, alphabet, trie, model);
          List<WordCount> words = new ArrayList<>();
          trie.forEach(words::add);
          assertThat(words).as("seed %d, step %d", seed, step).isEqualTo(inOrder(model));
        }
      } finally {
        trie.close();
      }
    }
  }

  private static WordTrie empty(Alphabet alphabet) {
    return empty(alphabet, NodeSize.LARGE);
  }

  private static WordTrie empty(Alphabet alphabet, NodeSize size) {
    return WordTrie.builder().alphabet(alphabet).nodeSize(size).workers(1).initialNodes(1).build();
  }

  private static NodeSize size(SplittableRandom random) {
    return random.nextBoolean() ? NodeSize.LARGE : NodeSize.SMALL;
  }

  private WordTrie step(
      SplittableRandom random, Alphabet alphabet, WordTrie trie, SortedMap<String, Long> model)
      throws Exception {
    switch (random.nextInt(10)) {
      case 0 -> {
        long least = random.nextLong(4);
        trie.retain(least);
        model.values().removeIf(count -> count < least);
      }
      case 1 -> {
        if (random.nextInt(4) == 0) {
          trie.clear();
          model.clear();
        }
      }
      case 2 -> {
        try (WordTrie other = empty(alphabet, size(random))) {
          add(random, alphabet, other, model);
          trie.addAll(other);
        }
      }
      case 3 -> {
        trie.addAll(trie);
        model.replaceAll((_, count) -> 2 * count);
      }
      case 4 -> {
        Path file = folder.resolve("trie");
        trie.save(file);
        WordTrieBuilder builder = WordTrie.builder().alphabet(alphabet).workers(1);
        if (random.nextBoolean()) {
          builder.nodeSize(size(random));
        }
        WordTrie loaded = builder.load(file);
        trie.close();
        return loaded;
      }
      case 5 -> trie.trim();
      default -> add(random, alphabet, trie, model);
    }
    query(random, alphabet, trie, model);
    return trie;
  }

  private static void add(
      SplittableRandom random, Alphabet alphabet, WordTrie trie, SortedMap<String, Long> model) {
    for (int i = random.nextInt(8); i >= 0; i--) {
      String word = word(random, alphabet, 1);
      trie.add(word);
      model.merge(word, 1L, Long::sum);
    }
    if (random.nextInt(8) == 0) {
      trie.add(longText(random, alphabet, model));
    }
  }

  /** So long that workers count it, who know words of the text before. */
  private static String longText(
      SplittableRandom random, Alphabet alphabet, SortedMap<String, Long> model) {
    StringBuilder text = new StringBuilder();
    while (text.length() < 1 << 14) {
      String word = word(random, alphabet, 1);
      text.append(word).append(' ');
      model.merge(word, 1L, Long::sum);
    }
    return text.toString();
  }

  /** Words in the order of a map; lists are compared in one pass. */
  private static List<WordCount> inOrder(SortedMap<String, Long> words) {
    return words.entrySet().stream().map(e -> new WordCount(e.getKey(), e.getValue())).toList();
  }

  private static void query(
      SplittableRandom random, Alphabet alphabet, WordTrie trie, SortedMap<String, Long> model) {
    String prefix = word(random, alphabet, 0);
    List<WordCount> below = new ArrayList<>();
    trie.forEach(prefix.toUpperCase(java.util.Locale.ROOT), below::add);
    List<WordCount> expected = inOrder(model.subMap(prefix, prefix + LAST));
    assertThat(below).isEqualTo(expected);
    int limit = random.nextInt(5);
    assertThat(trie.top(prefix, limit))
        .isEqualTo(expected.stream().sorted(WordCount.BY_COUNT).limit(limit).toList());
    String text = word(random, alphabet, 0) + word(random, alphabet, 0) + "!";
    Optional<WordCount> longest = Optional.empty();
    for (int length = 1; length < text.length(); length++) {
      Long count = model.get(text.substring(0, length));
      if (count != null) {
        longest = Optional.of(new WordCount(text.substring(0, length), count));
      }
    }
    assertThat(trie.longestPrefix(text)).isEqualTo(longest);
    assertThat(trie.size()).isEqualTo(model.size());
    assertThat(trie.total()).isEqualTo(model.values().stream().mapToLong(c -> c).sum());
  }

  private static String word(SplittableRandom random, Alphabet alphabet, int least) {
    String letters = alphabet == Alphabet.ASCII_LETTERS ? ASCII : UNICODE;
    StringBuilder word = new StringBuilder();
    for (int i = least + random.nextInt(5); i > 0; i--) {
      int letter = random.nextInt(letters.codePointCount(0, letters.length()));
      word.appendCodePoint(letters.codePointAt(letters.offsetByCodePoints(0, letter)));
      if (alphabet == Alphabet.UNICODE_LETTERS && random.nextInt(4) == 0) {
        word.append(MARK);
      }
    }
    return word.toString();
  }

  @Test
  void aPrefixThatIsNoWordOfTheAlphabetHasNoWords() {
    try (WordTrie trie = WordTrie.create()) {
      trie.add("a b");
      assertThat(trie.top("a-", 3)).isEmpty();
      assertThat(trie.longestPrefix("-a")).isEmpty();
      assertThat(trie.longestPrefix("")).isEmpty();
      assertThat(trie.top("", 3)).hasSize(2);
    }
  }

  @Test
  @Tag("slow")
  void aFileWithAnyByteChangedIsRefused() throws Exception {
    Path file = folder.resolve("trie");
    try (WordTrie trie = WordTrie.create()) {
      trie.add("the cat and the hat").save(file);
    }
    byte[] good = Files.readAllBytes(file);
    Path bad = folder.resolve("bad");
    for (int at = 0; at < good.length; at++) {
      for (int change : new int[] {1, 0x80, 0xff}) {
        byte[] changed = good.clone();
        changed[at] ^= (byte) change;
        Files.write(bad, changed);
        assertThatThrownBy(() -> WordTrie.load(bad).close())
            .as("byte %d", at)
            .isInstanceOf(SavedFileException.class)
            .hasMessageStartingWith(bad.toString());
      }
    }
    try (WordTrie trie = WordTrie.load(file)) {
      assertThat(trie.count("the")).isEqualTo(2);
    }
  }

  @Test
  void aFileThatIsCutOrLongerIsRefused() throws Exception {
    Path file = folder.resolve("trie");
    try (WordTrie trie = WordTrie.create()) {
      trie.add("some words").save(file);
    }
    byte[] good = Files.readAllBytes(file);
    for (int length = 0; length <= good.length + 200; length += 8) {
      if (length != good.length) {
        Files.write(file, java.util.Arrays.copyOf(good, length));
        assertThatThrownBy(() -> WordTrie.load(file).close())
            .isInstanceOf(SavedFileException.class);
      }
    }
  }

  @Test
  void aFileOfAnotherAlphabetIsRefused() throws Exception {
    Path file = folder.resolve("trie");
    try (WordTrie trie = empty(Alphabet.UNICODE_LETTERS)) {
      trie.add("a naïve word").save(file);
    }
    assertKind(file, Kind.OTHER_TYPE);
    assertThatThrownBy(() -> WordTrie.load(file).close())
        .hasMessageContaining("saved with the alphabet unicode, to be loaded with ascii");
    try (WordTrie ascii = WordTrie.create();
        WordTrie trie = WordTrie.builder().alphabet(Alphabet.UNICODE_LETTERS).load(file)) {
      assertThat(trie.count("NAÏVE")).isEqualTo(1);
      assertThatThrownBy(() -> ascii.addAll(trie)).isInstanceOf(StructureException.class);
    }
  }

  @Test
  void whatIsWrongWithAFileHasAType() throws Exception {
    Path file = folder.resolve("trie");
    try (WordTrie trie = WordTrie.create()) {
      trie.add("some words").save(file);
    }
    byte[] good = Files.readAllBytes(file);
    boolean little = java.nio.ByteOrder.nativeOrder() == java.nio.ByteOrder.LITTLE_ENDIAN;
    good[little ? 12 : 15]++;
    Files.write(file, good);
    assertKind(file, Kind.NEWER);
    good[little ? 12 : 15]--;
    good[good.length - 1]++;
    Files.write(file, good);
    assertKind(file, Kind.DAMAGED);
    Files.writeString(file, "To be, or not to be. ".repeat(10));
    assertKind(file, Kind.NOT_SAVED);
    assertThatThrownBy(() -> WordTrie.load(folder.resolve("none")))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("no such file");
  }

  private static void assertKind(Path file, Kind kind) {
    assertThatThrownBy(() -> WordTrie.load(file).close())
        .isInstanceOfSatisfying(
            SavedFileException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }

  @ParameterizedTest
  @EnumSource
  void aFileSaysHowLargeNodesAreAndABuilderMayWantOthers(Alphabet alphabet) throws Exception {
    String text = "a whale, whales; a\u0301 語";
    Path file = folder.resolve("trie");
    for (NodeSize saved : NodeSize.values()) {
      try (WordTrie trie = empty(alphabet, saved).add(text)) {
        trie.save(file);
        try (WordTrie loaded = WordTrie.builder().alphabet(alphabet).load(file)) {
          assertThat(words(loaded)).isEqualTo(words(trie));
          assertThat(loaded.nodes()).isEqualTo(trie.nodes());
          assertThat(loaded.byteSize()).isEqualTo(trie.nodes() * saved.bytes());
        }
        for (NodeSize wanted : NodeSize.values()) {
          try (WordTrie asked = empty(alphabet, wanted).add(text);
              WordTrie loaded = WordTrie.builder().alphabet(alphabet).nodeSize(wanted).load(file)) {
            assertThat(words(loaded)).isEqualTo(words(trie));
            assertThat(loaded.nodes()).isEqualTo(asked.nodes());
            assertThat(loaded.byteSize()).isLessThanOrEqualTo(2 * asked.nodes() * wanted.bytes());
            loaded.addAll(trie).addAll(loaded).add(text);
            assertThat(loaded.count("whale")).isEqualTo(5);
            assertThat(words(loaded).keySet()).isEqualTo(words(trie).keySet());
            assertThat(loaded.nodes()).isEqualTo(asked.nodes());
          }
        }
      }
    }
  }

  @Test
  void wordsAddedAfterLoadingDoNotReachTheFile() throws Exception {
    Path file = folder.resolve("trie");
    try (WordTrie trie = WordTrie.create()) {
      trie.add(new String(ZipfText.sample(), StandardCharsets.US_ASCII)).save(file);
    }
    byte[] saved = Files.readAllBytes(file);
    try (WordTrie trie = WordTrie.load(file)) {
      long before = trie.total();
      trie.add(new String(ZipfText.sample(), StandardCharsets.US_ASCII)).add("more words");
      assertThat(trie.total()).isEqualTo(2 * before + 2);
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(saved);
  }

  @Test
  @Tag("race")
  void manyThreadsAddWhileOthersReadAndItGrows() throws Exception {
    for (int round = 0; round < 20; round++) {
      Alphabet alphabet = round % 2 == 0 ? Alphabet.ASCII_LETTERS : Alphabet.UNICODE_LETTERS;
      addBesideReaders(alphabet, round % 4 < 2 ? NodeSize.LARGE : NodeSize.SMALL, round);
    }
  }

  private static void addBesideReaders(Alphabet alphabet, NodeSize size, int round)
      throws Exception {
    int writers = 4;
    int each = 3_000;
    Queue<Throwable> failed = new ConcurrentLinkedQueue<>();
    AtomicBoolean done = new AtomicBoolean();
    TreeMap<String, Long> expected = new TreeMap<>();
    try (WordTrie trie = empty(alphabet, size)) {
      List<Thread> adding = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        List<String> words = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(round * 100L + w);
        for (int i = 0; i < each; i++) {
          String word = word(random, alphabet, 1);
          word += i % 7 == 0 ? " " + word(random, alphabet, 1) : "";
          words.add(word);
          for (String one : word.split(" ", -1)) {
            expected.merge(one, 1L, Long::sum);
          }
        }
        adding.add(start(failed, () -> words.forEach(trie::add)));
      }
      List<Thread> reading = new ArrayList<>();
      for (int r = 0; r < 2; r++) {
        reading.add(start(failed, () -> read(trie, done)));
      }
      for (Thread thread : adding) {
        thread.join();
      }
      done.set(true);
      for (Thread thread : reading) {
        thread.join();
      }
      assertThat(failed).isEmpty();
      assertThat(words(trie)).isEqualTo(expected);
      assertThat(trie.size()).isEqualTo(expected.size());
    }
  }

  /** No count ever falls, and no word that was there is gone. */
  private static void read(WordTrie trie, AtomicBoolean done) {
    Map<String, Long> before = Map.of();
    while (!done.get()) {
      Map<String, Long> now = words(trie);
      before.forEach((word, count) -> assertThat(now.get(word)).isGreaterThanOrEqualTo(count));
      before = now;
      assertThat(trie.total()).isGreaterThanOrEqualTo(0);
    }
  }

  private static Thread start(Queue<Throwable> failed, Runnable task) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                task.run();
              } catch (Throwable e) {
                failed.add(e);
              }
            });
  }

  private static SortedMap<String, Long> words(WordTrie trie) {
    TreeMap<String, Long> words = new TreeMap<>();
    trie.forEach(w -> words.put(w.word(), w.count()));
    return words;
  }

  @ParameterizedTest
  @EnumSource
  void aWordIsAddedANumberOfTimes(Alphabet alphabet) {
    try (WordTrie trie = empty(alphabet)) {
      trie.addWord("Whale", 5).addWord("whale", 1L << 40).add("whales whale");
      for (int i = 0; i < 200; i++) {
        trie.addWord("w" + "x".repeat(i), 2); // More nodes than there were at first.
      }
      assertThat(trie.count("whale")).isEqualTo((1L << 40) + 6);
      assertThat(trie.count("w")).isEqualTo(2);
      assertThat(trie.total()).isEqualTo((1L << 40) + 7 + 400);
      long nodes = trie.nodes();
      for (String word : new String[] {"", " ", "two words", "end.", MARK, "1"}) {
        assertThatThrownBy(() -> trie.addWord(word, 1))
            .as(word)
            .isInstanceOf(IllegalArgumentException.class);
      }
      assertThatThrownBy(() -> trie.addWord("whale", 0))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> trie.addWord("whale", -1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(trie.nodes()).isEqualTo(nodes);
    }
    if (alphabet == Alphabet.UNICODE_LETTERS) {
      try (WordTrie trie = empty(alphabet)) {
        assertThat(trie.addWord("Älg", 3).addWord("a" + MARK, 4).count("älg")).isEqualTo(3);
        assertThat(trie.count("a" + MARK)).isEqualTo(4);
      }
    }
  }
}
