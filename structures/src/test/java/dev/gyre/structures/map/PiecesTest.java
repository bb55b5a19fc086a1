package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.Others;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.map.work.Pieces;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bulk operations on a device, in pieces that overlap. */
@ConformanceSuite
@Timeout(120)
class PiecesTest {

  /** More than two pieces, the last of them small. */
  private static final int KEYS = 2 * (1 << 18) + 1_000;

  private static IntIntMap map() {
    MapBuilder<IntIntMap> builder = IntIntMap.builder().capacity(1_000);
    if (TargetUnderTest.device() != null) {
      builder.launcher(TargetUnderTest.device());
    }
    return builder.build();
  }

  private static byte[] codes(Outcome even, Outcome odd) {
    byte[] codes = new byte[KEYS];
    for (int i = 0; i < KEYS; i++) {
      codes[i] = (i % 2 == 0 ? even : odd).code();
    }
    return codes;
  }

  private static int[] evenOr(int[] values, int odd) {
    return IntStream.range(0, KEYS).map(i -> i % 2 == 0 ? values[i] : odd).toArray();
  }

  @Test
  void allKeysAreDoneOnceAndOutcomesComeBackToTheirPlaces() {
    int[] keys = IntStream.range(0, KEYS).map(i -> i * 7).toArray();
    int[] values = IntStream.range(0, KEYS).map(i -> i + 1).toArray();
    boolean[] even = new boolean[KEYS];
    for (int i = 0; i < KEYS; i += 2) {
      even[i] = true;
    }
    byte[] outcomes = new byte[KEYS];
    try (IntIntMap map = map()) {
      InsertCounts half =
          map.insert(
              Ints.of(keys), Ints.of(values), BulkOptions.NONE.where(even).outcomes(outcomes));
      assertThat(half.inserted()).isEqualTo(KEYS / 2);
      assertThat(outcomes).isEqualTo(codes(Outcome.INSERTED, Outcome.SKIPPED));
      InsertCounts rest =
          map.insert(Ints.of(keys), Ints.of(values), BulkOptions.NONE.outcomes(outcomes));
      assertThat(rest.inserted()).isEqualTo(KEYS / 2);
      assertThat(rest.present()).isEqualTo(KEYS / 2);
      assertThat(outcomes).isEqualTo(codes(Outcome.PRESENT, Outcome.INSERTED));
      assertThat(map.size()).isEqualTo(KEYS);
      // Half of these are not there.
      int[] wanted = IntStream.range(0, KEYS).map(i -> i % 2 == 0 ? keys[i] : -1 - i).toArray();
      int[] found = new int[KEYS];
      FindCounts counts = map.find(wanted, found);
      assertThat(counts.found()).isEqualTo(KEYS / 2);
      assertThat(found).isEqualTo(evenOr(values, 0));
      Arrays.fill(found, -5);
      counts = map.find(Ints.of(wanted), Ints.of(found), BulkOptions.NONE.where(even));
      assertThat(counts.found()).isEqualTo(KEYS / 2);
      assertThat(counts.absent()).isZero();
      assertThat(found).isEqualTo(evenOr(values, -5));
    }
  }

  @Test
  void memoriesOfTheCallerAreReadAndWrittenWhereTheyLie() {
    try (IntIntMap map = map();
        Memory keys = Memory.ofInts(KEYS);
        Memory values = Memory.ofInts(KEYS);
        Memory found = Memory.ofInts(KEYS + 1)) {
      ThreadInts key = ThreadInts.of(keys);
      ThreadInts value = ThreadInts.of(values);
      ThreadInts result = ThreadInts.of(found);
      for (int i = 0; i < KEYS; i++) {
        key.set(i, 3 * i);
        value.set(i, i + 1);
      }
      result.set(KEYS, 77);
      Ints allKeys = Ints.of(keys, KEYS);
      InsertCounts inserted = map.insert(allKeys, Ints.of(values, KEYS), BulkOptions.NONE);
      assertThat(inserted.inserted()).isEqualTo(KEYS);
      // Other keys, so that half of them are there.
      for (int i = 0; i < KEYS; i++) {
        key.set(i, i % 2 == 0 ? 3 * i : 3 * i + 1);
      }
      byte[] outcomes = new byte[KEYS];
      FindCounts counts =
          map.find(allKeys, Ints.of(found, KEYS), BulkOptions.NONE.outcomes(outcomes));
      assertThat(counts.found()).isEqualTo((KEYS + 1) / 2);
      assertThat(outcomes).isEqualTo(codes(Outcome.FOUND, Outcome.ABSENT));
      int[] all = new int[KEYS + 1];
      Ints.of(found, KEYS + 1).read(0, all, KEYS + 1);
      for (int i = 0; i < KEYS; i++) {
        if (all[i] != (i % 2 == 0 ? i + 1 : 0)) {
          assertThat(all[i]).as("value %d", i).isEqualTo(i % 2 == 0 ? i + 1 : 0);
        }
      }
      assertThat(all[KEYS]).isEqualTo(77);
    }
  }

  /** A launcher for which a memory is copied in place from some time on. */
  private static final class Changes extends ForwardingLauncher {
    private final Memory memory;
    private final AtomicInteger asked;

    Changes(JvmLauncher launcher, Memory memory, AtomicInteger asked) {
      super(launcher, deviceOnJvm(1));
      this.memory = memory;
      this.asked = asked;
    }

    @Override
    public boolean copiesInPlace(Memory other) {
      return other.equals(memory) && asked.incrementAndGet() > 1;
    }
  }

  /** As where another thread has the memory copied for the first time. */
  @Test
  void aMemoryIsCopiedInPlaceFromTheNextPieceOn() {
    int[] keys = IntStream.range(0, 1 << 16).toArray();
    try (Memory memory = Memory.ofInts(keys.length);
        Changes launcher = new Changes(JvmLauncher.ofWorkers(2), memory, new AtomicInteger());
        IntIntMap map = IntIntMap.builder().launcher(launcher).capacity(keys.length).build()) {
      assertThat(map.insert(keys, keys).inserted()).isEqualTo(keys.length);
      for (int round = 0; round < 2; round++) {
        memory.segment().fill((byte) 0);
        Ints found = Ints.of(memory, keys.length);
        assertThat(map.find(Ints.of(keys), found, BulkOptions.NONE).found()).isEqualTo(keys.length);
        assertThat(memory.segment().toArray(ValueLayout.JAVA_INT)).isEqualTo(keys);
      }
    }
  }

  @Test
  void memoriesThatWereClosedAreRefusedByTheirName() {
    for (int count : new int[] {3, KEYS}) {
      Memory memory = Memory.ofInts(count);
      Ints closed = Ints.of(memory, count);
      memory.close();
      Ints open = Ints.of(new int[count]);
      BulkOptions all = BulkOptions.NONE;
      BulkOptions some = all.where(new boolean[count]);
      try (IntIntMap map = map()) {
        assertRefused(() -> map.insert(closed, open, all));
        assertRefused(() -> map.insert(open, closed, some));
        assertRefused(() -> map.contains(closed, all));
        assertRefused(() -> map.find(open, closed, all));
        assertRefused(() -> map.retrieveAll(closed, open));
      }
    }
  }

  private static void assertRefused(Runnable operation) {
    assertThatThrownBy(operation::run)
        .isInstanceOf(ClosedException.class)
        .hasMessageContaining("memory of");
  }

  /** What a large operation left in a stage must not become part of a small one. */
  @Test
  void aSmallOperationAfterALargeOneSeesItsOwnKeysOnly() {
    int[] keys = IntStream.range(0, KEYS).toArray();
    try (IntIntMap map = map()) {
      assertThat(map.insert(keys, keys).inserted()).isEqualTo(KEYS);
      int[] few = IntStream.range(KEYS - 5_000, KEYS + 5_000).toArray();
      int[] found = new int[few.length];
      assertThat(map.find(few, found).found()).isEqualTo(5_000);
      assertThat(found).isEqualTo(Arrays.stream(few).map(k -> k < KEYS ? k : 0).toArray());
      assertThat(map.insert(few, few).inserted()).isEqualTo(5_000);
      assertThat(map.size()).isEqualTo(KEYS + 5_000);
    }
  }

  @Test
  void piecesOverlap() {
    CountDownLatch together = new CountDownLatch(Pieces.AT_ONCE);
    AtomicIntegerArray done = new AtomicIntegerArray(100);
    AtomicLong least = new AtomicLong(Long.MAX_VALUE);
    Pieces.run(
        done.length(),
        7,
        (from, length, later) -> {
          together.countDown();
          assertThat(awaits(together)).isTrue();
          least.accumulateAndGet(later, Math::min);
          IntStream.range(0, length).forEach(i -> done.incrementAndGet((int) from + i));
        });
    for (int i = 0; i < done.length(); i++) {
      assertThat(done.get(i)).isEqualTo(1);
    }
    assertThat(least.get()).isBetween(0L, 7L * Pieces.AT_ONCE);
  }

  private static boolean awaits(CountDownLatch latch) {
    try {
      return latch.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void afterAFailureNoPieceBegins() {
    AtomicInteger begun = new AtomicInteger();
    IllegalArgumentException broken = new IllegalArgumentException("broken");
    assertThatThrownBy(
            () ->
                Pieces.run(
                    1_000,
                    1,
                    (_, _, _) -> {
                      begun.incrementAndGet();
                      throw broken;
                    }))
        .isSameAs(broken);
    assertThat(begun.get()).isBetween(1, Pieces.AT_ONCE);
  }

  /** Who calls is not let go before all that use its arrays have ended, and hears of it after. */
  @Test
  void anInterruptIsKeptUntilAllPiecesHaveEnded() {
    AtomicInteger ended = new AtomicInteger();
    CountDownLatch otherBegan = new CountDownLatch(1);
    CountDownLatch callerGoesOn = new CountDownLatch(1);
    Thread caller = Thread.currentThread();
    Pieces.run(
        2,
        1,
        (_, _, _) -> {
          if (Thread.currentThread().equals(caller)) {
            assertThat(awaits(otherBegan)).isTrue();
            callerGoesOn.countDown();
          } else {
            otherBegan.countDown();
            assertThat(awaits(callerGoesOn)).isTrue();
            caller.interrupt();
            // The caller has nothing else to wait for.
            Others.await(() -> Others.waits(caller));
          }
          ended.incrementAndGet();
        });
    assertThat(Thread.interrupted()).isTrue();
    assertThat(ended.get()).isEqualTo(2);
  }
}
