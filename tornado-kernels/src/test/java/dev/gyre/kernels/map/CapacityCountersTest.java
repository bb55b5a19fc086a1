package dev.gyre.kernels.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Target;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who finds no room is told so only when nobody can give any back. */
class CapacityCountersTest {

  private static int take(long room, long unclaimed) {
    try (Memory memory = Memory.ofLongs(MapCodes.STRIPED_COUNTERS)) {
      DeviceLongs counters = DeviceLongs.of(memory);
      counters.set(MapCodes.CAPACITY, room);
      counters.set(MapCodes.UNCLAIMED, unclaimed);
      return CapacityCounters.take(counters, 0, 1);
    }
  }

  @Test
  void thereIsNoneOnceAllSlotsWereClaimed() {
    assertThat(take(1, 1)).isEqualTo(CapacityCounters.TAKEN);
    assertThat(take(0, 0)).isEqualTo(CapacityCounters.NONE);
    assertThat(take(0, 1)).as("another thread holds it").isEqualTo(CapacityCounters.UNDECIDED);
  }

  /** Wherever the room is, and whoever gives it back. */
  @Test
  void roomOfAnotherStripeIsTakenToo() {
    try (Memory memory = Memory.ofLongs(MapCodes.STRIPED_COUNTERS)) {
      DeviceLongs counters = DeviceLongs.of(memory);
      int stripes = 4;
      long own = CapacityCounters.stripe(6, stripes);
      long full = CapacityCounters.stripe(5, stripes);
      counters.set(full + MapCodes.CAPACITY, 1);
      counters.set(full + MapCodes.UNCLAIMED, 1);
      assertThat(CapacityCounters.take(counters, own, stripes)).isEqualTo(CapacityCounters.TAKEN);
      assertThat(CapacityCounters.take(counters, full, stripes))
          .isEqualTo(CapacityCounters.UNDECIDED);
      CapacityCounters.endReservation(counters, own, false);
      assertThat(CapacityCounters.take(counters, full, stripes)).isEqualTo(CapacityCounters.TAKEN);
      CapacityCounters.endReservation(counters, own, true);
      assertThat(CapacityCounters.take(counters, full, stripes)).isEqualTo(CapacityCounters.NONE);
      assertThat(CapacityCounters.take(counters, own, stripes)).isEqualTo(CapacityCounters.NONE);
    }
  }

  private static long sum(DeviceLongs counters, int counter) {
    return IntStream.range(0, MapCodes.COUNTER_STRIPES)
        .mapToLong(i -> counters.get((long) i * MapCodes.STRIPE_LONGS + counter))
        .sum();
  }

  /** Also where stripes have one or two, or none: none is lost, and none is used twice. */
  @ParameterizedTest
  @ValueSource(ints = {1, 8, 64})
  void asManyKeysAreInsertedAsThereIsRoomFor(int stripes) {
    int keys = 3_000;
    int different = 150;
    long room = 100;
    long slots = 200;
    try (Memory keyMemory = Memory.ofInts(keys);
        Memory counterMemory = Memory.ofLongs(MapCodes.STRIPED_COUNTERS);
        Memory words = Memory.ofLongs(PackedSlots.words(slots));
        Memory outcomes = Memory.ofBytes(keys);
        JvmLauncher launcher = JvmLauncher.ofWorkers(4)) {
      DeviceInts given = DeviceInts.of(keyMemory);
      for (int i = 0; i < keys; i++) {
        // Each of them by all threads.
        given.set(i, i / 4 % different);
      }
      DeviceLongs counters = DeviceLongs.of(counterMemory);
      CapacityCounters.fill(counters, room, stripes);
      Numbers numbers = Numbers.of(given);
      Bytes told = Bytes.of(outcomes);
      launcher.run(
          new Insert(
              new PackedSlots(
                  DeviceLongs.of(words), slots, 7, new Hashing.OfInts(), new Removal.Refused()),
              new Batch(numbers, numbers, told),
              counters,
              0,
              keys,
              new Change.Policy(MapCodes.KEEP),
              MapCodes.BOUNDED + MapCodes.STRIPED + MapCodes.OUTCOMES,
              Target.JVM.pollLimit()),
          LaunchShape.ofThreads(4));
      assertThat(sum(counters, MapCodes.INSERTED)).isEqualTo(room);
      long full = (different - room) * keys / different;
      assertThat(sum(counters, MapCodes.FULL)).isEqualTo(full);
      assertThat(sum(counters, MapCodes.PRESENT)).isEqualTo(keys - room - full);
      assertThat(sum(counters, MapCodes.CAPACITY)).isZero();
      assertThat(sum(counters, MapCodes.UNCLAIMED)).isZero();
      long[] there =
          IntStream.range(0, keys)
              .filter(i -> told.get(i) == MapCodes.INSERTED)
              .mapToLong(given::get)
              .toArray();
      assertThat(there).hasSize((int) room).doesNotHaveDuplicates();
    }
  }

  /** For a time that is long for who polls, and short for a scheduler. */
  @Test
  void whoHoldsTheLastRoomMayBeKeptFromRunning() throws InterruptedException {
    try (Memory counterMemory = Memory.ofLongs(MapCodes.STRIPED_COUNTERS);
        Memory words = Memory.ofLongs(PackedSlots.words(8))) {
      DeviceLongs counters = DeviceLongs.of(counterMemory);
      CapacityCounters.fill(counters, 1, 1);
      assertThat(CapacityCounters.take(counters, 0, 1)).isEqualTo(CapacityCounters.TAKEN);
      AtomicInteger outcome = new AtomicInteger();
      Thread waits =
          new Thread(
              () ->
                  outcome.set(
                      Probe.insert(
                              new PackedSlots(
                                  DeviceLongs.of(words),
                                  8,
                                  7,
                                  new Hashing.OfInts(),
                                  new Removal.Refused()),
                              5,
                              new OneValue(6),
                              0,
                              MapCodes.SEARCHING,
                              counters,
                              1,
                              Change.Policy.KEEP,
                              Target.JVM.pollLimit())
                          .outcome()));
      waits.start();
      waits.join(Duration.ofMillis(500));
      CapacityCounters.endReservation(counters, 0, false);
      waits.join();
      assertThat(outcome.get()).isEqualTo(MapCodes.INSERTED);
    }
  }
}
