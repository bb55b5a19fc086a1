package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
}
