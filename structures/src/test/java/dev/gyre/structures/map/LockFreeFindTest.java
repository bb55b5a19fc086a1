package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Hash;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.Others;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bulk finds that one thread does without the gate, while the table is taken from under it. */
@Timeout(120)
class LockFreeFindTest {

  private static final int STOP = 0;
  private static final int REACHED = 1;
  private static final long KEY = 1;

  /** Stops who first asks for the hash of a key. */
  record Stopping(DeviceInts stop) implements Hash {
    @Override
    public long hash(long key, long seed) {
      if (key == KEY && stop.loadAcquire(STOP) != 0 && stop.loadAcquire(REACHED) == 0) {
        stop.storeRelease(REACHED, 1);
        int _ = stop.waitWhileEqualAcquire(STOP, 1, Long.MAX_VALUE);
      }
      return key * 0x9e3779b97f4a7c15L;
    }
  }

  private static long[] keys(int count) {
    return LongStream.rangeClosed(1, count).toArray();
  }

  /** Where tables that others grew out of are too many to be held, many keys pass the gate. */
  private static void assumeByAddress(LongLongMap map) {
    assumeThat(map.store.reader()).matches(reader -> reader != null && !reader.isChecked());
  }

  private static long[] times(long[] keys, long factor) {
    return Arrays.stream(keys).map(key -> factor * key).toArray();
  }

  /** Whoever passes the gate waits for one that is inside alone. */
  @ParameterizedTest
  @ValueSource(ints = {16, 17, 1_000, 4_096})
  void doesNotWaitForWhoIsInsideAlone(int count) throws InterruptedException {
    long[] keys = keys(count);
    try (LongLongMap map = LongLongMap.builder().workers(1).capacity(count).build()) {
      assertThat(map.insert(keys, keys).inserted()).isEqualTo(count);
      assumeByAddress(map);
      AtomicReference<FindCounts> counts = new AtomicReference<>();
      Entry alone = map.store.lock().enterExclusive();
      Thread finder = Thread.ofPlatform().start(() -> counts.set(map.find(keys, new long[count])));
      try {
        assertThat(finder.join(Duration.ofSeconds(20))).isTrue();
        assertThat(counts.get()).isEqualTo(new FindCounts(count, 0));
      } finally {
        alone.close();
        finder.join();
      }
    }
  }

  /** What it has found by then it may have read of a table that was freed. */
  @ParameterizedTest
  @ValueSource(ints = {3, 100, 4_096})
  void looksAgainWhereTheTableWasReplaced(int count) throws InterruptedException {
    long[] keys = keys(count);
    try (Memory memory = Memory.ofInts(2);
        LongLongMap map =
            LongLongMap.builder()
                .hash(new Stopping(DeviceInts.of(memory)))
                .workers(1)
                .capacity(count)
                .build()) {
      assertThat(map.insert(keys, keys).inserted()).isEqualTo(count);
      assumeByAddress(map);
      DeviceInts stop = DeviceInts.of(memory);
      stop.storeRelease(STOP, 1);
      long[] found = new long[count];
      AtomicReference<FindCounts> counts = new AtomicReference<>();
      Thread finder = Thread.ofPlatform().start(() -> counts.set(map.find(keys, found)));
      try {
        while (stop.loadAcquire(REACHED) == 0 && finder.isAlive()) {
          Thread.sleep(1);
        }
        map.rehash(2L * count);
        assertThat(map.insertOrAssign(keys, times(keys, 5)).present()).isEqualTo(count);
      } finally {
        stop.storeRelease(STOP, 0);
        finder.join();
      }
      assertThat(counts.get()).isEqualTo(new FindCounts(count, 0));
      assertThat(found).isEqualTo(times(keys, 5));
    }
  }

  /** Where it looks again, the keys are what they were, and no values. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void valuesMayGoToWhereTheKeysAre(boolean segment) throws InterruptedException {
    int count = 600;
    long[] keys = keys(count);
    long[] values = Arrays.stream(keys).map(key -> key % count + 1).toArray();
    try (Memory memory = Memory.ofInts(2);
        LongLongMap map =
            LongLongMap.builder()
                .hash(new Stopping(DeviceInts.of(memory)))
                .workers(1)
                .capacity(count)
                .build()) {
      assertThat(map.insert(keys, values).inserted()).isEqualTo(count);
      assumeByAddress(map);
      DeviceInts stop = DeviceInts.of(memory);
      stop.storeRelease(STOP, 1);
      // That at which it is stopped comes last, behind others whose values are written.
      long[] all =
          LongStream.concat(LongStream.rangeClosed(2, count), LongStream.of(KEY)).toArray();
      Longs same = segment ? Longs.of(MemorySegment.ofArray(all)) : Longs.of(all);
      AtomicReference<FindCounts> counts = new AtomicReference<>();
      Thread finder =
          Thread.ofPlatform().start(() -> counts.set(map.find(same, same, BulkOptions.NONE)));
      while (stop.loadAcquire(REACHED) == 0 && finder.isAlive()) {
        Thread.sleep(1);
      }
      Thread mover = Thread.ofPlatform().start(() -> map.rehash(2L * count));
      try {
        while (mover.isAlive() && !Others.waits(mover)) {
          Thread.sleep(1);
        }
      } finally {
        stop.storeRelease(STOP, 0);
        finder.join();
        mover.join();
      }
      assertThat(counts.get()).isEqualTo(new FindCounts(count, 0));
      long[] expected = LongStream.rangeClosed(2, count + 1).map(n -> n > count ? 1 : n).toArray();
      expected = Arrays.stream(expected).map(key -> key % count + 1).toArray();
      assertThat(all).isEqualTo(expected);
    }
  }

  /** Keys that are there are never missed, nor what is not there found, beside growth. */
  @ParameterizedTest
  @EnumSource(
      value = Layout.class,
      names = {"REFERENCE", "LINE"})
  void findsAllBesideGrowth(Layout layout) throws InterruptedException {
    for (int count : new int[] {10, 300, 3_000}) {
      long[] keys = keys(count);
      int[] ints = IntStream.rangeClosed(1, count).toArray();
      long[] absent = times(keys, -1);
      AtomicBoolean ends = new AtomicBoolean();
      try (LongLongMap longs = LongLongMap.builder().layout(layout).workers(1).capacity(1).build();
          IntIntMap narrow = IntIntMap.builder().workers(1).capacity(1).build();
          LongSet set = LongSet.builder().workers(1).capacity(1).build()) {
        assertThat(longs.insert(keys, times(keys, 3)).inserted()).isEqualTo(count);
        assertThat(narrow.insert(ints, ints).inserted()).isEqualTo(count);
        assertThat(set.addAll(keys).inserted()).isEqualTo(count);
        Thread grower =
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int i = 1; i < 50 && !ends.get(); i++) {
                        long capacity = count + (i % 2 == 0 ? 0L : 1_000L);
                        longs.rehash(capacity);
                        narrow.rehash(capacity);
                        set.rehash(capacity);
                      }
                      ends.set(true);
                    });
        try {
          while (!ends.get()) {
            long[] found = new long[count];
            assertThat(longs.find(keys, found)).isEqualTo(new FindCounts(count, 0));
            assertThat(found).isEqualTo(times(keys, 3));
            assertThat(longs.find(absent, found)).isEqualTo(new FindCounts(0, count));
            assertThat(found).containsOnly(0);
            int[] intsFound = new int[count];
            assertThat(narrow.find(ints, intsFound)).isEqualTo(new FindCounts(count, 0));
            assertThat(intsFound).isEqualTo(ints);
            assertThat(set.containsAll(keys)).isEqualTo(new FindCounts(count, 0));
          }
        } finally {
          ends.set(true);
          grower.join();
        }
      }
    }
  }

  /** Of the caller's own that throws: only that of a table which was freed has nobody meant. */
  record Refusing(long none) implements Hash {
    @Override
    public long hash(long key, long seed) {
      if (key == none) {
        throw new IllegalStateException("refused");
      }
      return key * 0x9e3779b97f4a7c15L;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16, 17, 1_000})
  void whatIsTheCallersOwnAndThrowsEndsNoInterrupt(int count) {
    long[] keys = keys(count);
    Longs array = Longs.of(new long[count]);
    Longs closed;
    try (Arena arena = Arena.ofShared()) {
      closed = Longs.of(arena.allocate(ValueLayout.JAVA_LONG, count));
    }
    try (LongLongMap map =
        LongLongMap.builder().hash(new Refusing(-1)).workers(1).capacity(count).build()) {
      assertThat(map.insert(keys, keys).inserted()).isEqualTo(count);
      keys[count / 2] = -1;
      RuntimeException refused = new IllegalStateException("refused");
      RuntimeException freed = new IllegalArgumentException("the arena of the segment was closed");
      assertThrowsInterrupted(freed, () -> map.find(closed, array, BulkOptions.NONE));
      assertThrowsInterrupted(freed, () -> map.find(array, closed, BulkOptions.NONE));
      assertThrowsInterrupted(refused, () -> map.find(keys, new long[count]));
      assertThrowsInterrupted(refused, () -> map.get(-1));
    }
  }

  private static void assertThrowsInterrupted(RuntimeException like, ThrowingCallable call) {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(call).isInstanceOf(like.getClass()).hasMessage(like.getMessage());
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  /** Where one stands in the way of others: what goes past it ends at the next EMPTY slot. */
  @Test
  void keysPastKeyZeroAreToldWithoutTheGate() throws InterruptedException {
    int count = 1_000;
    long[] keys = LongStream.range(0, count).toArray();
    long[] absent = LongStream.range(count, 5L * count).toArray();
    try (LongLongMap map = LongLongMap.builder().workers(1).fixedCapacity(count).build()) {
      assertThat(map.insert(keys, keys).inserted()).isEqualTo(count);
      assumeByAddress(map);
      AtomicReference<FindCounts> counts = new AtomicReference<>();
      Entry alone = map.store.lock().enterExclusive();
      Thread finder = Thread.ofPlatform().start(() -> counts.set(map.contains(absent)));
      try {
        assertThat(finder.join(Duration.ofSeconds(20))).isTrue();
        assertThat(counts.get()).isEqualTo(new FindCounts(0, absent.length));
      } finally {
        alone.close();
        finder.join();
      }
    }
  }
}
