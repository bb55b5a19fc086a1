package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Operations that insert nothing never change the size, not even while they run. */
class SizeDuringUpdatesTest {

  private static final int KEYS = 600;
  private static final int CHECKS = 200_000;

  /** Checks the size while two threads update all keys. */
  private static void check(LongSupplier size, Runnable update) {
    update.run();
    AtomicBoolean isDone = new AtomicBoolean();
    List<Thread> updaters =
        IntStream.range(0, 2)
            .mapToObj(
                i ->
                    Thread.ofPlatform()
                        .start(
                            () -> {
                              while (!isDone.get()) {
                                update.run();
                              }
                            }))
            .toList();
    try {
      for (int i = 0; i < CHECKS; i++) {
        assertThat(size.getAsLong()).isEqualTo(KEYS);
      }
    } finally {
      isDone.set(true);
      updaters.forEach(SizeDuringUpdatesTest::join);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void longs() {
    long[] keys = LongStream.range(0, KEYS).toArray();
    try (LongLongMap map = LongLongMap.builder().build()) {
      check(map::size, () -> map.insert(keys, keys));
    }
  }

  @Test
  void longsInSets() {
    long[] keys = LongStream.range(0, KEYS).toArray();
    try (LongSet set = LongSet.builder().build()) {
      check(set::size, () -> set.addAll(keys));
    }
  }

  @Test
  void ints() {
    int[] keys = IntStream.range(0, KEYS).toArray();
    try (IntIntMap map = IntIntMap.builder().build()) {
      check(map::size, () -> map.insert(keys, keys));
    }
  }

  @Test
  void texts() {
    List<String> keys = IntStream.range(0, KEYS).mapToObj(i -> "key " + i).toList();
    long[] values = new long[KEYS];
    try (TextLongMap map = TextLongMap.builder().build()) {
      check(map::size, () -> map.insert(keys, values));
    }
  }
}
