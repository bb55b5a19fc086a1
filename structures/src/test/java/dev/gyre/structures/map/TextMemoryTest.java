package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherGroup;
import dev.gyre.structures.ScarceMemory;
import dev.gyre.structures.map.sharded.ShardedTextMap;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is left of inserts of text keys in the middle of which table or arena cannot grow. */
class TextMemoryTest {

  private static final int COUNT = 100_000;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"20000,10000000", "200000,100000"})
  void everyKeyIsInsertedOrWasNotTried(long capacity, long textBytes) {
    long[] values = LongStream.range(0, COUNT).toArray();
    byte[] outcomes = new byte[COUNT];
    BulkOptions options = BulkOptions.NONE.outcomes(outcomes);
    try (TextKeys keys = new TextKeys();
        TextLongMap map = TextLongMap.builder().capacity(capacity).textBytes(textBytes).build()) {
      for (int i = 0; i < COUNT; i++) {
        keys.add("a key with a number at its end: " + i);
      }
      // Afterwards there is scratch memory for the batch.
      assertThat(map.contains(keys, options).absent()).isEqualTo(COUNT);
      MemoryExhaustedException failure;
      try (ScarceMemory _ = ScarceMemory.take(folder)) {
        failure =
            catchThrowableOfType(
                MemoryExhaustedException.class, () -> map.insert(keys, Longs.of(values), options));
        assertThatThrownBy(() -> putAll(map)).isInstanceOf(MemoryExhaustedException.class);
      }
      int inserted = 0;
      for (int i = 0; i < COUNT; i++) {
        boolean there = outcomes[i] == Outcome.INSERTED.code();
        assertThat(there || outcomes[i] == Outcome.SKIPPED.code()).isTrue();
        assertThat(map.containsKey(keys.text(i))).isEqualTo(there);
        inserted += there ? 1 : 0;
      }
      assertThat(inserted).isPositive().isLessThan(COUNT);
      assertThat(failure.soFar(InsertCounts.class)).contains(new InsertCounts(inserted, 0, 0));
      assertThat(failure)
          .hasMessageEndingWith(
              "; %d of %d keys are known to be done: %d inserted, 0 present; the rest may be done"
                  + " or not",
              inserted, COUNT, inserted);
      assertThat(map.insert(keys, Longs.of(values), options))
          .isEqualTo(new InsertCounts(COUNT - inserted, inserted, 0));
      long[] found = new long[COUNT];
      assertThat(map.find(keys, Longs.of(found), options).absent()).isZero();
      assertThat(found).isEqualTo(values);
    }
  }

  /** Half of the keys were removed, so that their text could be dropped. */
  @Test
  void aRebuildWithoutMemoryChangesNothing() {
    List<String> keys =
        IntStream.range(0, COUNT).mapToObj(i -> "a key with a number at its end: " + i).toList();
    try (TextLongMap map = TextLongMap.builder().removable().build()) {
      assertThat(map.insert(keys, LongStream.range(0, COUNT).toArray()).inserted())
          .isEqualTo(COUNT);
      assertThat(map.removeAll(keys.subList(0, COUNT / 2)).found()).isEqualTo(COUNT / 2);
      try (ScarceMemory _ = ScarceMemory.take(folder)) {
        assertThatThrownBy(() -> map.rehash(COUNT)).isInstanceOf(MemoryExhaustedException.class);
        requireSecondHalf(map, keys);
      }
      map.rehash(COUNT);
      requireSecondHalf(map, keys);
      assertThat(map.insert(keys, new long[COUNT]).inserted()).isEqualTo(COUNT / 2);
    }
  }

  private static void requireSecondHalf(TextLongMap map, List<String> keys) {
    assertThat(map.size()).isEqualTo(COUNT / 2);
    for (int i = 0; i < COUNT; i++) {
      assertThat(map.get(keys.get(i)).orElse(-1)).isEqualTo(i < COUNT / 2 ? -1 : i);
    }
  }

  /** Ends by an exception: there is not the memory for so many. */
  private static void putAll(TextLongMap map) {
    for (int i = 0; i < 1 << 22; i++) {
      var _ = map.putIfAbsent("another key with a number at its end: " + i, i);
    }
  }

  /** The strings of a call do not even reach the memory of a batch. */
  @Test
  void stringsThatAreNotCopiedAreNotDone() {
    String[] strings = new String[COUNT];
    Arrays.setAll(strings, i -> "a key with a number at its end: " + i);
    long[] values = new long[COUNT];
    try (TextLongMap map = TextLongMap.create()) {
      MemoryExhaustedException failure;
      try (ScarceMemory _ = ScarceMemory.take(folder)) {
        failure =
            catchThrowableOfType(
                MemoryExhaustedException.class, () -> map.insert(List.of(strings), values));
      }
      assertThat(failure.soFar(InsertCounts.class)).contains(new InsertCounts(0, 0, 0));
      assertThat(map.size()).isZero();
    }
  }

  @Test
  void stringsThatAreNotCopiedToShardsAreNotDone() {
    List<String> strings =
        IntStream.range(0, COUNT).mapToObj(i -> "a key with a number at its end: " + i).toList();
    long[] values = new long[COUNT];
    try (JvmLauncher one = JvmLauncher.ofWorkers(1);
        JvmLauncher other = JvmLauncher.ofWorkers(1);
        Launcher group = LauncherGroup.of(List.of(one, other));
        ShardedTextMap map =
            ShardedTextMap.of(group, on -> TextLongMap.builder().launcher(on).build());
        TextLongMap from = TextLongMap.create()) {
      InsertCounts _ = from.insert(strings, values);
      List<ThrowingCallable> inserts =
          List.of(() -> map.insert(strings, values), () -> map.copyFrom(from));
      for (ThrowingCallable insert : inserts) {
        MemoryExhaustedException failure;
        try (ScarceMemory _ = ScarceMemory.take(folder)) {
          failure = catchThrowableOfType(MemoryExhaustedException.class, insert);
        }
        assertThat(failure.soFar(InsertCounts.class)).contains(new InsertCounts(0, 0, 0));
      }
      assertThat(map.size()).isZero();
    }
  }
}
