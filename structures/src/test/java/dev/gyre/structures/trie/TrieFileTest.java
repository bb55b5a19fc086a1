package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.gyre.datasets.BadInputException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.kernels.trie.TrieEdges;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.structures.SavedFileException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Saved tries that somebody changed, by chance or with the checksum that belongs to the change. */
@Timeout(300)
class TrieFileTest {

  private static final int CHECKSUM = 56;
  private static final int HEADER = 64;

  /** Where the nodes begin. */
  private static final int NODES = 2 * HEADER;

  private static final int NODE = (int) NodeSize.LARGE.bytes();
  private static final int COUNT = NODE - Long.BYTES;
  private static final int SMALL = (int) NodeSize.SMALL.bytes();

  /** Where the header says how large nodes are. */
  private static final int HEADER_SHIFT = 20;

  private static JvmLauncher jvm;

  @TempDir private Path folder;

  @BeforeAll
  static void open() {
    jvm = JvmLauncher.ofWorkers(1);
  }

  @AfterAll
  static void close() {
    jvm.close();
  }

  @ParameterizedTest
  @CsvSource({"ASCII_LETTERS,LARGE", "ASCII_LETTERS,SMALL", "UNICODE_LETTERS,SMALL"})
  void everyByteThatChangesIsFoundOut(Alphabet alphabet, NodeSize size) throws IOException {
    byte[] good = saved(alphabet, size);
    for (int at = 0; at < good.length; at++) {
      byte[] bad = good.clone();
      bad[at] ^= (byte) (1 << (at % Byte.SIZE));
      assertThatThrownBy(() -> load(alphabet, bad))
          .as("byte %d of %d", at, good.length)
          .isInstanceOf(SavedFileException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({"ASCII_LETTERS,LARGE", "ASCII_LETTERS,SMALL", "UNICODE_LETTERS,SMALL"})
  void everyOtherLengthIsRefused(Alphabet alphabet, NodeSize size) throws IOException {
    byte[] good = saved(alphabet, size);
    for (int length = 0; length < good.length + HEADER; length++) {
      byte[] bad = Arrays.copyOf(good, length);
      if (length != good.length) {
        assertThatThrownBy(() -> load(alphabet, bad))
            .as("%d bytes instead of %d", length, good.length)
            .isInstanceOf(SavedFileException.class);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ASCII_LETTERS,LARGE",
    "ASCII_LETTERS,SMALL",
    "UNICODE_LETTERS,LARGE",
    "UNICODE_LETTERS,SMALL"
  })
  void whateverIsForgedIsRefusedOrATrie(Alphabet alphabet, NodeSize size) throws IOException {
    byte[] good = saved(alphabet, size);
    int loaded = 0;
    for (int at = 0; at < good.length; at++) {
      byte[] forged = good.clone();
      forged[at] ^= (byte) (at % 3 == 0 ? 1 : 0x81);
      try (WordTrie trie = load(alphabet, sealed(forged))) {
        assertConsistent(trie);
        loaded++;
      } catch (SavedFileException e) {
        assertThat(e).hasMessageContaining(file().toString());
      }
    }
    // Those that change the count of a word, or what is in nobody's use.
    assertThat(loaded).isPositive();
  }

  @Test
  void whatIsNoTreeIsRefused() throws IOException {
    // The nodes of "it was": root, i, t, w, a, s.
    assertRefused(b -> b.putInt(NODES + 4 * 3, 1), "two edges lead to node 1");
    assertRefused(b -> b.putInt(NODES + 2 * NODE, 3), "two edges lead to node 3");
    assertRefused(b -> b.putInt(NODES + 4 * ('i' - 'a'), 0), "no edge leads to node 1");
    assertRefused(b -> b.putInt(NODES + 2 * NODE, 2), "node 2 leads to 2");
    assertRefused(b -> b.putInt(NODES + 2 * NODE, 6), "node 2 leads to 6");
    assertRefused(b -> b.putInt(NODES + 2 * NODE, -1), "node 2 leads to -1");
    assertRefused(b -> b.putInt(NODES + 2 * NODE + 4 * 26, 3), "node 2 leads to 3");
    // Each node has one edge that leads to it, but from the root none leads to node 5.
    assertRefused(
        b -> b.putInt(NODES + 4 * NODE + 4 * ('s' - 'a'), 0).putInt(NODES + 5 * NODE, 5),
        "node 5 leads to 5");
  }

  @Test
  void whatIsNoTreeOfSmallNodesIsRefused() throws IOException {
    // The nodes of "it was": root, and for each of i, t, w, a, s one between and one behind it. The
    // edges of w are 3 and 4, behind each other, those of i 1 and 2; of a letter, 4 and 1 at most.
    int between = NODES + SMALL;
    assertSmallRefused(b -> b.putLong(between + SMALL - 8, 1), "node 1 has a count in the middle");
    assertSmallRefused(b -> b.putInt(between + SMALL, 2), "node 2 leads to 2");
    assertSmallRefused(b -> b.putInt(between, 4), "two edges lead to node 4");
    assertSmallRefused(b -> b.putInt(NODES + 9 * SMALL, 0), "no edge leads to node 10");
    assertSmallRefused(b -> b.putInt(NODES + 4 * 3, 0).putInt(NODES + 4 * 4, 5), "5 leads to 6");
    assertSmallRefused(b -> b.putInt(NODES + 4, 0).putInt(NODES + 4 * 4, 1), "1 leads to 2");
    assertSmallRefused(b -> b.putInt(NODES + 4 * 3, 0).putInt(NODES + 4 * 5, 5), "0 leads to 5");
    assertSmallRefused(b -> b.putInt(HEADER_SHIFT, 4), "its nodes are none of its alphabet");
    assertSmallRefused(b -> b.putInt(HEADER_SHIFT, 5), "not as long as its nodes");
  }

  private void assertSmallRefused(Consumer<ByteBuffer> change, String how) throws IOException {
    assertRefused(saved(Alphabet.ASCII_LETTERS, NodeSize.SMALL, "it was"), change, how);
  }

  @Test
  void countsThatCannotBeAreRefused() throws IOException {
    assertRefused(b -> b.putLong(NODES + NODE + COUNT, -1), "node 1 has a negative count");
    assertRefused(b -> b.putLong(NODES + COUNT, 1), "its root has a count");
    assertRefused(
        b -> b.putLong(NODES + NODE + COUNT, Long.MAX_VALUE - 1), "sum of its counts is more");
    byte[] most = saved(Alphabet.ASCII_LETTERS, "it was");
    ByteBuffer.wrap(most)
        .order(ByteOrder.nativeOrder())
        .putLong(NODES + NODE + COUNT, Long.MAX_VALUE - 2);
    try (WordTrie trie = load(Alphabet.ASCII_LETTERS, sealed(most))) {
      assertThat(trie.total()).isEqualTo(Long.MAX_VALUE);
      assertConsistent(trie);
    }
  }

  @Test
  void anEdgeForWhichThereWasNoRoomLeadsNowhere() throws IOException {
    byte[] full = saved(Alphabet.ASCII_LETTERS, "it was");
    ByteBuffer.wrap(full)
        .order(ByteOrder.nativeOrder())
        .putInt(NODES + 2 * NODE, TrieEdges.OVERFLOW);
    try (WordTrie trie = load(Alphabet.ASCII_LETTERS, sealed(full))) {
      assertConsistent(trie);
      assertThat(trie.add("ita").count("ita")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void wordsThatAreNoneAreRefused(NodeSize size) {
    // U+00D7, the sign of multiplication; half of a letter; and what is beyond all code points.
    int sign = 0xd7 - 0x80;
    assertThatThrownBy(() -> loadSteps(size, 26, sign / 30, sign % 30))
        .isInstanceOf(SavedFileException.class)
        .hasMessageContaining("'×' is not a word");
    assertThatThrownBy(() -> loadSteps(size, 26, 5)).isInstanceOf(SavedFileException.class);
    assertThatThrownBy(() -> loadSteps(size, 0, 26, 5)).isInstanceOf(SavedFileException.class);
    assertThatThrownBy(() -> loadSteps(size, 29, 29, 29, 29, 29))
        .isInstanceOf(SavedFileException.class);
  }

  @ParameterizedTest
  @EnumSource
  void wordsThatWereFoldedOtherwiseAreFoldedAnew(NodeSize size) throws IOException {
    int place = 'ﬅ' - 0x7100;
    int[] steps = {
      29, place / 27_000, place / 900 % 30, place / 30 % 30, place % 30, 'a' - 'a', 'x' - 'a'
    };
    try (WordTrie trie = loadSteps(size, steps)) {
      assertConsistent(trie);
      assertThat(trie.count("ﬅax")).isEqualTo(7).isEqualTo(trie.count("ﬆax"));
      assertThat(trie.count("word")).isEqualTo(1);
      assertThat(trie.size()).isEqualTo(2);
    }
  }

  /**
   * A checker that goes along each word from its beginning takes steps by the square of their
   * length; it copies them, too, and what a thread allocates does not depend on how fast it is.
   */
  @ParameterizedTest
  @ValueSource(strings = {"é", "ﬅ"})
  void wordsWithinWordsAreCheckedOnce(String first) throws IOException {
    int words = 20_000;
    nested(first, words, 0);
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    try (WordTrie trie =
        WordTrie.builder().alphabet(Alphabet.UNICODE_LETTERS).launcher(jvm).load(file())) {
      assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1000L * words);
      assertThat(trie.size()).isEqualTo(words);
      assertThat(trie.total()).isEqualTo(words);
      assertThat(trie.count(first + "a".repeat(words - 1))).isEqualTo(1);
    }
  }

  @Test
  void theLastOfWordsWithinWordsIsRefused() throws IOException {
    int words = 20_000;
    // A digit of a letter, but not the letter's first step.
    nested("é", words, 27);
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThatThrownBy(
            () -> WordTrie.builder().alphabet(Alphabet.UNICODE_LETTERS).launcher(jvm).load(file()))
        .isInstanceOf(SavedFileException.class)
        .hasMessageContaining("'é" + "a".repeat(words - 2) + "' is not a word");
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1000L * words);
  }

  /**
   * Saves a letter, as its code point's steps, with the words that more and more a's make of it.
   */
  private void nested(String first, int words, int last) {
    int code = first.codePointAt(0);
    boolean rare = code >= 0x7100;
    int place = code - (rare ? 0x7100 : 0x80);
    int[] steps =
        rare
            ? new int[] {29, place / 27_000, place / 900 % 30, place / 30 % 30, place % 30}
            : new int[] {26, place / 30, place % 30};
    try (TrieNodes nodes = new TrieNodes(Alphabet.UNICODE_LETTERS, NodeSize.LARGE, words + 10)) {
      int node = TrieLayout.ROOT;
      for (int step : steps) {
        node = TrieAdder.child(nodes, node, step);
      }
      TrieAdder.count(nodes, node, 1);
      for (int word = 1; word < words; word++) {
        node = TrieAdder.child(nodes, node, word + 1 < words ? 0 : last);
        TrieAdder.count(nodes, node, 1);
      }
      TrieFile.save(nodes, file());
    }
  }

  @Test
  void aFolderIsSaidToBeOne() {
    assertThatThrownBy(() -> WordTrie.load(folder))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("is a folder");
  }

  private Path file() {
    return folder.resolve("trie");
  }

  private byte[] saved(Alphabet alphabet, NodeSize size) throws IOException {
    return saved(alphabet, size, alphabet == Alphabet.ASCII_LETTERS ? "a be a" : "ß a ßb");
  }

  private byte[] saved(Alphabet alphabet, String text) throws IOException {
    return saved(alphabet, NodeSize.LARGE, text);
  }

  private byte[] saved(Alphabet alphabet, NodeSize size, String text) throws IOException {
    try (WordTrie trie =
        WordTrie.builder().alphabet(alphabet).nodeSize(size).launcher(jvm).build()) {
      trie.add(text).save(file());
    }
    return Files.readAllBytes(file());
  }

  /** A file with the checksum that belongs to it. */
  private static byte[] sealed(byte[] file) {
    CRC32C sum = new CRC32C();
    sum.update(file, 0, CHECKSUM);
    sum.update(file, HEADER, file.length - HEADER);
    ByteBuffer.wrap(file).order(ByteOrder.nativeOrder()).putLong(CHECKSUM, sum.getValue());
    return file;
  }

  private WordTrie load(Alphabet alphabet, byte[] bytes) throws IOException {
    Files.write(file(), bytes);
    return WordTrie.builder().alphabet(alphabet).launcher(jvm).load(file());
  }

  /** A trie of the letters of Unicode that was saved with some word seven times, and another. */
  private WordTrie loadSteps(NodeSize size, int... steps) {
    byte[] word = new byte[steps.length];
    for (int i = 0; i < steps.length; i++) {
      word[i] = (byte) steps[i];
    }
    try (TrieNodes nodes = new TrieNodes(Alphabet.UNICODE_LETTERS, size, 1000)) {
      assertThat(TrieAdder.addWord(nodes, size.edges(word), 7)).isTrue();
      byte[] known = "word".getBytes(StandardCharsets.US_ASCII);
      assertThat(TrieAdder.addText(nodes, known)).isTrue();
      TrieFile.save(nodes, file());
    }
    return WordTrie.builder().alphabet(Alphabet.UNICODE_LETTERS).launcher(jvm).load(file());
  }

  private void assertRefused(Consumer<ByteBuffer> change, String how) throws IOException {
    assertRefused(saved(Alphabet.ASCII_LETTERS, "it was"), change, how);
  }

  private void assertRefused(byte[] forged, Consumer<ByteBuffer> change, String how)
      throws IOException {
    change.accept(ByteBuffer.wrap(forged).order(ByteOrder.nativeOrder()));
    assertThatThrownBy(() -> load(Alphabet.ASCII_LETTERS, sealed(forged)))
        .isInstanceOf(SavedFileException.class)
        .hasMessageContaining(how);
  }

  /** All that can be asked has the same answer. */
  private static void assertConsistent(WordTrie trie) {
    Map<String, Long> words = new HashMap<>();
    trie.forEach(w -> assertThat(words.put(w.word(), w.count())).as(w.word()).isNull());
    words.forEach((word, count) -> assertThat(trie.count(word)).as(word).isEqualTo(count));
    assertThat(words.values()).allMatch(count -> count > 0);
    long total = words.values().stream().mapToLong(Long::longValue).sum();
    assertThat(trie.size()).isEqualTo(words.size());
    assertThat(trie.total()).isEqualTo(total).isNotNegative();
    assertThat(trie.total("")).isEqualTo(total);
    assertThat(trie.top(1000)).hasSize(words.size());
  }
}
