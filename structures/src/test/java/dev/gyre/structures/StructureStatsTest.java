package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.gyre.atomics.ClosedException;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.RecordHash;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.HashTable;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.IntSet;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.MapBuilder;
import dev.gyre.structures.map.RecordMap;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.trie.WordTrie;
import dev.gyre.structures.trie.WordTrieBuilder;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Statistics of maps, sets and tries. */
@ConformanceSuite
@Timeout(120)
class StructureStatsTest {

  private static final int KEYS = 20;

  /** A hash that gives all keys one home slot. */
  record OneHome() implements Hash {
    @Override
    public long hash(long key, long seed) {
      return 0;
    }
  }

  record OneHomeOfRecords() implements RecordHash {
    @Override
    public long hash(KeyParts key, long seed) {
      return 0;
    }
  }

  record Key(long first, long second) {}

  record Value(long value) {}

  private static <M> M onTarget(MapBuilder<M> builder) {
    Launcher device = TargetUnderTest.device();
    return (device == null ? builder : builder.launcher(device)).build();
  }

  private static long[] keys(int count) {
    return LongStream.range(0, count).toArray();
  }

  /** The mean probe in a table with linear probing and a good hash; from Knuth. */
  private static double expectedProbe(double load) {
    return (1 + 1 / (1 - load)) / 2;
  }

  private static void assertOneRun(HashTable<?, ?, ?> structure) {
    StructureStats stats = structure.stats();
    assertThat(stats.size()).isEqualTo(KEYS);
    assertThat(stats.capacity()).isEqualTo(structure.capacity());
    assertThat(stats.bytes()).isEqualTo(structure.byteSize());
    assertThat(stats.load()).isBetween(0.01, (double) KEYS / structure.capacity());
    assertThat(stats.measured()).isEqualTo(KEYS);
    // The keys are in a row.
    assertThat(stats.longestProbe()).isEqualTo(KEYS);
    assertThat(stats.meanProbe()).isEqualTo((KEYS + 1) / 2.0);
  }

  /** The hash of a map is mixed with its seed: the row may begin anywhere, and end at slot 0. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void probesOfKeysWithOneHomeAreARow(long seed) {
    try (LongLongMap map =
        onTarget(LongLongMap.builder().capacity(2 * KEYS).seed(seed).hash(new OneHome()))) {
      map.insert(keys(KEYS), keys(KEYS));
      assertOneRun(map);
    }
  }

  @ParameterizedTest
  @EnumSource
  void allLayoutsAreMeasured(Layout layout) {
    if (layout != Layout.PACKED) {
      try (LongLongMap map =
          onTarget(LongLongMap.builder().capacity(2 * KEYS).layout(layout).hash(new OneHome()))) {
        map.insert(keys(KEYS), keys(KEYS));
        assertOneRun(map);
      }
    }
    if (layout != Layout.LINE) {
      try (IntIntMap map =
          onTarget(IntIntMap.builder().capacity(2 * KEYS).layout(layout).hash(new OneHome()))) {
        int[] ints = IntStream.range(0, KEYS).toArray();
        map.insert(ints, ints);
        assertOneRun(map);
      }
    }
  }

  @Test
  void setsAndRecordsAreMeasured() {
    try (LongSet set = onTarget(LongSet.builder().capacity(2 * KEYS).hash(new OneHome()))) {
      set.addAll(keys(KEYS));
      assertOneRun(set);
    }
    RecordSchema<Key, Value> schema =
        RecordSchema.of(Key.class, Value.class).hash(new OneHomeOfRecords());
    try (RecordMap<Key, Value> map = onTarget(RecordMap.builder(schema).capacity(2 * KEYS))) {
      map.insert(Columns.longs(keys(KEYS), keys(KEYS)), Columns.longs(keys(KEYS)));
      assertOneRun(map);
    }
  }

  /** The key that has no slot among the others counts as one probe. */
  @Test
  void aKeyInASideSlotIsMeasured() {
    try (IntSet set = onTarget(IntSet.builder())) {
      set.addAll(new int[] {Integer.MIN_VALUE, 0, 1, -1, Integer.MAX_VALUE});
      StructureStats stats = set.stats();
      assertThat(stats.measured()).isEqualTo(5);
      assertThat(stats.longestProbe()).isBetween(1L, 5L);
      assertThat(stats.meanProbe()).isBetween(1.0, 3.0);
    }
  }

  @Test
  void textsAreMeasured() {
    int count = 10_000;
    try (TextLongMap map = onTarget(TextLongMap.builder().capacity(count))) {
      map.insert(IntStream.range(0, count).mapToObj("key %d"::formatted).toList(), keys(count));
      StructureStats stats = map.stats();
      assertThat(stats.measured()).isEqualTo(count);
      assertThat(stats.meanProbe()).isCloseTo(expectedProbe(stats.load()), within(0.2));
    }
  }

  @Test
  void anEmptyMapHasNoProbes() {
    try (LongLongMap map = onTarget(LongLongMap.builder())) {
      StructureStats stats = map.stats();
      assertThat(stats)
          .isEqualTo(new StructureStats(0, map.capacity(), 0, map.byteSize(), 0, 0, 0));
    }
  }

  @Test
  void aLargeMapIsSampled() {
    int count = 1 << 19;
    try (LongLongMap map = onTarget(LongLongMap.builder().capacity(count).loadFactor(0.8))) {
      map.insert(keys(count), keys(count));
      StructureStats stats = map.stats();
      assertThat(stats.size()).isEqualTo(count);
      assertThat(stats.measured()).isBetween(1L << 15, 1L << 16);
      assertThat(stats.meanProbe()).isCloseTo(expectedProbe(stats.load()), within(0.3));
      assertThat(stats.longestProbe()).isGreaterThan((long) stats.meanProbe());
    }
  }

  /** On devices, too: an operation waits for the other. */
  @Test
  void updatesMayRun() throws InterruptedException {
    int count = 1 << 14;
    try (LongLongMap map = onTarget(LongLongMap.builder().capacity(1))) {
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int from = 0; from < count; from += 64) {
                      long[] part = LongStream.range(from, from + 64).toArray();
                      map.insert(part, part);
                    }
                  });
      long before = 0;
      while (writer.isAlive()) {
        StructureStats stats = map.stats();
        assertThat(stats.size()).isBetween(before, (long) count);
        assertThat(stats.measured()).isEqualTo(stats.size());
        assertThat(stats.longestProbe()).isLessThanOrEqualTo(stats.size());
        before = stats.size();
      }
      writer.join();
      assertThat(map.stats().measured()).isEqualTo(count);
    }
  }

  @Test
  void aTrieIsMeasured() {
    Launcher device = TargetUnderTest.device();
    WordTrieBuilder builder = WordTrie.builder();
    try (WordTrie trie = (device == null ? builder : builder.launcher(device)).build()) {
      assertThat(trie.stats().measured()).isZero();
      trie.add("a ab abc");
      StructureStats stats = trie.stats();
      assertThat(stats.size()).isEqualTo(3);
      assertThat(stats.bytes()).isEqualTo(trie.byteSize());
      assertThat(stats.load()).isEqualTo((double) trie.nodes() / stats.capacity());
      // With the root.
      assertThat(stats.meanProbe()).isEqualTo(3);
      assertThat(stats.longestProbe()).isEqualTo(4);
      assertThat(stats.measured()).isEqualTo(3);
    }
  }

  @Test
  void closedStructuresThrow() {
    LongLongMap map = onTarget(LongLongMap.builder());
    map.close();
    WordTrie trie = WordTrie.create();
    trie.close();
    assertThat(Stream.<Runnable>of(map::stats, trie::stats))
        .allSatisfy(stats -> assertThatThrownBy(stats::run).isInstanceOf(ClosedException.class));
  }
}
