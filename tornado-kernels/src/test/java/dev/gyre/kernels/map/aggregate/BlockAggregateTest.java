package dev.gyre.kernels.map.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SharedInts;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.Options;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.Removal;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a block has of keys in memory that it shares. */
class BlockAggregateTest {

  private static final int PLACES = 8;
  private static final int SLOTS = 50;
  private static final Options COUNTS = new Options.Counts();

  private static void set(Memory memory, int... numbers) {
    DeviceInts ints = DeviceInts.of(memory);
    for (int i = 0; i < numbers.length; i++) {
      ints.set(i, numbers[i]);
    }
  }

  /** The third one has none, and is added by itself each time. */
  @Test
  void keysOfOnePlaceHaveThatAndTheOneBesideIt() {
    int[] same =
        IntStream.iterate(1, k -> k + 1)
            .filter(k -> BlockAggregate.place(k, PLACES) == 2)
            .limit(3)
            .toArray();
    int[] keys = {same[0], same[1], same[2], same[1], same[0], same[2]};
    try (Memory keyMemory = Memory.ofInts(keys.length);
        Memory values = Memory.ofInts(keys.length);
        Memory counterMemory = Memory.ofLongs(MapCodes.STRIPED_COUNTERS);
        Memory words = Memory.ofLongs(PackedSlots.words(SLOTS))) {
      set(keyMemory, keys);
      set(values, 1, 20, 300, 4_000, 50_000, 600_000);
      DeviceLongs counters = DeviceLongs.of(counterMemory);
      counters.set(MapCodes.FREQUENT, 1);
      PackedSlots table =
          new PackedSlots(
              DeviceLongs.of(words), SLOTS, 7, new Hashing.OfInts(), new Removal.Refused());
      int ints = BlockAggregate.sharedInts(table, PLACES, 1, COUNTS);
      try (Memory sharedMemory = Memory.ofInts(ints)) {
        SharedInts shared = SharedInts.of(ints).in(sharedMemory);
        new BlockAggregate(
                table,
                Numbers.of(DeviceInts.of(keyMemory)),
                Numbers.of(DeviceInts.of(values)),
                counters,
                0,
                keys.length,
                1,
                shared,
                PLACES,
                COUNTS)
            .run(0, LaunchShape.ofThreads(1));
        assertThat(shared.get(2)).isEqualTo(BlockAggregate.stored(same[0]));
        assertThat(shared.get(3)).isEqualTo(BlockAggregate.stored(same[1]));
        assertThat(shared.get(PLACES + 2)).isEqualTo(50_001);
        assertThat(shared.get(PLACES + 3)).isEqualTo(4_020);
        assertThat(IntStream.range(0, PLACES).filter(i -> shared.get(i) != BlockAggregate.FREE))
            .hasSize(2);
        assertThat(counters.get(MapCodes.INSERTED)).isEqualTo(3);
        assertThat(counters.get(MapCodes.PRESENT)).isEqualTo(3);
        assertThat(IntStream.range(0, SLOTS).mapToLong(table.words()::get).filter(w -> w != 0))
            .containsExactlyInAnyOrder(
                PackedSlots.word(PackedSlots.stored(same[0]), 50_001),
                PackedSlots.word(PackedSlots.stored(same[1]), 4_020),
                PackedSlots.word(PackedSlots.stored(same[2]), 600_300));
      }
    }
  }
}
