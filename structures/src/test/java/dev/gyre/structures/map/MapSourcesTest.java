package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Keys and values in arrays, segments and memories, and launchers that are shared. */
class MapSourcesTest {

  private static final int COUNT = 20_000;

  @Test
  void arraysSegmentsAndMemoriesAreTheSame() {
    long[] keys = LongStream.range(0, COUNT).map(i -> i * i).toArray();
    try (LongLongMap map = LongLongMap.create();
        Arena arena = Arena.ofShared();
        Memory memory = Memory.ofLongs(COUNT);
        Memory out = Memory.ofLongs(COUNT)) {
      MemorySegment.copy(keys, 0, memory.segment(), ValueLayout.JAVA_LONG, 0, COUNT);
      MemorySegment unaligned = arena.allocate(COUNT * 8L + 1).asSlice(1);
      MemorySegment.copy(keys, 0, unaligned, ValueLayout.JAVA_LONG_UNALIGNED, 0, COUNT);
      Longs inMemory = Longs.of(memory, COUNT);
      Longs inSegment = Longs.of(unaligned);
      InsertCounts counts = map.insert(inMemory, inSegment, BulkOptions.NONE);
      assertThat(counts).isEqualTo(new InsertCounts(COUNT, 0, 0));
      FindCounts hits = map.find(inSegment, Longs.of(out, COUNT), BulkOptions.NONE);
      assertThat(hits).isEqualTo(new FindCounts(COUNT, 0));
      assertThat(out.segment().toArray(ValueLayout.JAVA_LONG)).isEqualTo(keys);
      assertThat(map.contains(Longs.of(keys), BulkOptions.NONE).found()).isEqualTo(COUNT);
    }
  }

  @Test
  void aSharedLauncherOutlivesTheMap() {
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(2)) {
      for (int i = 0; i < 2; i++) {
        try (IntIntMap map = IntIntMap.builder().launcher(launcher).build()) {
          int[] keys = new java.util.SplittableRandom(i).ints(COUNT).distinct().toArray();
          assertThat(map.insert(keys, keys).inserted()).isEqualTo(keys.length);
        }
      }
    }
  }

  @Test
  void oneByOne() {
    try (IntIntMap map = IntIntMap.builder().fixedCapacity(1).build()) {
      assertThat(map.putIfAbsent(Integer.MIN_VALUE, 7)).isEmpty();
      assertThat(map.putIfAbsent(Integer.MIN_VALUE, 8)).hasValue(7);
      assertThatThrownBy(() -> map.putIfAbsent(1, 8)).isInstanceOf(MapFullException.class);
      assertThat(map.getOrDefault(Integer.MIN_VALUE, 0)).isEqualTo(7);
      assertThat(map.getOrDefault(1, -1)).isEqualTo(-1);
      assertThat(map.containsKey(1)).isFalse();
    }
  }

  /** Every third key is left out, and what became of all is in a segment, of whatever keys. */
  @Test
  void masksAndOutcomesAreInSegments() {
    long[] keys = LongStream.range(0, COUNT).toArray();
    List<String> texts = LongStream.of(keys).mapToObj(i -> "text " + i).toList();
    try (Arena arena = Arena.ofShared();
        LongLongMap longs = LongLongMap.create();
        IntSet ints = IntSet.create();
        TextLongMap words = TextLongMap.create();
        TextKeys wordKeys = TextKeys.of(texts);
        var rows = RecordMap.create(RecordKinds.Edge.class, RecordKinds.Weight.class)) {
      MemorySegment mask = arena.allocate(COUNT);
      MemorySegment outcomes = arena.allocate(COUNT);
      for (int i = 0; i < COUNT; i++) {
        mask.set(ValueLayout.JAVA_BYTE, i, (byte) (i % 3));
      }
      BulkOptions some = BulkOptions.NONE.where(mask).outcomes(outcomes);
      int[] numbers = IntStream.range(0, COUNT).toArray();
      Columns weights = Columns.doubles(new double[COUNT]);
      long left = COUNT - (COUNT + 2) / 3;
      requireSome(left, outcomes, longs.insert(Longs.of(keys), Longs.of(keys), some).inserted());
      requireSome(left, outcomes, ints.addAll(Ints.of(numbers), some).inserted());
      requireSome(left, outcomes, words.insert(wordKeys, Longs.of(keys), some).inserted());
      requireSome(
          left, outcomes, rows.insert(Columns.ints(numbers, numbers), weights, some).inserted());
      assertThat(longs.find(Longs.of(keys), Longs.of(new long[COUNT]), some).found())
          .isEqualTo(left);
      assertThat(outcomes.get(ValueLayout.JAVA_BYTE, 1)).isEqualTo(Outcome.FOUND.code());
      assertThat(outcomes.get(ValueLayout.JAVA_BYTE, 3)).isEqualTo(Outcome.SKIPPED.code());
    }
  }

  private static void requireSome(long left, MemorySegment outcomes, long inserted) {
    assertThat(inserted).isEqualTo(left);
    for (int i = 0; i < COUNT; i++) {
      Outcome expected = i % 3 == 0 ? Outcome.SKIPPED : Outcome.INSERTED;
      assertThat(outcomes.get(ValueLayout.JAVA_BYTE, i)).isEqualTo(expected.code());
    }
    MemorySegment _ = outcomes.fill((byte) -1);
  }

  @Test
  void segmentsThatAreNoMasksOrOutcomes() {
    Longs two = Longs.of(1, 2);
    byte[] bytes = new byte[4];
    MemorySegment both = MemorySegment.ofArray(bytes);
    try (LongLongMap map = LongLongMap.create();
        Arena own = Arena.ofConfined()) {
      MemorySegment confined = own.allocate(2);
      assertThatThrownBy(() -> BulkOptions.NONE.where(confined))
          .hasMessageContaining("belongs to one thread");
      assertThatThrownBy(() -> BulkOptions.NONE.outcomes(confined))
          .hasMessageContaining("belongs to one thread");
      assertThatThrownBy(() -> BulkOptions.NONE.outcomes(both.asReadOnly()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("read-only");
      assertThatThrownBy(() -> map.insert(two, two, BulkOptions.NONE.where(both)))
          .hasMessage("2 keys need a mask of the same length, not 4");
      assertThatThrownBy(() -> map.insert(two, two, BulkOptions.NONE.outcomes(both)))
          .hasMessage("2 keys need an outcome array of the same length, not 4");
      BulkOptions overlapping =
          BulkOptions.NONE.where(both.asSlice(0, 2)).outcomes(both.asSlice(1, 2));
      assertThatThrownBy(() -> map.insert(two, two, overlapping))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("outcomes would overwrite the mask");
      assertThat(map.size()).isZero();
    }
  }
}
