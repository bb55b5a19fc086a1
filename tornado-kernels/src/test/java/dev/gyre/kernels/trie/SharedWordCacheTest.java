package dev.gyre.kernels.trie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedWordCacheTest {

  private static final int CAPACITY = 1 << 12;

  /** Steps of a key, each from 1 to 31: letters of Unicode have all of them. */
  private static long key(SplittableRandom random) {
    int steps = random.nextInt(1, WordKey.LETTERS + 1);
    long key = WordKey.PACKED;
    for (int i = 0; i < steps; i++) {
      key |= random.nextLong(1, 32) << (i * Letter.STEP_BITS);
    }
    return key;
  }

  /** Another word that has few other bits. */
  private static long near(long key, SplittableRandom random) {
    return key ^ (1L << random.nextInt(WordKey.LETTERS * Letter.STEP_BITS));
  }

  /** The tables are small, so that most words have the place of others. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 64, 1 << 10, 1 << 17})
  void aWordHasItsOwnNodeOrNone(int words) {
    SplittableRandom random = new SplittableRandom(words);
    SharedWordCache learnt = new SharedWordCache(words);
    int mostNodes = words < 64 ? 15 : 127;
    Map<Long, Integer> nodes = new HashMap<>();
    int known = 0;
    long key = key(random);
    for (int i = 0; i < 20_000; i++) {
      key = random.nextBoolean() ? near(key, random) : key(random);
      int node = nodes.computeIfAbsent(key, _ -> random.nextInt(1, mostNodes + 1));
      int found = learnt.node(key);
      assertThat(found).isIn(SharedWordCache.NONE, node);
      known += found == node ? 1 : 0;
      learnt.add(key, node);
      assertThat(learnt.node(key)).as("what was added last").isEqualTo(node);
    }
    for (Map.Entry<Long, Integer> word : nodes.entrySet()) {
      int found = learnt.node(word.getKey());
      assertThat(found).isIn(SharedWordCache.NONE, word.getValue());
      known += found == word.getValue() ? 1 : 0;
    }
    assertThat(known).isPositive();
  }

  @Test
  void bothKindsOfKeysAreOfOneWord() {
    long packed = WordKey.PACKED | 3 | 20L << Letter.STEP_BITS;
    long bytes = 3 | 20L << WordKey.BYTE_SHIFT;
    SharedWordCache learnt = new SharedWordCache(64);
    learnt.add(packed, 5);
    assertThat(learnt.node(bytes)).isEqualTo(5);
    learnt.add(bytes, 6);
    assertThat(learnt.node(packed)).isEqualTo(6);
  }

  /** Of two words with the same pair, which all have in the smallest table. */
  @Test
  void theLastTwoWordsOfAPairAreKept() {
    SharedWordCache learnt = new SharedWordCache(2);
    for (int word = 1; word < 20; word++) {
      learnt.add(WordKey.PACKED | word, word % 8 + 1);
      assertThat(learnt.node(WordKey.PACKED | word)).isEqualTo(word % 8 + 1);
      if (word > 1) {
        assertThat(learnt.node(WordKey.PACKED | (word - 1))).isEqualTo((word - 1) % 8 + 1);
      }
      if (word > 2) {
        assertThat(learnt.node(WordKey.PACKED | (word - 2))).isEqualTo(SharedWordCache.NONE);
      }
    }
  }

  @Test
  void aNodeOfTooLargeANumberIsNotKept() {
    SharedWordCache learnt = new SharedWordCache(2);
    long key = WordKey.PACKED | 3;
    learnt.add(key, 16);
    learnt.add(key, Integer.MAX_VALUE);
    assertThat(learnt.node(key)).isEqualTo(SharedWordCache.NONE);
    learnt.add(key, 15);
    assertThat(learnt.node(key)).isEqualTo(15);
  }

  @Test
  void allWordsStayWhereThereIsMoreRoom() {
    SplittableRandom random = new SplittableRandom(3);
    SharedWordCache learnt = new SharedWordCache(1 << 10);
    Map<Long, Integer> nodes = new HashMap<>();
    for (int i = 1; i < 2_000; i++) {
      long key = key(random);
      nodes.put(key, i);
      learnt.add(key, i);
    }
    nodes.keySet().removeIf(key -> learnt.node(key) == SharedWordCache.NONE);
    assertThat(nodes).hasSizeGreaterThan(800);
    for (int words : new int[] {1 << 11, 1 << 16}) {
      SharedWordCache more = learnt.grown(words);
      assertThat(more.words()).isEqualTo(words);
      nodes.forEach((key, node) -> assertThat(more.node(key)).isEqualTo(node));
    }
  }

  /**
   * What one of several workers learnt, another one need not; and one who is alone need not learn
   * again what its cache has lost. No edge leads anywhere any more, so that whoever goes along the
   * letters of a word makes other nodes.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void nobodyGoesAlongTheLettersOfAWordThatWasLearnt(int workers) {
    byte[] text =
        "one two three one two three extraordinarily ".getBytes(StandardCharsets.US_ASCII);
    int shift = new LargeNodes().shift();
    try (Memory memory = Memory.ofBytes(text.length);
        Memory nodes = Memory.ofBytes(CAPACITY * TrieLayout.nodeBytes(shift));
        Memory bumped = Memory.ofLongs(1);
        Memory ended = Memory.ofLongs(TrieLayout.ENDED_LONGS);
        Memory table = Alphabet.ASCII_LETTERS.table()) {
      memory.segment().copyFrom(MemorySegment.ofArray(text));
      DeviceLongs bump = DeviceLongs.of(bumped);
      bump.set(0, 1);
      DeviceLongs counts = DeviceLongs.of(nodes);
      TrieEdges trie =
          new TrieEdges(
              new LargeNodes(), DeviceInts.of(nodes), counts, CAPACITY, bump, Long.MAX_VALUE);
      KernelText all = KernelText.of(memory, text.length);
      Letters letters = Alphabet.ASCII_LETTERS.letters(table);
      TrieWorkers first = new TrieWorkers(workers, 2);
      first.growShared(CAPACITY);
      run(first.new Strips(all, letters, DeviceLongs.of(ended), 1), trie);
      long made = bump.get(0);
      int three = new PathInserter(trie).node(packed("three"));
      long count = TrieLayout.count(three, shift);
      assertThat(counts.get(count)).isEqualTo(2);
      nodes.segment().asSlice(0, TrieLayout.nodeBytes(shift)).fill((byte) 0);
      TrieWorkers next = workers == 1 ? first : first.followers(workers, 2);
      run(next.new Strips(all, letters, DeviceLongs.of(ended), 1), trie);
      assertThat(bump.get(0)).isEqualTo(made);
      assertThat(counts.get(count)).isEqualTo(4);
    }
  }

  private static long packed(String word) {
    return WordKey.PACKED | WordKey.of(word, word.length());
  }

  private static void run(TrieWorkers.Strips strips, TrieEdges trie) {
    strips.kernel(trie).run(0, LaunchShape.ofThreads(1));
  }
}
