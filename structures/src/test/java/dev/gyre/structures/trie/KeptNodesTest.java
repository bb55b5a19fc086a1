package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.MemoryInUseException;
import dev.gyre.kernels.trie.Alphabet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Nodes that a device works on when a trie wants to free them. */
class KeptNodesTest {

  @Test
  void aPoolInWhosePlaceThereIsAnotherIsFreedWhenTheTrieIsClosed() {
    AtomicBoolean working = new AtomicBoolean(true);
    AtomicInteger freed = new AtomicInteger();
    TrieNodes nodes = new TrieNodes(Alphabet.ASCII_LETTERS, 16);
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
    assertThat(nodes.capacity()).isEqualTo(32);
    TrieGuard guard = new TrieGuard(nodes);
    assertThatThrownBy(() -> guard.close(nodes::close)).isInstanceOf(MemoryInUseException.class);
    working.set(false);
    guard.close(nodes::close);
    guard.close(nodes::close);
    assertThat(freed).hasValue(1);
  }
}
