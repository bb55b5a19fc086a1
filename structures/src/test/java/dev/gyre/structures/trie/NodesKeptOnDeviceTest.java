package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryInUseException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.kernels.trie.TrieWorkers;
import dev.gyre.structures.TextCuts;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Nodes that a device works on when a trie wants to free them. */
class NodesKeptOnDeviceTest {

  @Test
  void aPoolInWhosePlaceThereIsAnotherIsFreedWhenTheTrieIsClosed() {
    AtomicBoolean working = new AtomicBoolean(true);
    AtomicInteger freed = new AtomicInteger();
    TrieNodes nodes = new TrieNodes(Alphabet.ASCII_LETTERS, NodeSize.LARGE, 16);
    nodes
        .pool()
        .memory()
        .beforeFree(
            () -> {
              if (working.get()) {
                throw new MemoryInUseException("at work", null);
              }
              freed.getAndIncrement();
            });
    nodes.grow();
    assertThat(nodes.capacity()).isEqualTo(64);
    TrieLock guard = new TrieLock(nodes);
    assertThatThrownBy(() -> guard.close(nodes::close)).isInstanceOf(MemoryInUseException.class);
    working.set(false);
    guard.close(nodes::close);
    guard.close(nodes::close);
    assertThat(freed).hasValue(1);
  }

  /** Of texts whose nodes have other numbers, or are no more, there is nothing to know. */
  @Test
  void workersHaveRoomForTheWordsOfTextsWhoseNodesTheyKnow() {
    Object numbering = new Object();
    try (TrieScratch scratch = new TrieScratch()) {
      TrieWorkers few = scratch.hire(1, 1 << 10, numbering);
      scratch.keep(few);
      assertThat(few.words()).isEqualTo(16);
      assertThat(few.sharedWords()).isEqualTo(64);
      TrieWorkers more = scratch.hire(2, 1 << 10, numbering);
      scratch.keep(more);
      assertThat(more.count()).isEqualTo(2);
      assertThat(more.sharedWords()).isEqualTo(128);
      TrieWorkers most = scratch.hire(2, 1 << 24, numbering);
      assertThat(most.sharedWords()).isEqualTo(1 << 17);
      scratch.keep(most);
      assertThat(scratch.hire(1, 1 << 10, numbering)).isSameAs(most);
      scratch.keep(most);
      TrieWorkers others = scratch.hire(1, 1 << 10, new Object());
      assertThat(others.words()).isEqualTo(16);
      assertThat(others.sharedWords()).isEqualTo(64);
    }
  }

  @Test
  void scratchThatIsInUseIsFreedWhenItIsClosed() {
    AtomicBoolean working = new AtomicBoolean(true);
    AtomicInteger freed = new AtomicInteger();
    Consumer<Memory> use =
        memory ->
            memory.beforeFree(
                () -> {
                  if (working.get()) {
                    throw new MemoryInUseException("at work", null);
                  }
                  freed.getAndIncrement();
                });
    TrieScratch scratch = new TrieScratch();
    try (JvmLauncher jvm = JvmLauncher.ofWorkers(1)) {
      use.accept(scratch.left(8));
      use.accept(scratch.ended());
      // A larger one takes its place.
      use.accept(scratch.left(1 << 10));
      for (int words : new int[] {10, 1_000}) {
        byte[] text = "word ".repeat(words).getBytes(StandardCharsets.US_ASCII);
        try (Memory memory = Memory.ofBytes(text.length)) {
          memory.segment().copyFrom(MemorySegment.ofArray(text));
          TextCuts cuts =
              new TextCuts(memory.segment(), memory, 1 << 20, Alphabet.ASCII_LETTERS::separates, 1);
          scratch.pieces().forEach(cuts, 0, jvm, (piece, _, _) -> use.accept(piece));
        }
      }
    }
    scratch.drop();
    assertThat(scratch.byteSize()).isZero();
    assertThatThrownBy(scratch::close).isInstanceOf(MemoryInUseException.class);
    assertThat(freed).hasValue(0);
    working.set(false);
    scratch.close();
    scratch.close();
    assertThat(freed).hasValue(5);
  }
}
