package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The broken variant of {@link TrieOperationsTest#manyThreadsAddWhileOthersReadAndItGrows}: the
 * pool grows while other threads add. What they add to the old pool after its copy is lost, or they
 * find the pool closed.
 */
@Timeout(120)
@Tag("race")
class OptimisticGrowthTest {

  private static final int ROUNDS = 500;
  private static final int WRITERS = 2;
  private static final int GROWTHS = 40;

  @Test
  void growthBesideAddingLosesCounts() throws Exception {
    boolean seen = false;
    for (int round = 0; round < ROUNDS && !seen; round++) {
      seen = losesSomething();
    }
    assertThat(seen).as("seen in %d rounds", ROUNDS).isTrue();
  }

  private static boolean losesSomething() throws Exception {
    Queue<RuntimeException> failed = new ConcurrentLinkedQueue<>();
    CountDownLatch started = new CountDownLatch(WRITERS);
    byte[] word = "a".getBytes(StandardCharsets.US_ASCII);
    try (TrieNodes nodes = new TrieNodes(Alphabet.ASCII_LETTERS, NodeSize.LARGE, 1024)) {
      TrieAdder.addText(nodes, word);
      long[] added = new long[WRITERS];
      Thread[] threads = new Thread[WRITERS];
      for (int t = 0; t < WRITERS; t++) {
        int mine = t;
        threads[t] =
            Thread.ofPlatform().start(() -> added[mine] = addMany(nodes, word, started, failed));
      }
      started.await();
      for (int i = 0; i < GROWTHS; i++) {
        nodes.become(nodes.copy());
      }
      long expected = 1;
      for (int t = 0; t < WRITERS; t++) {
        threads[t].join();
        expected += added[t];
      }
      return !failed.isEmpty() || new TrieWords(nodes, new TrieLock(nodes)).count(word) != expected;
    }
  }

  private static long addMany(
      TrieNodes nodes, byte[] word, CountDownLatch started, Queue<RuntimeException> failed) {
    long added = 0;
    started.countDown();
    try {
      while (added < 50_000) {
        TrieAdder.addText(nodes, word);
        added++;
      }
    } catch (RuntimeException e) {
      failed.add(e);
    }
    return added;
  }
}
