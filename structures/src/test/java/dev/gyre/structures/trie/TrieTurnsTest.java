package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.Others;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who waits for whom: readers and changes of a trie take turns, and no action waits for itself. */
@Timeout(60)
class TrieTurnsTest {

  private static final byte[] AND = Steps.ofWord(Alphabet.ASCII_LETTERS, "and");

  private final Queue<Throwable> failed = new ConcurrentLinkedQueue<>();

  private Thread start(Runnable task) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                task.run();
              } catch (Throwable e) {
                failed.add(e);
              }
            });
  }

  private static void await(CyclicBarrier both) {
    try {
      both.await(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static WordTrie small(String text) {
    return WordTrie.builder().workers(1).initialNodes(8).build().add(text);
  }

  @Test
  void aReaderKeepsNoResultFromBeforeOrDuringAChange() {
    try (TrieNodes nodes = new TrieNodes(Alphabet.ASCII_LETTERS, NodeSize.LARGE, 8)) {
      TrieLock guard = new TrieLock(nodes);
      List<Consumer<Supplier<Boolean>>> changes =
          List.of(
              action -> guard.change(action),
              action -> guard.add(action),
              action -> {
                try (Entry _ = guard.enter();
                    TrieLock.Change _ = guard.changing()) {
                  boolean _ = action.get();
                }
              });
      for (Consumer<Supplier<Boolean>> change : changes) {
        long before = guard.watchChanges();
        assertThat(guard.isChanging()).isFalse();
        change.accept(
            () -> {
              assertThat(guard.changes()).isNotEqualTo(before);
              assertThat(guard.isChanging()).isTrue();
              return true;
            });
        assertThat(guard.changes()).isNotEqualTo(before);
        assertThat(guard.isChanging()).isFalse();
      }
    }
  }

  @Test
  void twoTriesAreAddedToEachOtherByActions() throws Exception {
    try (WordTrie first = small("a b c d e");
        WordTrie second = small("f g h i j")) {
      CyclicBarrier both = new CyclicBarrier(2);
      Thread one = start(() -> first.forEach(w -> addTo(second, w, both)));
      Thread other = start(() -> second.forEach(w -> addTo(first, w, both)));
      one.join();
      other.join();
      assertThat(failed).isEmpty();
      for (String word : List.of("a", "e")) {
        assertThat(second.count(word + word + "j")).isEqualTo(1);
      }
      for (String word : List.of("f", "j")) {
        assertThat(first.count(word + word + "j")).isEqualTo(1);
      }
    }
  }

  /** Both are in their first action before one goes on. */
  private static void addTo(WordTrie trie, WordCount met, CyclicBarrier both) {
    if (met.word().equals("a") || met.word().equals("f")) {
      await(both);
    }
    for (char last = 'a'; last <= 'j'; last++) {
      trie.add(met.word() + met.word() + last);
    }
  }

  private static char letter(int number) {
    return (char) ('a' + number);
  }

  /** More words than are read at a time, so that what was added lies before the walk. */
  @Test
  void anActionMeetsNoWordThatItAdded() {
    try (WordTrie trie = WordTrie.create()) {
      for (int i = 0; i < 512; i++) {
        trie.addWord("" + letter(i / 64) + letter(i / 8 % 8) + letter(i % 8), 1);
      }
      List<String> met = new ArrayList<>();
      trie.forEach(
          w -> {
            if (met.size() < 1000) {
              trie.add(w.word() + "b");
            }
            met.add(w.word());
          });
      assertThat(met).hasSize(512).allMatch(word -> word.length() == 3);
      assertThat(trie.size()).isEqualTo(1024);
    }
  }

  @Test
  void anActionThatAddsLongerWordsComesToAnEnd() {
    try (WordTrie trie = small("a b c")) {
      trie.forEach(w -> trie.add(w.word() + "a").add(w.word() + "b"));
      assertThat(trie.size()).isEqualTo(9);
    }
  }

  @Test
  void anActionMayDoAnythingWithItsTrie(@TempDir Path folder) {
    try (WordTrie trie = small("a b c d");
        WordTrie other = small("e")) {
      Path file = folder.resolve("within");
      trie.forEach(
          w -> {
            trie.save(file);
            other.addAll(trie);
            trie.addAll(trie);
            trie.trim();
            trie.retain(1);
            try (WordTrie saved = WordTrie.load(file)) {
              assertThat(saved.count(w.word())).isGreaterThanOrEqualTo(w.count());
            }
            trie.forEach("a", _ -> trie.add("b"));
          });
      assertThat(trie.count("d")).isEqualTo(16);
      assertThat(other.count("d")).isEqualTo(1 + 2 + 4 + 8);
      trie.forEach(_ -> trie.clear());
      assertThat(trie.size()).isZero();
    }
  }

  @Test
  void anActionMayWaitForAReaderWhileTheTrieGrows() throws Exception {
    try (WordTrie trie = small("a b c")) {
      Thread[] growing = new Thread[1];
      trie.forEach(
          w -> {
            if (w.word().equals("a")) {
              growing[0] = start(() -> trie.add("some more words than there is room for"));
              join(growing[0]);
              Thread reading = start(() -> assertThat(trie.size()).isGreaterThan(3));
              join(reading);
            }
          });
      assertThat(failed).isEmpty();
    }
  }

  private static void join(Thread thread) {
    try {
      assertThat(thread.join(java.time.Duration.ofSeconds(30))).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void wordsThatGoOrComeMeanwhileAreMetOrNotAndTheOthersOnce() {
    for (Alphabet alphabet : Alphabet.values()) {
      try (WordTrie trie = WordTrie.builder().workers(1).alphabet(alphabet).build()) {
        TreeMap<String, Long> expected = new TreeMap<>();
        for (int i = 0; i < 20_000; i++) {
          String word = Integer.toString(i * 31 + 100, 36).replaceAll("[0-9]", "x");
          trie.add(word).add(word);
          expected.merge(word, 2L, Long::sum);
        }
        Map<String, Long> met = new TreeMap<>();
        trie.forEach(
            w -> {
              // Forgets what is met once, so that nodes are numbered anew again and again.
              boolean odd = w.count() == 1;
              assertThat(odd || met.put(w.word(), w.count()) == null).isTrue();
              if (met.size() % 1_000 == 0) {
                trie.add("once" + "abcdefghij".charAt(met.size() / 1_000 % 10) + w.word());
                trie.retain(2);
              }
            });
        assertThat(met).isEqualTo(expected);
      }
    }
  }

  @Test
  void aTrieThatItsActionClosesEndsTheWalk() {
    WordTrie trie = WordTrie.builder().workers(1).build();
    for (int i = 0; i < 20_000; i++) {
      trie.add(Integer.toString(i, 36).replaceAll("[0-9]", "x"));
    }
    assertThatThrownBy(() -> trie.forEach(_ -> trie.close())).isInstanceOf(ClosedException.class);
  }

  @Test
  void oneThatSavesAgainAndAgainTakesTurnsWithOneThatAdds() throws Exception {
    try (TrieNodes nodes = new TrieNodes(Alphabet.ASCII_LETTERS, NodeSize.LARGE, 16)) {
      TrieLock guard = new TrieLock(nodes);
      Queue<String> order = new ConcurrentLinkedQueue<>();
      CountDownLatch inside = new CountDownLatch(1);
      CountDownLatch waiting = new CountDownLatch(1);
      Thread saving =
          start(
              () -> {
                guard.quiescent(
                    () -> {
                      inside.countDown();
                      awaitOnce(waiting);
                      return order.add("saved");
                    });
                // At once, while the one that waits is still to wake up.
                guard.quiescent(() -> order.add("saved again"));
              });
      inside.await();
      Thread adding =
          start(
              () ->
                  guard.add(
                      () -> {
                        order.add("added");
                        return TrieAdder.addWord(nodes, AND, 1);
                      }));
      Others.await(() -> Others.waits(adding) || !adding.isAlive());
      waiting.countDown();
      saving.join();
      adding.join();
      assertThat(failed).isEmpty();
      assertThat(order).containsExactly("saved", "added", "saved again");
    }
  }

  private static void awaitOnce(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void totalsTakenInTheMiddleOfAChangeAreNotKept() {
    try (TrieNodes nodes = new TrieNodes(Alphabet.ASCII_LETTERS, NodeSize.LARGE, 16)) {
      TrieLock guard = new TrieLock(nodes);
      TrieSums sums = new TrieSums(nodes, guard);
      byte[] or = Steps.ofWord(Alphabet.ASCII_LETTERS, "or");
      boolean _ =
          guard.change(
              () -> {
                TrieAdder.addWord(nodes, AND, 1);
                assertThat(sums.totals()).isEqualTo(new TrieSums.Totals(1, 1));
                TrieAdder.addWord(nodes, or, 4);
                assertThat(sums.totals()).as("in the middle").isEqualTo(new TrieSums.Totals(2, 5));
                return TrieAdder.addWord(nodes, or, 4);
              });
      assertThat(sums.totals()).as("after it").isEqualTo(new TrieSums.Totals(2, 9));
    }
  }
}
