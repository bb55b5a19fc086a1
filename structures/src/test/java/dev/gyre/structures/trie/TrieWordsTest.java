package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.structures.OperationLock;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class TrieWordsTest {

  @Parameter private NodeSize size = NodeSize.LARGE;

  private static final int LONGEST = 30;
  private static final Set<Thread.State> WAITS =
      EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

  private static String word(SplittableRandom random, String letters) {
    StringBuilder word = new StringBuilder();
    int length = 1 + random.nextInt(random.nextInt(4) == 0 ? LONGEST : 5);
    for (int at = 0; at < length; at++) {
      word.append(letters.charAt(random.nextInt(letters.length())));
    }
    return word.toString();
  }

  private static void requireCount(WordTrie trie, String word, long expected) {
    assertThat(trie.count(word)).as(word).isEqualTo(expected);
    assertThat(trie.count(word.getBytes(StandardCharsets.UTF_8))).as(word).isEqualTo(expected);
  }

  /** What is there and what is not, and what goes on behind words, or is a part of them. */
  private static void requireCounts(
      WordTrie trie, Map<String, Long> words, SplittableRandom random, String letters) {
    List<String> there = new ArrayList<>(words.keySet());
    for (int i = 0; i < 400; i++) {
      String asked = word(random, letters);
      requireCount(trie, asked, words.getOrDefault(asked, 0L));
      if (!there.isEmpty()) {
        String known = there.get(random.nextInt(there.size()));
        requireCount(trie, known.toUpperCase(Locale.ROOT), words.getOrDefault(known, 0L));
        requireCount(trie, known + "q", 0);
        requireCount(trie, known + " ", 0);
        String part = known.substring(0, random.nextInt(known.length() + 1));
        requireCount(trie, part, words.getOrDefault(part, 0L));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void countsAreThoseOfAMapAfterEveryChange(Alphabet alphabet) {
    SplittableRandom random = new SplittableRandom(5);
    // A letter of five steps is cut by the end of a key.
    String letters = alphabet == Alphabet.ASCII_LETTERS ? "abz" : "abzä\u9053";
    Map<String, Long> words = new HashMap<>();
    try (WordTrie trie = WordTrie.builder().nodeSize(size).alphabet(alphabet).build()) {
      for (int change = 0; change < 12; change++) {
        for (int i = 0; i < 1 << random.nextInt(10); i++) {
          String word = word(random, letters);
          trie.add(word);
          words.merge(word, 1L, Long::sum);
        }
        requireCounts(trie, words, random, letters);
      }
      trie.retain(2);
      words.values().removeIf(count -> count < 2);
      requireCounts(trie, words, random, letters);
      trie.trim();
      requireCounts(trie, words, random, letters);
      trie.clear();
      words.clear();
      requireCounts(trie, words, random, letters);
    }
  }

  @Test
  void anIndexIsMadeOnceItPaysAndAfterItAChangeIsSeen() {
    TrieNodes nodes = new TrieNodes(Alphabet.ASCII_LETTERS, size, TrieNodes.INITIAL_CAPACITY);
    try {
      TrieLock guard = new TrieLock(nodes);
      TrieWords words = new TrieWords(nodes, guard);
      guard.add(() -> add(nodes, "there thereabouts"));
      assertThat(words.count("there")).isEqualTo(1);
      assertThat(words.isIndexed()).as("after one question").isFalse();
      askMany(words);
      assertThat(words.isIndexed()).as("after many").isTrue();
      assertThat(words.count("there")).as("by the index").isEqualTo(1);
      assertThat(words.count("thereabouts")).isEqualTo(1);
      assertThat(words.count("thereaboutsxy")).isZero();
      assertThat(words.count("xthereaboutsxy")).isZero();
      guard.add(() -> add(nodes, "there new"));
      assertThat(words.isIndexed()).as("after a change").isFalse();
      assertThat(words.count("there")).isEqualTo(2);
      assertThat(words.count("new")).isEqualTo(1);
      nodes.grow();
      assertThat(words.count("there")).isEqualTo(2);
      TrieNodes others = new TrieNodes(Alphabet.ASCII_LETTERS, size, TrieNodes.INITIAL_CAPACITY);
      add(others, "other");
      nodes.become(others);
      assertThat(words.count("there")).as("where its node is that of another").isZero();
    } finally {
      nodes.close();
    }
  }

  /** The count reads the pool before it grows, and the index after a query has built it. */
  @Test
  void aCountWhoseIndexHasNodesThatItsPoolLacksIsRepeated() throws Exception {
    TrieNodes nodes = new TrieNodes(Alphabet.ASCII_LETTERS, size, TrieNodes.INITIAL_CAPACITY);
    try (Memory root = Memory.ofBytes(size.bytes())) {
      TrieWords words = new TrieWords(nodes, new TrieLock(nodes));
      assertThat(add(nodes, "there thereabouts thereaboutsaboutthere")).isTrue();
      askMany(words);
      TriePool grown = nodes.pool();
      Field pool = accessible("pool");
      CompletableFuture<Long> count = new CompletableFuture<>();
      Thread counting =
          new Thread(
              () -> {
                try {
                  count.complete(words.count("thereaboutsaboutthere"));
                } catch (RuntimeException e) {
                  count.completeExceptionally(e);
                }
              });
      try (OperationLock.Entry _ =
          ((OperationLock) accessible("swap").get(nodes)).enterExclusive()) {
        pool.set(nodes, TriePool.of(root, size.layout(), grown.numbering()));
        counting.start();
        while (!count.isDone() && !WAITS.contains(counting.getState())) {
          Thread.onSpinWait();
        }
        pool.set(nodes, grown);
      }
      assertThat(count).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(1L);
    } finally {
      nodes.close();
    }
  }

  private static Field accessible(String name) throws NoSuchFieldException {
    Field field = TrieNodes.class.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /** Words that are absent, and one that is longer than a key. */
  private static void askMany(TrieWords words) {
    for (int i = 0; i < 10_000; i++) {
      assertThat(words.count("x" + nth(i))).isZero();
      assertThat(words.count("thereabouts")).isEqualTo(1);
    }
  }

  private static boolean add(TrieNodes nodes, String text) {
    return TrieAdder.addText(nodes, text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void anIndexThatIsMadeDuringAChangeIsNotTakenForComplete() {
    TrieNodes nodes = new TrieNodes(Alphabet.ASCII_LETTERS, size, TrieNodes.INITIAL_CAPACITY);
    try {
      TrieLock guard = new TrieLock(nodes);
      TrieWords words = new TrieWords(nodes, guard);
      guard.add(() -> add(nodes, "thereabouts"));
      guard.add(
          () -> {
            askMany(words);
            boolean _ = add(nodes, "new");
            assertThat(words.count("new")).isEqualTo(1);
            return words;
          });
    } finally {
      nodes.close();
    }
  }

  @Test
  void whatWasAddedIsFoundBesideAdding() {
    int most = 30_000;
    try (WordTrie trie = WordTrie.builder().nodeSize(size).build()) {
      AtomicInteger added = new AtomicInteger();
      CompletableFuture<Void> adding =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < most; i++) {
                  trie.add(nth(i));
                  added.setRelease(i + 1);
                }
              });
      SplittableRandom random = new SplittableRandom(3);
      int known = 0;
      while (known < most && !adding.isCompletedExceptionally()) {
        known = added.getAcquire();
        for (int i = 0; i < 50 && known > 0; i++) {
          String word = nth(random.nextInt(known));
          assertThat(trie.count(word)).as(word).isEqualTo(1);
          assertThat(trie.count(word + "q")).isZero();
        }
      }
      adding.join();
    }
  }

  /** A word of its own for each number. */
  private static String nth(int i) {
    StringBuilder word = new StringBuilder("b");
    for (char digit : Integer.toString(i).toCharArray()) {
      word.append((char) (digit + ('a' - '0')));
    }
    return word.append('x').toString();
  }
}
