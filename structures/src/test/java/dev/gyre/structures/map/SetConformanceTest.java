package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.map.SetSubject.Kind;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sets of all kinds do what a set does, on every target. */
@ConformanceSuite
class SetConformanceTest {

  private static final int MANY = 20_000;

  static Stream<Kind> kinds() {
    return Kind.all();
  }

  private static SetSubject make(Kind kind, long capacity, boolean fixed) {
    return kind.make(TargetUnderTest.device(), 2, capacity, fixed);
  }

  private static Set<Long> walked(SetSubject set) {
    Set<Long> all = new HashSet<>();
    set.forEach(key -> assertThat(all.add(key)).isTrue());
    return all;
  }

  private static void requireHolds(SetSubject set, Set<Long> expected) {
    assertThat(set.size()).isEqualTo(expected.size());
    assertThat(set.retrieved()).isEqualTo(expected);
    assertThat(walked(set)).isEqualTo(expected);
    long[] all = expected.stream().mapToLong(key -> key).toArray();
    assertThat(set.containsAll(all, BulkOptions.NONE)).isEqualTo(new FindCounts(all.length, 0));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void equalKeysAreOneAndExtremesAreKeys(Kind kind) {
    long[] keys = {0, -1, 1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0, 1, 1};
    try (SetSubject set = make(kind, 2, false)) {
      assertThat(set.addAll(new long[0], BulkOptions.NONE)).isEqualTo(new InsertCounts(0, 0, 0));
      assertThat(set.addAll(keys, BulkOptions.NONE)).isEqualTo(new InsertCounts(5, 3, 0));
      assertThat(set.addAll(keys, BulkOptions.NONE)).isEqualTo(new InsertCounts(0, 8, 0));
      requireHolds(set, Set.of(0L, -1L, 1L, (long) Integer.MIN_VALUE, (long) Integer.MAX_VALUE));
      assertThat(set.add(0)).isFalse();
      assertThat(set.add(2)).isTrue();
      assertThat(set.contains(2)).isTrue();
      assertThat(set.contains(3)).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void masksAndOutcomesAreThoseOfMaps(Kind kind) {
    byte[] outcomes = new byte[4];
    boolean[] mask = {true, false, true, true};
    BulkOptions options = BulkOptions.NONE.where(mask).outcomes(outcomes);
    try (SetSubject set = make(kind, 10, false)) {
      assertThat(set.add(7)).isTrue();
      assertThat(set.addAll(new long[] {5, 6, 7, 8}, options).inserted()).isEqualTo(2);
      assertThat(outcomes)
          .containsExactly(
              Outcome.INSERTED.code(),
              Outcome.SKIPPED.code(),
              Outcome.PRESENT.code(),
              Outcome.INSERTED.code());
      requireHolds(set, Set.of(5L, 7L, 8L));
      assertThat(set.containsAll(new long[] {5, 6, 9, 8}, options)).isEqualTo(new FindCounts(2, 1));
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aSetOfFixedCapacityIsFull(Kind kind) {
    try (SetSubject set = make(kind, 100, true)) {
      InsertCounts counts = set.addAll(LongStream.range(0, 150).toArray(), BulkOptions.NONE);
      assertThat(counts).isEqualTo(new InsertCounts(100, 0, 50));
      assertThat(set.capacity()).isEqualTo(100);
      long absent = LongStream.range(0, 150).filter(key -> !set.contains(key)).findAny().orElse(-1);
      assertThatThrownBy(() -> set.add(absent)).isInstanceOf(MapFullException.class);
      assertThat(set.retrieved()).hasSize(100);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void growsShrinksAndIsEmptied(Kind kind) {
    long[] keys = new SplittableRandom(1).ints(MANY).asLongStream().distinct().toArray();
    Set<Long> all = new HashSet<>(Arrays.stream(keys).boxed().toList());
    try (SetSubject set = make(kind, 1, false)) {
      assertThat(set.addAll(keys, BulkOptions.NONE).inserted()).isEqualTo(keys.length);
      requireHolds(set, all);
      set.rehash(keys.length);
      assertThat(set.capacity()).isEqualTo(keys.length);
      requireHolds(set, all);
      set.clear();
      requireHolds(set, Set.of());
      assertThat(set.add(keys[0])).isTrue();
      requireHolds(set, Set.of(keys[0]));
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void isSavedAndLoaded(Kind kind, @TempDir Path folder) {
    Path file = folder.resolve("set");
    Set<Long> all = new HashSet<>(LongStream.range(-50, 50).boxed().toList());
    try (SetSubject set = make(kind, 4, false)) {
      var _ = set.addAll(all.stream().mapToLong(key -> key).toArray(), BulkOptions.NONE);
      set.save(file);
    }
    try (SetSubject set = kind.load(TargetUnderTest.device(), 2, file)) {
      requireHolds(set, all);
      assertThat(set.add(1_000)).isTrue();
      all.add(1_000L);
      requireHolds(set, all);
    }
  }

  @Test
  void aFileOfAMapIsNoSetAndTheOtherWayRound(@TempDir Path folder) {
    Path map = folder.resolve("map");
    Path set = folder.resolve("set");
    try (LongLongMap numbers = LongLongMap.create();
        LongSet keys = LongSet.create()) {
      numbers.save(map);
      keys.save(set);
    }
    assertThatThrownBy(() -> LongSet.load(map))
        .isInstanceOf(SavedFileException.class)
        .hasMessageContaining("a map from long to long, not a set of longs");
    assertThatThrownBy(() -> LongLongMap.load(set)).isInstanceOf(SavedFileException.class);
    assertThatThrownBy(() -> TextSet.load(set)).isInstanceOf(SavedFileException.class);
    assertThatThrownBy(() -> IntSet.load(set)).isInstanceOf(SavedFileException.class);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void movesToAnotherLauncherAndBack(Kind kind) {
    Set<Long> all = new HashSet<>(LongStream.range(0, 500).boxed().toList());
    try (JvmLauncher other = JvmLauncher.ofWorkers(1);
        SetSubject set = make(kind, 4, false)) {
      var _ = set.addAll(LongStream.range(0, 400).toArray(), BulkOptions.NONE);
      set.runOn(other);
      var _ = set.addAll(LongStream.range(300, 500).toArray(), BulkOptions.NONE);
      requireHolds(set, all);
      var device = TargetUnderTest.device();
      if (device != null) {
        set.runOn(device);
        requireHolds(set, all);
        assertThat(set.add(500)).isTrue();
        assertThat(set.size()).isEqualTo(501);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void useAfterCloseIsRefused(Kind kind) {
    SetSubject set = make(kind, 4, false);
    set.close();
    set.close();
    assertThatThrownBy(() -> set.add(1)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> set.contains(1)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(set::size).isInstanceOf(ClosedException.class);
    assertThatThrownBy(set::clear).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> set.addAll(new long[] {1}, BulkOptions.NONE))
        .isInstanceOf(ClosedException.class);
  }

  /** Against a set of the Java library, with operations that a seed says. */
  @ParameterizedTest
  @MethodSource("kinds")
  void randomOperations(Kind kind, @TempDir Path folder) {
    SplittableRandom random = new SplittableRandom(7);
    Set<Long> model = new HashSet<>();
    try (SetSubject set = make(kind, 1, false)) {
      for (int round = 0; round < 60; round++) {
        int range = 1 << random.nextInt(1, 14);
        long[] keys = random.longs(random.nextInt(range), -range, range).toArray();
        switch (random.nextInt(5)) {
          case 0, 1 -> {
            int before = model.size();
            Arrays.stream(keys).forEach(model::add);
            InsertCounts counts = set.addAll(keys, BulkOptions.NONE);
            assertThat(counts.inserted()).isEqualTo(model.size() - before);
            assertThat(counts.inserted() + counts.present()).isEqualTo(keys.length);
          }
          case 2 -> {
            long[] few = Arrays.copyOf(keys, Math.min(4, keys.length));
            for (long key : few) {
              assertThat(set.add(key)).isEqualTo(model.add(key));
            }
          }
          case 3 -> {
            long found = Arrays.stream(keys).filter(model::contains).count();
            assertThat(set.containsAll(keys, BulkOptions.NONE))
                .isEqualTo(new FindCounts(found, keys.length - found));
          }
          default -> {
            if (random.nextInt(4) == 0) {
              set.clear();
              model.clear();
            } else {
              set.rehash(Math.max(model.size(), random.nextInt(1, 20_000)));
            }
          }
        }
        assertThat(set.size()).isEqualTo(model.size());
      }
      requireHolds(set, model);
      set.save(folder.resolve("set"));
    }
    try (SetSubject set = kind.load(TargetUnderTest.device(), 1, folder.resolve("set"))) {
      requireHolds(set, model);
    }
  }
}
