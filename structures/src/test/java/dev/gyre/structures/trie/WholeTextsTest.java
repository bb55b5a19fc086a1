package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.MemoryLeft;
import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.structures.Others;
import dev.gyre.structures.StructureException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the text of the package says of failures: a trie that answers holds every text as a whole or
 * not at all, and what it then saves is loaded as it is.
 */
@Timeout(120)
class WholeTextsTest {

  private static final String KNOWN = "known words known to all ";

  /** Short enough for the thread that calls; its first words are known. */
  private static final String SHORT = KNOWN + unknown(1, 40);

  /** Long enough for workers, and for several chunks. */
  private static final String LONG = KNOWN.repeat(400) + unknown(2, 150) + KNOWN.repeat(400);

  private static final int CHUNK_BYTES = 1 << 12;

  @TempDir private Path folder;
  private final JvmLauncher launcher = JvmLauncher.ofWorkers(2);
  private long before;

  /** A change of a trie, by way of folder with texts. */
  interface Change {
    void of(WordTrie trie, Path folder);
  }

  @Test
  void packedFilesAreCountedAsTheirTexts() throws IOException {
    Path packed = folder.resolve("packed");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      out.write(LONG.getBytes(StandardCharsets.UTF_8));
    }
    Path archive = folder.resolve("archive");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(archive))) {
      out.putNextEntry(new ZipEntry("words"));
    }
    Path truncated = folder.resolve("truncated");
    byte[] bytes = Files.readAllBytes(packed);
    Files.write(truncated, Arrays.copyOf(bytes, bytes.length - 1));
    try (WordTrie trie = WordTrie.create();
        WordTrie same = WordTrie.create()) {
      for (Path bad : List.of(archive, truncated)) {
        assertThatThrownBy(() -> trie.add(bad))
            .isInstanceOf(BadInputException.class)
            .hasMessageStartingWith(bad + ": ");
      }
      trie.add(packed);
      same.add(LONG);
      assertThat(trie.total()).isEqualTo(same.total());
      assertThat(trie.size()).isEqualTo(same.size());
    }
  }

  /** Every change there is. Texts that launches add may be counted in part when they fail. */
  @SuppressWarnings("ImmutableEnumChecker") // Changes keep nothing.
  enum Way {
    TEXT(false, (trie, _) -> trie.add(SHORT)),
    LONG_TEXT(true, (trie, _) -> trie.add(LONG)),
    FILES(true, (trie, folder) -> trie.add(folder.resolve("long"), folder.resolve("short"))),
    CHUNKS(true, (trie, _) -> trie.add(source(LONG), CHUNK_BYTES, ByteProgress.NONE)),
    MEMORY(true, Way::addMemory),
    WORD(false, (trie, _) -> trie.addWord("aratherlongword".repeat(4), 3)),
    ANOTHER(false, Way::addAnother),
    ITSELF(false, (trie, _) -> trie.addAll(trie)),
    RETAIN(false, (trie, _) -> trie.retain(2)),
    CLEAR(false, (trie, _) -> trie.clear()),
    TRIM(false, (trie, _) -> trie.trim());

    private final boolean mayBeRefused;
    private final Change change;

    Way(boolean mayBeRefused, Change change) {
      this.mayBeRefused = mayBeRefused;
      this.change = change;
    }

    private static void addMemory(WordTrie trie, Path folder) {
      try (Memory memory = Memory.ofBytes(LONG.length())) {
        memory.segment().copyFrom(bytes(LONG));
        trie.add(memory, LONG.length());
      }
    }

    private static void addAnother(WordTrie trie, Path folder) {
      try (WordTrie other = WordTrie.load(folder.resolve("another"))) {
        trie.addAll(other);
      }
    }
  }

  private static MemorySegment bytes(String text) {
    return MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static TextSource source(String text) {
    return TextSource.ofMemory(bytes(text));
  }

  private static String unknown(int seed, int words) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder text = new StringBuilder();
    for (int word = 0; word < words; word++) {
      for (int letter = random.nextInt(1, 7); letter >= 0; letter--) {
        text.append((char) random.nextInt('a', 'z' + 1));
      }
      text.append(' ');
    }
    return text.toString();
  }

  @BeforeEach
  void texts() throws IOException {
    Files.writeString(folder.resolve("long"), LONG);
    Files.writeString(folder.resolve("short"), SHORT);
    try (WordTrie another = trie()) {
      another.add(SHORT).save(folder.resolve("another"));
    }
    before = MemoryLeft.bytes();
  }

  @AfterEach
  void allMemoryIsGivenBack() {
    launcher.close();
    // A thread that reads a text ahead gives its chunks back when it notices.
    Others.await(() -> MemoryLeft.bytes() == before);
  }

  /** With room for more than half of its nodes, so that further words and a trim take memory. */
  private WordTrie trie() {
    return WordTrie.builder().launcher(launcher).initialNodes(40).build().add(KNOWN);
  }

  private static SortedMap<String, Long> words(WordTrie trie) {
    TreeMap<String, Long> words = new TreeMap<>();
    trie.forEach(w -> words.put(w.word(), w.count()));
    assertThat(trie.size()).isEqualTo(words.size());
    assertThat(trie.total()).isEqualTo(words.values().stream().mapToLong(c -> c).sum());
    return words;
  }

  @ParameterizedTest
  @EnumSource
  void isCountedAsAWholeOrNotAtAllWhereverMemoryEnds(Way way) {
    SortedMap<String, Long> whole = new TreeMap<>();
    try (WordTrie trie = trie()) {
      way.change.of(trie, folder);
      whole.putAll(words(trie));
    }
    int failures = 0;
    int refusals = 0;
    boolean done = false;
    for (long left = 0; !done; ) {
      try (WordTrie trie = trie()) {
        SortedMap<String, Long> none = words(trie);
        long lacking = lacking(() -> way.change.of(trie, folder), left);
        left += lacking;
        done = lacking == 0;
        failures += done ? 0 : 1;
        if (way.mayBeRefused && refuses(trie)) {
          refusals++;
        } else {
          assertThat(words(trie)).as("%d bytes left", left).isEqualTo(done ? whole : none);
          requireSaved(trie);
          if (!done) {
            way.change.of(trie, folder);
            assertThat(words(trie)).as("again, %d bytes left", left).isEqualTo(whole);
          }
        }
      }
    }
    assertThat(failures).isPositive();
    assertThat(refusals > 0).isEqualTo(way.mayBeRefused);
    assertThat(refusals).as("some fail before anything is counted").isLessThan(failures);
  }

  /** Returns how many bytes more are needed for the allocation that fails, or 0. */
  private static long lacking(Runnable change, long left) {
    try (MemoryLeft _ = MemoryLeft.of(left)) {
      change.run();
      return 0;
    } catch (MemoryExhaustedException e) {
      return MemoryLeft.lacking(e);
    }
  }

  /** Whether a trie refuses all that is asked of it, but to be closed. */
  private boolean refuses(WordTrie trie) {
    try {
      long _ = trie.size();
      return false;
    } catch (StructureException e) {
      ThrowingCallable[] all = {
        () -> trie.add("word"),
        () -> trie.count("word"),
        () -> trie.forEach(_ -> {}),
        () -> trie.save(folder.resolve("refused")),
        () -> trie.retain(1),
        () -> trie.clear(),
        () -> trie.addAll(trie)
      };
      for (ThrowingCallable each : all) {
        assertThatThrownBy(each)
            .isInstanceOf(StructureException.class)
            .hasMessageContaining("incomplete");
      }
      assertThat(folder.resolve("refused")).doesNotExist();
      return true;
    }
  }

  private void requireSaved(WordTrie trie) {
    Path file = folder.resolve("saved");
    trie.save(file);
    try (WordTrie loaded = WordTrie.load(file)) {
      assertThat(words(loaded)).isEqualTo(words(trie));
    }
  }

  /** At the end of a text, capacity that it did not need is freed, which first takes memory. */
  @Test
  void aTextIsCountedEvenIfUnusedCapacityCannotBeFreed() {
    int failures = 0;
    boolean done = false;
    for (long left = 0; !done; ) {
      try (WordTrie trie = WordTrie.builder().launcher(launcher).build()) {
        long lacking = lacking(() -> trie.add(KNOWN.repeat(4_000)), left);
        left += lacking;
        done = lacking == 0;
        failures += done ? 0 : 1;
        assertThat(trie.total()).as("%d bytes left", left).isEqualTo(done ? 20_000 : 0);
      }
    }
    assertThat(failures).isPositive();
  }

  @Test
  void aTrieForWhichThereIsNoMemoryLeavesNone() {
    int failures = 0;
    boolean done = false;
    for (long left = 0; !done; ) {
      try (MemoryLeft _ = MemoryLeft.of(left);
          WordTrie trie = WordTrie.builder().launcher(launcher).initialNodes(4).build()) {
        done = trie.nodes() == 1;
      } catch (MemoryExhaustedException e) {
        left += MemoryLeft.lacking(e);
        failures++;
      }
      assertThat(MemoryLeft.bytes()).isEqualTo(before);
    }
    assertThat(failures).isGreaterThan(1);
  }

  @Test
  void aTextThatBreaksOffBeforeAnythingOfItIsCountedSparesTheTrie() {
    try (WordTrie trie = trie()) {
      SortedMap<String, Long> none = words(trie);
      BadInputException failure =
          catchThrowableOfType(
              BadInputException.class, () -> trie.add(broken(""), ByteProgress.NONE));
      assertThat(failure).hasMessageEndingWith("broken");
      assertThat(failure.soFar(Long.class)).isEmpty();
      assertThat(words(trie)).isEqualTo(none);
      requireSaved(trie);
    }
  }

  @Test
  void aTextThatBreaksOffInTheMiddleIsRefused() {
    try (WordTrie trie = trie()) {
      BadInputException failure =
          catchThrowableOfType(
              BadInputException.class,
              () -> trie.add(broken(KNOWN.repeat(1_000)), CHUNK_BYTES, ByteProgress.NONE));
      long known = failure.soFar(Long.class).orElseThrow();
      assertThat(known).isBetween((long) CHUNK_BYTES, 1_000L * KNOWN.length());
      assertThat(failure).hasMessageContaining("; %d bytes of the text are known", known);
      assertThat(refuses(trie)).isTrue();
    }
  }

  @Test
  void aLauncherThatWasClosedSparesTheTrie() {
    JvmLauncher closed = JvmLauncher.ofWorkers(1);
    try (WordTrie trie = WordTrie.builder().launcher(closed).build().add(KNOWN)) {
      SortedMap<String, Long> none = words(trie);
      closed.close();
      assertThatThrownBy(() -> trie.add(LONG)).isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> trie.add(folder.resolve("long")))
          .isInstanceOf(ClosedException.class);
      assertThat(words(trie)).isEqualTo(none);
      try (WordTrie copy = trie.copyTo(launcher)) {
        assertThat(copy.add(LONG).total()).isGreaterThan(2_000);
      }
    }
  }

  private static TextSource broken(String text) {
    InputStream begin = new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
    InputStream end =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("broken");
          }

          @Override
          public int read(byte[] into, int from, int length) throws IOException {
            throw new IOException("broken");
          }
        };
    return TextSource.ofStream("stream", new SequenceInputStream(begin, end));
  }

  @Test
  void aThreadThatWasInterruptedBeforeAddsNoFile() {
    try (WordTrie trie = trie()) {
      SortedMap<String, Long> none = words(trie);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> trie.add(folder.resolve("long")))
          .isInstanceOf(LaunchCancelledException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(words(trie)).isEqualTo(none);
      requireSaved(trie);
    }
  }

  @Test
  void aThreadThatWasInterruptedBeforeIsToldSoByALongTextThatItCountsItself() {
    try (WordTrie trie = WordTrie.builder().workers(1).build()) {
      SortedMap<String, Long> none = words(trie);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> trie.add("sea ".repeat(5000)))
          .isInstanceOf(LaunchCancelledException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(words(trie)).isEqualTo(none);
      requireSaved(trie);
    }
  }

  @Test
  void aThreadThatIsInterruptedBetweenChunksLeavesATrieThatRefuses() {
    try (WordTrie trie = trie()) {
      ByteProgress interrupts = (_, _) -> Thread.currentThread().interrupt();
      LaunchCancelledException failure =
          catchThrowableOfType(
              LaunchCancelledException.class,
              () -> trie.add(source(LONG), CHUNK_BYTES, interrupts));
      assertThat(Thread.interrupted()).isTrue();
      assertThat(failure.soFar(Long.class).orElseThrow()).isBetween(1L, (long) CHUNK_BYTES);
      assertThat(failure).hasMessageContaining("of %d bytes of the text are known", LONG.length());
      assertThat(refuses(trie)).isTrue();
    }
  }
}
