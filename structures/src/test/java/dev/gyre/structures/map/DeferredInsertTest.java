package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.Insert;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.Removal;
import dev.gyre.kernels.map.Slots;
import dev.gyre.structures.Waiting;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys that meet a slot which another thread has reserved, in launches that do not wait for it. */
class DeferredInsertTest {

  private static final int SLOTS = 16;
  private static final long SEED = 3;
  private static final long MET = 7;

  /** Its home is another one, in a table of any size that is used here. */
  private static final long FREE =
      LongStream.iterate(1000, k -> k + 1)
          .filter(DeferredInsertTest::isElsewhere)
          .findFirst()
          .orElseThrow();

  private static final long OPERAND = 5;

  private static boolean isElsewhere(long key) {
    return Hashing.home(key, SEED, SLOTS) != Hashing.home(MET, SEED, SLOTS);
  }

  /** A table in which the home of a key is RESERVED, and a batch of that key and another. */
  private static final class Table implements AutoCloseable {
    private final Memory[] memories = {
      Memory.ofInts(SLOTS),
      Memory.ofLongs(SLOTS),
      Memory.ofLongs(SLOTS),
      Memory.ofLongs(2),
      Memory.ofLongs(2),
      Memory.ofBytes(2),
      Memory.ofLongs(MapCodes.COUNTERS)
    };
    final DeviceInts states = DeviceInts.of(memories[0]);
    final DeviceLongs keys = DeviceLongs.of(memories[1]);
    final DeviceLongs values = DeviceLongs.of(memories[2]);
    final DeviceLongs inKeys = DeviceLongs.of(memories[3]);
    final DeviceLongs inValues = DeviceLongs.of(memories[4]);
    final Bytes outcomes = Bytes.of(memories[5]);
    final DeviceLongs counters = DeviceLongs.of(memories[6]);
    final long home = Hashing.home(MET, SEED, SLOTS);

    Table() {
      states.set(home, MapCodes.RESERVED);
      inKeys.set(0, MET);
      inKeys.set(1, FREE);
      inValues.set(0, OPERAND);
      inValues.set(1, OPERAND);
    }

    /** What the thread that reserved the slot does in the end. */
    void publish(long value) {
      keys.set(home, MET);
      values.set(home, value);
      states.storeRelease(home, MapCodes.FILLED);
    }

    void add(int options) {
      for (int i = 0; i < MapCodes.COUNTERS; i++) {
        counters.set(i, 0);
      }
      Slots table =
          new LongSlots.Reference(
              states, keys, values, SLOTS, SEED, new Hashing.OfLongs(), new Removal.Refused());
      Batch batch = new Batch(longs(inKeys), longs(inValues), outcomes);
      new Insert(
              table,
              batch,
              counters,
              0,
              2,
              new Change.Policy(MapCodes.ADD),
              options | MapCodes.OUTCOMES,
              1)
          .run(0, LaunchShape.ofThreads(1));
    }

    private static Numbers longs(DeviceLongs row) {
      return Numbers.of(row);
    }

    long valueOf(long key) {
      long slot = Hashing.home(key, SEED, SLOTS);
      while (keys.get(slot) != key) {
        slot = (slot + 1) % SLOTS;
      }
      return values.get(slot);
    }

    @Override
    public void close() {
      for (Memory memory : memories) {
        memory.close();
      }
    }
  }

  @Test
  void aFollowingLaunchDoesWhatWasLeftAndNothingElse() {
    try (Table table = new Table()) {
      table.add(0);
      assertThat(table.outcomes.get(0)).isEqualTo(MapCodes.STUCK);
      assertThat(table.outcomes.get(1)).isEqualTo(MapCodes.INSERTED);
      assertThat(table.counters.get(MapCodes.STUCK)).isEqualTo(1);
      table.publish(10);
      table.add(MapCodes.AGAIN);
      assertThat(table.outcomes.get(0)).isEqualTo(MapCodes.PRESENT);
      assertThat(table.outcomes.get(1)).isEqualTo(MapCodes.INSERTED);
      assertThat(table.counters.get(MapCodes.STUCK)).isZero();
      assertThat(table.counters.get(MapCodes.PRESENT)).isEqualTo(1);
      assertThat(table.counters.get(MapCodes.INSERTED)).isZero();
      assertThat(table.valueOf(MET)).isEqualTo(10 + OPERAND);
      assertThat(table.valueOf(FREE)).isEqualTo(OPERAND);
    }
  }

  /** The broken variant: a launch that does all keys again applies values twice. */
  @Test
  void aLaunchThatDoesAllAgainAddsTwice() {
    try (Table table = new Table()) {
      table.add(0);
      table.publish(10);
      table.add(0);
      assertThat(table.valueOf(FREE)).isEqualTo(2 * OPERAND);
    }
  }

  /** The operation ends when the slot is published, whichever form it has. */
  @ParameterizedTest
  @EnumSource(Waiting.class)
  void theOperationEndsOnceTheSlotIsPublished(Waiting waiting) throws Exception {
    try (LongLongMap map = reservedSlot(waiting, Long.MAX_VALUE)) {
      DeviceInts states = DeviceInts.of(map.store.table().memories().getFirst());
      DeviceLongs keys = DeviceLongs.of(map.store.table().memories().get(1));
      long home = Hashing.home(MET, SEED, map.store.slots());
      CompletableFuture<InsertCounts> running =
          CompletableFuture.supplyAsync(
              () -> map.insert(new long[] {MET, FREE}, new long[] {OPERAND, OPERAND}));
      TimeUnit.MILLISECONDS.sleep(50);
      assertThat(running).isNotDone();
      keys.set(home, MET);
      states.storeRelease(home, MapCodes.FILLED);
      assertThat(running.get(1, TimeUnit.MINUTES)).isEqualTo(new InsertCounts(1, 1, 0));
    }
  }

  @Test
  void launchesAreLimitedAsWaitsAre() {
    try (LongLongMap map = reservedSlot(Waiting.DEFERRED, 20)) {
      long[] keys = {MET, FREE};
      assertThatThrownBy(() -> map.insert(keys, keys)).isInstanceOf(StuckException.class);
      assertThat(map.getOrDefault(FREE, 0)).isEqualTo(FREE);
    }
  }

  private static LongLongMap reservedSlot(Waiting waiting, long pollLimit) {
    LongLongMap map =
        LongLongMap.builder()
            .layout(Layout.REFERENCE)
            .waiting(waiting)
            .tableSeed(SEED)
            .pollLimit(pollLimit)
            .workers(1)
            .build();
    DeviceInts.of(map.store.table().memories().getFirst())
        .set(Hashing.home(MET, SEED, map.store.slots()), MapCodes.RESERVED);
    return map;
  }
}
