package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryLeft;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.GroupLaunchException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherGroup;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.kernels.trie.TrieRef;
import dev.gyre.structures.FailingPart;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.Others;
import dev.gyre.structures.StructureException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A trie that a group of launchers counts for. */
@ParameterizedClass
@EnumSource
@Timeout(60)
class GroupTrieTest {

  @Parameter private NodeSize size = NodeSize.LARGE;

  /** Some bytes more than a launcher works on at least. */
  private static final int ENOUGH = 20_000;

  @TempDir private Path folder;
  private final FailingPart first = new FailingPart();
  private final FailingPart second = new FailingPart();
  private final Launcher group = LauncherGroup.of(List.of(first, second));

  @AfterEach
  void close() {
    group.close();
    assertThat(first.isClosed() && second.isClosed()).isTrue();
  }

  /** A kernel that asks a trie nothing. */
  record Nothing(TrieRef trie) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {}
  }

  private WordTrie trie(Alphabet alphabet) {
    return WordTrie.builder().nodeSize(size).alphabet(alphabet).launcher(group).build();
  }

  private WordTrie trie() {
    return trie(Alphabet.ASCII_LETTERS);
  }

  private static SortedMap<String, Long> words(WordTrie trie) {
    SortedMap<String, Long> words = new TreeMap<>();
    trie.forEach(w -> words.put(w.word(), w.count()));
    return words;
  }

  private static byte[] text(SplittableRandom random, int bytes) {
    StringBuilder text = new StringBuilder();
    while (text.length() < bytes) {
      text.append(Integer.toString(random.nextInt(2_000), 36).replaceAll("[0-9]", "z")).append(' ');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void add(WordTrie trie, byte[] text) {
    try (Memory memory = Memory.ofBytes(text.length)) {
      memory.segment().copyFrom(MemorySegment.ofArray(text));
      trie.add(memory, text.length);
    }
  }

  /** A launcher for which no trie can be made. */
  private static final class Refusing extends ForwardingLauncher {
    Refusing() {
      super(JvmLauncher.ofWorkers(1), deviceOnJvm(1));
    }

    @Override
    public LaunchShape shapeFor(long items) {
      throw new IllegalStateException("it does so for a test");
    }
  }

  @Test
  void aTrieThatCannotBeMadeLeavesNoNodesOfOtherParts() {
    long before = MemoryLeft.bytes();
    try (Launcher third = new Refusing()) {
      WordTrieBuilder builder =
          WordTrie.builder().launcher(LauncherGroup.of(List.of(first, second, third)));
      assertThatThrownBy(builder::build).isInstanceOf(IllegalStateException.class);
    }
    assertThat(MemoryLeft.bytes()).isEqualTo(before);
  }

  @Test
  void eachPartCountsItsPiecesOfALongText() {
    byte[] text = text(new SplittableRandom(1), 4 * ENOUGH);
    try (WordTrie trie = trie()) {
      add(trie, text);
      assertThat(first.launches()).isPositive();
      assertThat(second.launches()).isPositive();
      assertThat(words(trie)).isEqualTo(WordTrieTest.sequential(text));
      assertThat(trie.top(3)).hasSize(3);
      assertThat(trie.total()).isEqualTo(words(trie).values().stream().mapToLong(n -> n).sum());
    }
  }

  /** Any operations, in any order, with moves to a launcher and back. */
  @ParameterizedTest
  @EnumSource
  void anySequenceOfOperationsIsThatOfATreeMap(Alphabet alphabet) {
    try (JvmLauncher alone = JvmLauncher.ofWorkers(1)) {
      for (int seed = 0; seed < 8; seed++) {
        SplittableRandom random = new SplittableRandom(seed);
        TreeMap<String, Long> model = new TreeMap<>();
        WordTrie trie = trie(alphabet);
        try {
          for (int step = 0; step < 12; step++) {
            trie = step(random, alphabet, trie, model, alone);
            if (random.nextInt(3) > 0) {
              assertThat(words(trie)).as("seed %d, step %d", seed, step).isEqualTo(model);
            }
          }
          assertThat(words(trie)).as("seed %d", seed).isEqualTo(model);
        } finally {
          trie.close();
        }
      }
    }
  }

  private WordTrie step(
      SplittableRandom random,
      Alphabet alphabet,
      WordTrie trie,
      Map<String, Long> model,
      Launcher alone) {
    switch (random.nextInt(9)) {
      case 0 -> {
        trie.addWord("zz", 5);
        model.merge("zz", 5L, Long::sum);
      }
      case 1 -> {
        WordTrie _ = trie.retain(3);
        model.values().removeIf(count -> count < 3);
      }
      case 2 -> trie.trim();
      case 3, 4 -> {
        WordTrie copy = trie.copyTo(random.nextBoolean() ? alone : group);
        trie.close();
        return copy;
      }
      case 5 -> {
        trie.save(folder.resolve("saved"));
        trie.close();
        return WordTrie.builder()
            .nodeSize(size)
            .alphabet(alphabet)
            .launcher(group)
            .load(folder.resolve("saved"));
      }
      case 6 -> {
        try (WordTrie other = trie(alphabet)) {
          byte[] text = text(random, ENOUGH);
          add(other, text);
          trie.addAll(other);
          count(text, model);
        }
      }
      default -> {
        byte[] text = text(random, random.nextInt(1, 3 * ENOUGH));
        if (random.nextBoolean()) {
          add(trie, text);
        } else {
          TextSource source = TextSource.ofMemory(MemorySegment.ofArray(text));
          long _ = trie.add(source, ENOUGH, ByteProgress.NONE);
        }
        count(text, model);
      }
    }
    return trie;
  }

  private static void count(byte[] text, Map<String, Long> model) {
    WordTrieTest.sequential(text).forEach((word, count) -> model.merge(word, count, Long::sum));
  }

  /** Some words may be counted, so nobody is told anything any more. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aPartThatFailsIsNamedAndNothingIsReported(int part) {
    FailingPart failing = part == 0 ? first : second;
    failing.failAfter(1);
    byte[] text = text(new SplittableRandom(2), 20 * ENOUGH);
    try (WordTrie trie = trie()) {
      assertThatThrownBy(() -> addTwice(trie, text))
          .isInstanceOfSatisfying(
              GroupLaunchException.class, e -> assertThat(e.part()).isEqualTo(part))
          .hasMessageContaining("part %d of a group from 0 to 1", part);
      assertThatThrownBy(() -> trie.count("zz"))
          .isInstanceOf(StructureException.class)
          .hasMessageContaining("counts are incomplete");
      assertThatThrownBy(() -> trie.save(folder.resolve("none")))
          .isInstanceOf(StructureException.class);
    }
  }

  private static void addTwice(WordTrie trie, byte[] text) {
    add(trie, text);
    add(trie, text);
  }

  @Test
  void anInterruptBeforeATextOfAllPartsLeavesTheTrieAsItWas() {
    byte[] text = text(new SplittableRandom(3), 4 * ENOUGH);
    try (WordTrie trie = trie()) {
      Thread.currentThread().interrupt();
      LaunchCancelledException cancelled =
          catchThrowableOfType(LaunchCancelledException.class, () -> add(trie, text));
      assertThat(Thread.interrupted()).isTrue();
      assertThat(cancelled).isNotNull();
      assertThat(words(trie)).isEmpty();
      add(trie, text);
      assertThat(words(trie)).isEqualTo(WordTrieTest.sequential(text));
    }
  }

  @Test
  void aKernelIsRefusedButForACopyOnOnePart() {
    byte[] text = text(new SplittableRandom(4), 4 * ENOUGH);
    LaunchShape shape = LaunchShape.ofThreads(1);
    try (WordTrie trie = trie()) {
      add(trie, text);
      assertThatThrownBy(() -> trie.launch(Nothing::new, shape))
          .isInstanceOf(StructureException.class)
          .hasMessageContaining("copyTo");
      try (WordTrie copy = trie.copyTo(group.parts().getLast())) {
        copy.launch(Nothing::new, shape);
        assertThat(words(copy)).isEqualTo(WordTrieTest.sequential(text));
      }
      assertThat(words(trie)).isEqualTo(WordTrieTest.sequential(text));
    }
  }

  @Test
  void whoReadsAndAddsBesideTextsLosesNothing() {
    byte[] text = "later ".repeat(4 * ENOUGH / 6).getBytes(StandardCharsets.UTF_8);
    long[] added = new long[1];
    AtomicBoolean done = new AtomicBoolean();
    try (WordTrie trie = trie()) {
      CompletableFuture<Void> other =
          Others.start(
              () -> {
                long last = 0;
                while (!done.get()) {
                  trie.add("word");
                  added[0]++;
                  long now = trie.count("later");
                  assertThat(now).isGreaterThanOrEqualTo(last);
                  last = now;
                }
              });
      for (int round = 1; round <= 20; round++) {
        add(trie, text);
        assertThat(trie.count("later")).isEqualTo((long) round * (4 * ENOUGH / 6));
      }
      done.set(true);
      other.join();
      assertThat(trie.count("word")).isEqualTo(added[0]);
    }
  }

  @Test
  void memoryIsCountedAndGivenBack() {
    byte[] text = text(new SplittableRandom(5), 8 * ENOUGH);
    try (WordTrie trie = trie()) {
      long before = trie.byteSize();
      add(trie, text);
      assertThat(trie.byteSize()).isGreaterThan(before);
      long full = trie.byteSize();
      trie.trim();
      assertThat(trie.byteSize()).isLessThan(full);
    }
  }
}
