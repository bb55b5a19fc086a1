package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.map.SetAdapter.Kind;
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

  private static SetAdapter make(Kind kind, long capacity, boolean fixed) {
    return kind.make(TargetUnderTest.device(), 2, capacity, fixed);
  }

  private static Set<Long> walked(SetAdapter set) {
    Set<Long> all = new HashSet<>();
    set.forEach(key -> assertThat(all.add(key)).isTrue());
    return all;
  }

  private static void requireHolds(SetAdapter set, Set<Long> expected) {
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
    try (SetAdapter set = make(kind, 2, false)) {
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

  /** Alone and among others, in bulk and by itself, and all that may happen to a table. */
  @ParameterizedTest
  @MethodSource("kinds")
  void theLeastNumberIsAKeyLikeOthers(Kind kind, @TempDir Path folder) {
    long least = kind.least();
    byte[] outcomes = new byte[4];
    boolean[] mask = {false, true, true, true};
    BulkOptions options = BulkOptions.NONE.where(mask).outcomes(outcomes);
    long[] keys = {least, least + 1, least, least};
    try (SetAdapter set = make(kind, 1, false)) {
      assertThat(set.contains(least)).isFalse();
      assertThat(set.containsAll(keys, BulkOptions.NONE)).isEqualTo(new FindCounts(0, 4));
      assertThat(set.addAll(keys, options)).isEqualTo(new InsertCounts(2, 1, 0));
      assertThat(outcomes[0]).isEqualTo(Outcome.SKIPPED.code());
      assertThat(outcomes[1]).isEqualTo(Outcome.INSERTED.code());
      assertThat(outcomes[2] + outcomes[3])
          .isEqualTo(Outcome.INSERTED.code() + Outcome.PRESENT.code());
      requireHolds(set, Set.of(least, least + 1));
      assertThat(set.containsAll(keys, options)).isEqualTo(new FindCounts(3, 0));
      assertThat(set.add(least)).isFalse();
      set.clear();
      requireHolds(set, Set.of());
      assertThat(set.contains(least)).isFalse();
      assertThat(set.addAll(new long[] {1, 1, 0}, BulkOptions.NONE).inserted()).isEqualTo(2);
      assertThat(set.contains(least)).isFalse();
      assertThat(set.add(least)).isTrue();
      assertThat(set.add(least)).isFalse();
      assertThat(set.contains(least)).isTrue();
      assertThat(set.addAll(keys, BulkOptions.NONE)).isEqualTo(new InsertCounts(1, 3, 0));
      requireHolds(set, Set.of(0L, 1L, least, least + 1));
      set.rehash(MANY);
      requireHolds(set, Set.of(0L, 1L, least, least + 1));
      set.rehash(4);
      requireHolds(set, Set.of(0L, 1L, least, least + 1));
      // Grows.
      long[] many = LongStream.range(least, least + MANY).toArray();
      assertThat(set.addAll(many, BulkOptions.NONE).inserted()).isEqualTo(MANY - 2);
      Set<Long> all = new HashSet<>(Arrays.stream(many).boxed().toList());
      all.addAll(Set.of(0L, 1L));
      requireHolds(set, all);
      set.save(folder.resolve("set"));
      try (SetAdapter saved = kind.load(TargetUnderTest.device(), 2, folder.resolve("set"))) {
        assertThat(saved.contains(least)).isTrue();
        requireHolds(saved, all);
      }
    }
  }

  /** The room of its own that it has in the table is not counted twice. */
  @ParameterizedTest
  @MethodSource("kinds")
  void theLeastNumberTakesRoom(Kind kind) {
    try (SetAdapter set = make(kind, 2, true)) {
      assertThat(set.addAll(new long[] {1, 2}, BulkOptions.NONE).inserted()).isEqualTo(2);
      long[] least = {kind.least(), kind.least()};
      assertThat(set.addAll(least, BulkOptions.NONE)).isEqualTo(new InsertCounts(0, 0, 2));
      assertThatThrownBy(() -> set.add(kind.least())).isInstanceOf(MapFullException.class);
      requireHolds(set, Set.of(1L, 2L));
      set.clear();
      assertThat(set.addAll(least, BulkOptions.NONE)).isEqualTo(new InsertCounts(1, 1, 0));
      assertThat(set.add(1)).isTrue();
      assertThatThrownBy(() -> set.add(2)).isInstanceOf(MapFullException.class);
      requireHolds(set, Set.of(kind.least(), 1L));
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void masksAndOutcomesAreThoseOfMaps(Kind kind) {
    byte[] outcomes = new byte[4];
    boolean[] mask = {true, false, true, true};
    BulkOptions options = BulkOptions.NONE.where(mask).outcomes(outcomes);
    try (SetAdapter set = make(kind, 10, false)) {
      assertThat(set.add(7)).isTrue();
      assertThat(set.addAll(new long[] {5, 6, 7, 8}, options).inserted()).isEqualTo(2);
      assertThat(outcomes)
          .containsExactly(
              Outcome.INSERTED.code(),
              Outcome.SKIPPED.code(),
              Outcome.PRESENT.code(),
              Outcome.INSERTED.code());
      requireHolds(set, Set.of(5L, 7L, 8L));
      Arrays.fill(outcomes, Outcome.FULL.code());
      assertThat(set.containsAll(new long[] {5, 6, 9, 8}, options)).isEqualTo(new FindCounts(2, 1));
      assertThat(outcomes)
          .containsExactly(
              Outcome.FOUND.code(),
              Outcome.SKIPPED.code(),
              Outcome.ABSENT.code(),
              Outcome.FOUND.code());
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aSetOfFixedCapacityIsFull(Kind kind) {
    try (SetAdapter set = make(kind, 100, true)) {
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
    keys[1] = kind.least();
    Set<Long> all = new HashSet<>(Arrays.stream(keys).boxed().toList());
    try (SetAdapter set = make(kind, 1, false)) {
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
    try (SetAdapter set = make(kind, 4, false)) {
      var _ = set.addAll(all.stream().mapToLong(key -> key).toArray(), BulkOptions.NONE);
      set.save(file);
    }
    try (SetAdapter set = kind.load(TargetUnderTest.device(), 2, file)) {
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
  void isCopiedToAnotherLauncherAndBack(Kind kind) {
    Set<Long> all = new HashSet<>(LongStream.range(0, 500).boxed().toList());
    try (JvmLauncher other = JvmLauncher.ofWorkers(1);
        SetAdapter set = make(kind, 4, false)) {
      var _ = set.addAll(LongStream.range(0, 400).toArray(), BulkOptions.NONE);
      try (SetAdapter copy = kind.type().copy(set, other)) {
        var _ = copy.addAll(LongStream.range(300, 500).toArray(), BulkOptions.NONE);
        requireHolds(copy, all);
        var device = TargetUnderTest.device();
        if (device != null) {
          try (SetAdapter there = kind.type().copy(copy, device)) {
            requireHolds(there, all);
            assertThat(there.add(500)).isTrue();
            assertThat(there.size()).isEqualTo(501);
          }
        }
        requireHolds(copy, all);
      }
      assertThat(set.size()).isEqualTo(400);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void useAfterCloseIsRefused(Kind kind) {
    SetAdapter set = make(kind, 4, false);
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
    try (SetAdapter set = make(kind, 1, false)) {
      for (int round = 0; round < 60; round++) {
        int range = 1 << random.nextInt(1, 14);
        long[] keys = random.longs(random.nextInt(range), -range, range).toArray();
        if (keys.length > 0 && random.nextBoolean()) {
          keys[random.nextInt(keys.length)] = kind.least();
        }
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
    try (SetAdapter set = kind.load(TargetUnderTest.device(), 1, folder.resolve("set"))) {
      requireHolds(set, model);
    }
  }
}
