package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.MemoryLeft;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherGroup;
import dev.gyre.kernels.Stage;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.IntSet;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.MapBuilder;
import dev.gyre.structures.map.RecordMap;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.TextSet;
import dev.gyre.structures.map.sharded.ShardedLongMap;
import dev.gyre.structures.trie.WordTrie;
import dev.gyre.structures.trie.WordTrieBuilder;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Structures that their users drop without closing them. */
@ConformanceSuite
@Timeout(120)
@Tag("slow")
class DroppedTest {

  private static final int KEYS = 20_000;
  private static final int ROUNDS = 40;
  private static final int COMPILED = 20_000;
  private static final int MAX_PAUSE_MILLIS = 5000;
  private static final int COLLECTIONS = 5;
  private static final int MOST_COLLECTIONS = 200;

  record Id(long id) {}

  record Count(long count) {}

  private static <M> M built(MapBuilder<M> builder, @Nullable Launcher launcher) {
    return (launcher == null ? builder : builder.launcher(launcher)).build();
  }

  private static WordTrie built(WordTrieBuilder builder) {
    return builder.build().add("many words ".repeat(KEYS)).addWord("unusual", 2);
  }

  private static long[] keys() {
    return LongStream.range(0, KEYS).map(i -> i * 7919).toArray();
  }

  /** A map that has grown, and keeps scratch memory. */
  private static LongLongMap filled(MapBuilder<LongLongMap> builder, @Nullable Launcher launcher) {
    LongLongMap map = built(builder, launcher);
    assertThat(map.insert(keys(), keys()).inserted()).isEqualTo(KEYS);
    return map;
  }

  private static RecordMap<Id, Count> records(@Nullable Launcher launcher) {
    var builder = RecordMap.builder(RecordSchema.of(Id.class, Count.class)).capacity(10);
    RecordMap<Id, Count> map = built(builder, launcher);
    for (long id = 0; id < 100; id++) {
      assertThat(map.putIfAbsent(new Id(id), new Count(id))).isEmpty();
    }
    return map;
  }

  private static Stream<Named<Function<@Nullable Launcher, Object>>> kinds() {
    int[] ints = IntStream.range(0, KEYS).toArray();
    List<String> texts =
        IntStream.range(0, KEYS).mapToObj("a text with number %d"::formatted).toList();
    return Stream.of(
        Named.of("LongLongMap", on -> filled(LongLongMap.builder(), on)),
        Named.of("in lines", on -> filled(LongLongMap.builder().layout(Layout.LINE), on)),
        Named.of(
            "IntIntMap",
            on -> {
              IntIntMap map = built(IntIntMap.builder(), on);
              assertThat(map.insert(ints, ints).inserted()).isEqualTo(KEYS);
              return map;
            }),
        Named.of(
            "LongSet",
            on -> {
              LongSet set = built(LongSet.builder(), on);
              assertThat(set.addAll(keys()).inserted()).isEqualTo(KEYS);
              return set;
            }),
        Named.of(
            "IntSet",
            on -> {
              IntSet set = built(IntSet.builder(), on);
              assertThat(set.addAll(ints).inserted()).isEqualTo(KEYS);
              return set;
            }),
        Named.of(
            "TextLongMap",
            on -> {
              TextLongMap map = built(TextLongMap.builder(), on);
              texts
                  .subList(0, 100)
                  .forEach(text -> assertThat(map.merge(text, 1, Apply.ADD)).isOne());
              return map;
            }),
        Named.of(
            "TextSet",
            on -> {
              TextSet set = built(TextSet.builder(), on);
              assertThat(set.addAll(texts).inserted()).isEqualTo(KEYS);
              return set;
            }),
        Named.of("RecordMap", DroppedTest::records),
        Named.of(
            "WordTrie",
            on -> built(on == null ? WordTrie.builder() : WordTrie.builder().launcher(on))));
  }

  /** Collects garbage until so many bytes of off-heap memory are free. */
  private static void awaitFree(long bytes) throws InterruptedException {
    for (int i = 0; MemoryLeft.bytes() < bytes && i < MOST_COLLECTIONS; i++) {
      System.gc();
      Thread.sleep(5);
    }
    assertThat(MemoryLeft.bytes()).isGreaterThanOrEqualTo(bytes);
  }

  /** Collects garbage that other tests left, so that what is free is not theirs. */
  private static long free() throws InterruptedException {
    collect();
    return MemoryLeft.bytes();
  }

  private static void collect() throws InterruptedException {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      Thread.sleep(5);
    }
  }

  private static void drop(Supplier<Object> maker, long free) {
    Object made = maker.get();
    assertThat(MemoryLeft.bytes()).isLessThan(free);
    // As late as this: the structure is not garbage before it is measured.
    assertThat(made).isNotNull();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void itsMemoryIsFreed(Function<@Nullable Launcher, Object> kind) throws InterruptedException {
    long free = free();
    drop(() -> kind.apply(TargetUnderTest.device()), free);
    awaitFree(free);
  }

  @Test
  void itsMemoryOnAGroupIsFreedWhileTheGroupIsOpen() throws InterruptedException {
    long free = free();
    try (Launcher first = JvmLauncher.ofWorkers(1);
        Launcher second = JvmLauncher.ofWorkers(2);
        Launcher group = LauncherGroup.of(List.of(first, second))) {
      drop(() -> sharded(group), free);
      awaitFree(free);
      drop(() -> built(WordTrie.builder().launcher(group)), free);
      awaitFree(free);
    }
  }

  private static ShardedLongMap sharded(Launcher group) {
    ShardedLongMap map = ShardedLongMap.of(group, on -> LongLongMap.builder().launcher(on).build());
    assertThat(map.insert(keys(), keys()).inserted()).isEqualTo(KEYS);
    return map;
  }

  @Test
  void aCopyIsFreedToo() throws InterruptedException {
    long free = free();
    try (Launcher one = JvmLauncher.ofWorkers(2);
        LongLongMap map = filled(LongLongMap.builder(), null)) {
      long without = free();
      drop(() -> map.copyTo(one), without);
      awaitFree(without);
    }
    awaitFree(free);
  }

  @Test
  void anIteratorKeepsIt() throws InterruptedException {
    long free = free();
    iterate();
    awaitFree(free);
  }

  private static void iterate() throws InterruptedException {
    Iterator<Map.Entry<Long, Long>> entries =
        filled(LongLongMap.builder(), null).asMap().entrySet().iterator();
    int count = 0;
    while (entries.hasNext()) {
      if (count % (KEYS / 4) == 0) {
        collect();
      }
      Map.Entry<Long, Long> entry = entries.next();
      assertThat(entry.getKey()).isEqualTo(entry.getValue());
      count++;
    }
    assertThat(count).isEqualTo(KEYS);
  }

  @Test
  void aViewKeepsIt() throws InterruptedException {
    long free = free();
    look();
    awaitFree(free);
  }

  private static void look() throws InterruptedException {
    Map<Long, Long> view = filled(LongLongMap.builder(), null).asMap();
    collect();
    assertThat(view).hasSize(KEYS).containsEntry(7919L, 7919L);
    Spliterator<Long> keys = filled(LongLongMap.builder(), null).asMap().keySet().spliterator();
    collect();
    assertThat(keys.tryAdvance(key -> assertThat(key % 7919).isZero())).isTrue();
  }

  @Test
  void aStageKeepsIt() throws InterruptedException {
    long free = free();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    List<Stage<Long>> stages = new ArrayList<>();
    begin(begun, go, stages);
    begun.await();
    collect();
    go.countDown();
    assertThat(stages.getFirst().join()).isEqualTo(KEYS);
    assertThat(stages.getLast().join()).isEqualTo(KEYS + 1);
    stages.clear();
    awaitFree(free);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static void begin(CountDownLatch begun, CountDownLatch go, List<Stage<Long>> stages) {
    LongLongMap map = filled(LongLongMap.builder(), null);
    stages.add(
        map.async(
            m -> {
              begun.countDown();
              await(go);
              return m.size();
            }));
    stages.add(
        map.async(
            m -> {
              InsertCounts _ = m.insert(new long[] {-1}, new long[] {1});
              return m.size();
            }));
  }

  /** Each is garbage from the moment at which its last operation, in compiled code, needs it. */
  @Test
  void anOperationKeepsIt() throws InterruptedException {
    long free = free();
    long[] three = {1, 2, 3};
    try (LongLongMap map = made(three);
        WordTrie trie = words()) {
      for (int i = 0; i < COMPILED; i++) {
        assertThat(map.getOrDefault(1, 0)).isPositive();
        assertThat(map.contains(three).found()).isEqualTo(3);
        assertThat(map.merge(1, 1, Apply.ADD)).isPositive();
        assertThat(trie.addWord("a", 2).count("a")).isPositive();
      }
    }
    AtomicBoolean ended = new AtomicBoolean();
    Thread collector =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!ended.get()) {
                    System.gc();
                    LockSupport.parkNanos(1_000_000);
                  }
                });
    long[] many = LongStream.range(0, 50 * KEYS).toArray();
    try {
      for (int i = 0; i < ROUNDS; i++) {
        assertThat(made(three).getOrDefault(1, 0)).isOne();
        assertThat(made(three).contains(three).found()).isEqualTo(3);
        assertThat(made(three).merge(1, 1, Apply.ADD)).isEqualTo(2);
        assertThat(words().addWord("a", 2).count("a")).isEqualTo(2);
      }
      for (int i = 0; i < 3; i++) {
        assertThat(built(LongLongMap.builder(), null).insert(many, many).inserted())
            .isEqualTo(many.length);
      }
    } finally {
      ended.set(true);
      collector.join();
    }
    awaitFree(free);
  }

  private static WordTrie words() {
    return WordTrie.builder().workers(1).build();
  }

  private static LongLongMap made(long[] keys) {
    LongLongMap map = LongLongMap.builder().capacity(4).workers(1).build();
    assertThat(map.insert(keys, new long[] {1, 1, 1}).inserted()).isEqualTo(3);
    return map;
  }

  @Test
  void roomIsMadeForOthers() throws InterruptedException {
    long free = free();
    // A collection of a test before that freed nothing is followed by a pause.
    Thread.sleep(MAX_PAUSE_MILLIS);
    try (MemoryLeft _ = MemoryLeft.of(16 << 20)) {
      for (int i = 0; i < 100; i++) {
        assertThat(filled(LongLongMap.builder(), null).size()).isEqualTo(KEYS);
      }
    }
    awaitFree(free);
  }

  @Test
  void memoriesThatAreNotClosedAreCounted() {
    List<LongSet> sets = new ArrayList<>();
    try (MemoryLeft _ = MemoryLeft.of(4 << 20)) {
      assertThatThrownBy(
              () -> {
                while (true) {
                  sets.add(LongSet.builder().capacity(10_000).build());
                }
              })
          .isInstanceOf(MemoryExhaustedException.class)
          .hasMessageMatching(".*; \\d+ memories were never closed.*gyre.memory.limit.*");
      assertThat(sets).isNotEmpty().allSatisfy(set -> assertThat(set.size()).isZero());
    } finally {
      sets.forEach(LongSet::close);
    }
  }
}
