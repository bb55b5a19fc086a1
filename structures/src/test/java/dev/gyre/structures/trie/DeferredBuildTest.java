package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.kernels.trie.TrieEdges;
import dev.gyre.kernels.trie.TrieLayout;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Strips that meet an edge which another thread has claimed. */
class DeferredBuildTest {

  private static final byte[] TEXT =
      "bee ant bee cat ant bee dog bee".getBytes(StandardCharsets.US_ASCII);

  /** Both forms count each word once, wherever the strip had to stop. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theBuildEndsOnceTheNodeIsPublished(boolean defers) throws Exception {
    try (TrieNodes nodes = new TrieNodes(Alphabet.ASCII_LETTERS, NodeSize.LARGE, 100);
        JvmLauncher launcher = JvmLauncher.ofWorkers(2);
        Memory classes = Alphabet.ASCII_LETTERS.table();
        TrieScratch scratch = new TrieScratch();
        Memory text = Memory.ofBytes(TEXT.length)) {
      text.segment().copyFrom(MemorySegment.ofArray(TEXT));
      long edge = TrieLayout.edge(TrieLayout.ROOT, nodes.nodeShift(), 'a' - 'a');
      nodes.edges().storeRelaxed(edge, TrieEdges.RESERVED);
      TrieBuild.Counted counted = new TrieBuild.Counted();
      TrieBuild build = new TrieBuild(launcher, nodes, classes, scratch, defers, counted);
      CompletableFuture<Void> running =
          CompletableFuture.runAsync(
              () -> build.add(text, TEXT.length, LaunchShape.ofThreads(2), () -> {}));
      TimeUnit.MILLISECONDS.sleep(50);
      assertThat(running).isNotDone();
      int fresh = (int) nodes.bump().fetchAddRelaxed(0, 1);
      nodes.edges().storeRelease(edge, fresh);
      running.get(1, TimeUnit.MINUTES);
      assertThat(count(nodes, "ant")).isEqualTo(2);
      assertThat(count(nodes, "bee")).isEqualTo(4);
      assertThat(count(nodes, "cat")).isEqualTo(1);
      assertThat(count(nodes, "dog")).isEqualTo(1);
    }
  }

  private static long count(TrieNodes nodes, String word) {
    int node = TrieLayout.ROOT;
    for (int letter : word.chars().map(c -> c - 'a').toArray()) {
      node = nodes.edges().get(TrieLayout.edge(node, nodes.nodeShift(), letter));
    }
    return nodes.counts().get(TrieLayout.count(node, nodes.nodeShift()));
  }
}
