package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.map.Fold;
import dev.gyre.structures.map.table.TextTable;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Capacity of a failed launch, of which nobody knows how much it used, is counted by who needs it.
 */
class UncountedCapacityTest {

  private static final String CANCELLED = "gyre.test.cancelled";

  @TempDir private Path folder;

  /** A key, and room for two more that were never inserted. */
  private static LongLongMap map() {
    LongLongMap map = LongLongMap.builder().workers(1).capacity(8).build();
    assertThat(map.putIfAbsent(0, 1)).isEmpty();
    assertThat(map.store.table().take(2)).isTrue();
    map.store.table().inserted(0, 2, false);
    return map;
  }

  @Test
  void aFileHasAsManyKeysAsItSays() {
    Path file = folder.resolve("map");
    try (LongLongMap map = map()) {
      map.save(file);
      assertThat(map.size()).isEqualTo(1);
    }
    try (LongLongMap loaded = LongLongMap.load(file)) {
      assertThat(loaded.size()).isEqualTo(1);
    }
  }

  @Test
  void itIsStillToBeCountedInALargerTable() {
    try (LongLongMap map = map()) {
      for (long key = 1; key < 100; key++) {
        assertThat(map.putIfAbsent(key, 1)).isEmpty();
      }
      assertThat(map.capacity()).isGreaterThan(8);
      map.store.recount();
      assertThat(map.size()).isEqualTo(100);
    }
  }

  @Test
  void itIsStillToBeCountedInATableWithALargerArena() {
    try (TextLongMap map = TextLongMap.builder().workers(1).capacity(8).textBytes(8).build()) {
      assertThat(map.store.table().take(2)).isTrue();
      map.store.table().inserted(0, 2, false);
      TextTable first = map.store.table();
      assertThat(map.putIfAbsent("some text that is longer than the arena is", 1)).isEmpty();
      assertThat(map.store.table()).isNotSameAs(first);
      map.store.recount();
      assertThat(map.size()).isEqualTo(1);
    }
  }

  record Refusing() implements Fold {
    @Override
    public long apply(long present, long given) {
      throw new IllegalStateException("no");
    }
  }

  /** Who inserts few keys does so at once, by itself. */
  @Test
  void whatAFoldThatThrowsLeftOfAFewKeysIsCounted() {
    try (LongLongMap map = LongLongMap.builder().workers(2).fixedCapacity(4).build()) {
      assertThat(map.putIfAbsent(1, 1)).isEmpty();
      Longs keys = Longs.of(1, 2, 3);
      assertThatThrownBy(() -> map.insertOrApply(keys, keys, new Refusing(), BulkOptions.NONE))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("no");
      Set<Long> there = new HashSet<>();
      map.forEach((key, _) -> assertThat(there.add(key)).isTrue());
      assertThat(map.size()).isEqualTo(there.size());
      assertThat(map.putIfAbsent(4, 1)).isEmpty();
    }
  }

  /** As one that comes to another structure by ways of the library, in an interrupted thread. */
  record Cancelled() implements Fold {
    @Override
    public long apply(long present, long given) {
      ((Runnable) Objects.requireNonNull(System.getProperties().get(CANCELLED))).run();
      return present;
    }
  }

  private static void cancel() {
    try (JvmLauncher other = JvmLauncher.ofWorkers(1)) {
      throw new LaunchCancelledException("other", other.device(), null);
    }
  }

  /** That a launch was cancelled within the fold does not say that the map's own did not begin. */
  @Test
  void soIsWhatAFoldLeftInWhichAnotherLaunchWasCancelled() {
    Runnable cancelling = UncountedCapacityTest::cancel;
    System.getProperties().put(CANCELLED, cancelling);
    long[] keys = {1, 2, 3, 4, 5, 6, 7, 0};
    BulkOptions told = BulkOptions.NONE.outcomes(new byte[keys.length]);
    try (LongLongMap map = LongLongMap.builder().workers(2).fixedCapacity(100).build()) {
      assertThat(map.putIfAbsent(0, 1)).isEmpty();
      assertThatThrownBy(
              () -> map.insertOrApply(Longs.of(keys), Longs.of(keys), new Cancelled(), told))
          .isInstanceOf(LaunchCancelledException.class);
      Set<Long> there = new HashSet<>();
      map.forEach((key, _) -> assertThat(there.add(key)).isTrue());
      assertThat(there).hasSizeGreaterThan(1);
      assertThat(map.size()).isEqualTo(there.size());
    }
    List<String> texts = List.of("b", "c", "d", "a");
    long[] ones = {1, 1, 1, 1};
    try (TextLongMap map = TextLongMap.builder().workers(2).fixedCapacity(100).build()) {
      assertThat(map.putIfAbsent("a", 1)).isEmpty();
      assertThatThrownBy(() -> map.insertOrApply(texts, ones, new Cancelled()))
          .isInstanceOf(LaunchCancelledException.class);
      Set<String> there = new HashSet<>();
      map.forEach((key, _) -> assertThat(there.add(key)).isTrue());
      assertThat(there).hasSizeGreaterThan(1);
      assertThat(map.size()).isEqualTo(there.size());
    }
  }
}
