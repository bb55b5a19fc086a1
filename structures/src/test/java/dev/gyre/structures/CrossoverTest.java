package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.generators.ZipfText;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.trie.WordTrie;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Structures that are built in one place and used in another: same hash, same slots, same nodes.
 */
@DeviceSuite
class CrossoverTest {

  private final Launcher device = Objects.requireNonNull(TargetUnderTest.device());

  @ParameterizedTest
  @EnumSource(names = {"REFERENCE", "PACKED"})
  void intsBuiltOnADeviceAreFoundOnTheJvmAndTheReverse(Layout layout) {
    int[] keys = new SplittableRandom(5).ints(30_000).distinct().toArray();
    int[] half = java.util.Arrays.copyOf(keys, keys.length / 2);
    int[] found = new int[keys.length];
    try (JvmLauncher jvm = JvmLauncher.create();
        IntIntMap map = IntIntMap.builder().layout(layout).launcher(device).build()) {
      assertThat(map.insert(half, half).inserted()).isEqualTo(half.length);
      try (IntIntMap here = map.copyTo(jvm)) {
        assertThat(here.find(keys, found).found()).isEqualTo(half.length);
        assertThat(java.util.Arrays.copyOf(found, half.length)).isEqualTo(half);
        // Grows on the JVM.
        assertThat(here.insert(keys, keys).present()).isEqualTo(half.length);
        try (IntIntMap there = here.copyTo(device)) {
          assertThat(there.find(keys, found).found()).isEqualTo(keys.length);
          assertThat(found).isEqualTo(keys);
          assertThat(there.insertOrApply(keys, keys, Apply.ADD).present()).isEqualTo(keys.length);
          try (IntIntMap back = there.copyTo(jvm)) {
            assertThat(back.find(keys, found).found()).isEqualTo(keys.length);
            for (int i = 0; i < keys.length; i++) {
              assertThat(found[i]).isEqualTo(2 * keys[i]);
            }
          }
        }
      }
      assertThat(map.size()).isEqualTo(half.length);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REFERENCE", "LINE"})
  void longsGrownOnADeviceAreFoundOnTheJvm(Layout layout) {
    long[] keys = new SplittableRandom(6).longs(40_000).toArray();
    long[] found = new long[keys.length];
    try (JvmLauncher jvm = JvmLauncher.create();
        LongLongMap map =
            LongLongMap.builder().layout(layout).capacity(10).launcher(device).build()) {
      assertThat(map.insert(keys, keys).inserted()).isEqualTo(keys.length);
      assertThat(map.capacity()).isGreaterThanOrEqualTo(keys.length);
      try (LongLongMap here = map.copyTo(jvm)) {
        assertThat(here.find(keys, found).found()).isEqualTo(keys.length);
        assertThat(found).isEqualTo(keys);
      }
    }
  }

  @Test
  void aTrieIsCopiedBetweenDeviceAndJvm() {
    byte[] text = ZipfText.sample();
    try (Memory memory = Memory.ofBytes(text.length);
        JvmLauncher jvm = JvmLauncher.create();
        WordTrie expected = WordTrie.create();
        WordTrie trie = WordTrie.builder().launcher(device).initialNodes(1).build()) {
      memory.segment().copyFrom(MemorySegment.ofArray(text));
      try (WordTrie here = trie.add(memory, text.length).copyTo(jvm).add(memory, text.length);
          WordTrie there = here.copyTo(device).add(memory, text.length)) {
        List<WordTrie> copies = List.of(trie, here, there);
        for (WordTrie copy : copies) {
          expected.add(memory, text.length);
          assertThat(list(copy)).isEqualTo(list(expected));
          assertThat(copy.nodes()).isEqualTo(expected.nodes());
        }
      }
    }
  }

  private static List<Object> list(WordTrie trie) {
    List<Object> words = new ArrayList<>();
    trie.forEach(words::add);
    return words;
  }

  @Test
  void aTextOfSeveralPiecesIsCountedWhole() {
    byte[] sample = ZipfText.sample();
    int copies = (int) ((300L << 20) / sample.length);
    try (Memory memory = Memory.ofBytes((long) copies * sample.length);
        WordTrie expected = WordTrie.create();
        WordTrie trie = WordTrie.builder().launcher(device).build()) {
      for (int i = 0; i < copies; i++) {
        memory
            .segment()
            .asSlice((long) i * sample.length, sample.length)
            .copyFrom(MemorySegment.ofArray(sample));
      }
      expected.add(memory, memory.byteSize());
      trie.add(memory, memory.byteSize());
      assertThat(trie.total()).isEqualTo(expected.total());
      assertThat(trie.top(50_000)).isEqualTo(expected.top(50_000));
    }
  }
}
