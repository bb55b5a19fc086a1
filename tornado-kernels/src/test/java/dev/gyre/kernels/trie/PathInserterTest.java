package dev.gyre.kernels.trie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PathInserterTest {

  private static final int CAPACITY = 1 << 16;

  static Stream<NodeLayout> layouts() {
    return Stream.of(new LargeNodes(), new SmallNodes());
  }

  private static TrieEdges trie(NodeLayout layout, Memory nodes, DeviceLongs bump, long capacity) {
    DeviceInts edges = DeviceInts.of(nodes);
    return new TrieEdges(layout, edges, DeviceLongs.of(nodes), capacity, bump, Long.MAX_VALUE);
  }

  private static Memory nodes(NodeLayout layout) {
    return Memory.ofBytes(CAPACITY * TrieLayout.nodeBytes(layout.shift()));
  }

  /** Both kinds of keys: side by side, and a byte for each letter. */
  private static long packed(String word) {
    long key = WordKey.PACKED;
    for (int i = 0; i < word.length(); i++) {
      key |= (word.charAt(i) - 'a' + 1L) << (i * Letter.STEP_BITS);
    }
    return key;
  }

  private static long bytes(String word) {
    long key = 0;
    for (int i = 0; i < word.length(); i++) {
      key |= (word.charAt(i) - 'a' + 1L) << (i * WordKey.BYTE_SHIFT);
    }
    return key;
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void nodesAreThoseOfAWalkEdgeByEdge(NodeLayout layout) {
    Random random = new Random(7);
    try (Memory nodes = nodes(layout);
        Memory bumped = Memory.ofLongs(1)) {
      DeviceLongs bump = DeviceLongs.of(bumped);
      bump.set(0, 1);
      TrieEdges trie = trie(layout, nodes, bump, CAPACITY);
      PathInserter branches = new PathInserter(trie);
      Set<String> beginnings = new HashSet<>();
      for (int i = 0; i < 2_000; i++) {
        StringBuilder word = new StringBuilder();
        int letters = 1 + random.nextInt(8);
        for (int j = 0; j < letters; j++) {
          word.append((char) ('a' + random.nextInt(i % 2 == 0 ? 3 : 26)));
          beginnings.add(word.toString());
        }
        long key = i % 3 == 0 ? packed(word.toString()) : bytes(word.toString());
        int node = branches.node(key);
        assertThat(node).isPositive().isEqualTo(trie.walk(key));
      }
      if (!layout.isSplit()) {
        assertThat(bump.get(0)).as("nodes, with the root").isEqualTo(beginnings.size() + 1L);
      }
    }
  }

  /** What has no room leads to OVERFLOW; all nodes that there is room for are made. */
  @ParameterizedTest
  @MethodSource("layouts")
  void aBranchIsCutWhereThereIsNoRoomAndGoesOnWhereThereIs(NodeLayout layout) {
    long key = packed("aardvark");
    int all = 8 * (layout.isSplit() ? 2 : 1);
    for (int room = 1; room <= all + 1; room++) {
      try (Memory nodes = nodes(layout);
          Memory bumped = Memory.ofLongs(1)) {
        DeviceLongs bump = DeviceLongs.of(bumped);
        bump.set(0, 1);
        int node = new PathInserter(trie(layout, nodes, bump, room)).node(key);
        assertThat(node).isEqualTo(room > all ? all : TrieEdges.OVERFLOW);
        assertThat(bump.get(0)).isGreaterThanOrEqualTo(room);
        MemorySegment behind = nodes.segment().asSlice(room * TrieLayout.nodeBytes(layout.shift()));
        assertThat(behind.mismatch(MemorySegment.ofArray(new byte[(int) behind.byteSize()])))
            .as("bytes of nodes that there is no room for")
            .isEqualTo(-1);
        bump.set(0, Math.min(room, bump.get(0)));
        assertThat(new PathInserter(trie(layout, nodes, bump, CAPACITY)).node(key)).isEqualTo(all);
        assertThat(bump.get(0)).isEqualTo(all + 1L);
      }
    }
  }

  /** Words that have beginnings in common, by several threads at once. */
  @Test
  void threadsThatMeetMakeEachNodeOnce() throws InterruptedException {
    NodeLayout layout = new LargeNodes();
    List<Long> keys =
        new ArrayList<>(
            IntStream.range(0, 6_561)
                .mapToObj(
                    i ->
                        packed(
                            Integer.toString(i, 3)
                                .replace('0', 'a')
                                .replace('1', 'b')
                                .replace('2', 'c')))
                .toList());
    for (int round = 0; round < 20; round++) {
      Collections.shuffle(keys, new Random(round));
      try (Memory nodes = nodes(layout);
          Memory bumped = Memory.ofLongs(1)) {
        DeviceLongs bump = DeviceLongs.of(bumped);
        bump.set(0, 1);
        TrieEdges trie = trie(layout, nodes, bump, CAPACITY);
        List<Thread> threads =
            IntStream.range(0, 4)
                .mapToObj(
                    i ->
                        Thread.ofPlatform()
                            .start(
                                () -> {
                                  PathInserter branches = new PathInserter(trie);
                                  for (long key : keys) {
                                    trie.count(branches.node(key), 1);
                                  }
                                }))
                .toList();
        for (Thread thread : threads) {
          thread.join();
        }
        // The beginnings of each word are words, too.
        assertThat(bump.get(0)).isEqualTo(keys.size() + 1L);
        assertThat(keys).allMatch(key -> trie.counts().get(count(trie.walk(key))) == 4);
      }
    }
  }

  private static long count(int node) {
    return TrieLayout.count(node, new LargeNodes().shift());
  }
}
