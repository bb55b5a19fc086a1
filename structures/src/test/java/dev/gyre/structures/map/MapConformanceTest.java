package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.map.Hashing;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.map.MapAdapter.Change;
import dev.gyre.structures.map.MapAdapter.Kind;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Edge cases, for every map, layout, operation and number of threads. */
@ConformanceSuite
class MapConformanceTest {

  private static final long SEED = 42;

  record Case(Kind kind, Change change) {}

  static Stream<Kind> kinds() {
    return Kind.all().stream();
  }

  static Stream<Kind> layouts() {
    return Kind.layouts().stream();
  }

  static Stream<Case> cases() {
    return kinds().flatMap(kind -> changes().map(c -> new Case(kind, c)));
  }

  /** AND, OR and XOR are done as MIN and MAX are; random operations have them all. */
  private static Stream<Change> changes() {
    return Arrays.stream(Change.values())
        .filter(c -> c != Change.AND && c != Change.OR && c != Change.XOR);
  }

  private static long[] repeated(long number, int count) {
    long[] numbers = new long[count];
    Arrays.fill(numbers, number);
    return numbers;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void noKeysAndOneKey(Case c) {
    try (MapModel model = new MapModel(c.kind, 1, false, 0.5, SEED)) {
      model.insert(new long[0], new long[0], c.change, null);
      model.find(new long[0], null, true);
      model.insert(new long[] {5}, new long[] {6}, c.change, null);
      model.insert(new long[] {5}, new long[] {7}, c.change, null);
      model.find(new long[] {5, 6}, null, true);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void allTheSameKey(Case c) {
    try (MapModel model = new MapModel(c.kind, 10, false, 0.5, SEED)) {
      long[] values = LongStream.range(0, 20_000).toArray();
      model.insert(repeated(3, values.length), values, c.change, null);
      model.insert(repeated(c.kind.min(), values.length), values, c.change, null);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void extremes(Case c) {
    long[] numbers = {c.kind.min(), c.kind.max(), 0, -1, 1, c.kind.min() + 1, c.kind.max() - 1};
    try (MapModel model = new MapModel(c.kind, 4, false, 0.5, SEED)) {
      for (long value : numbers) {
        model.insert(numbers, repeated(c.kind.wrap(value), numbers.length), c.change, null);
        model.find(numbers, null, true);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void oneKeyMoreThanFits(Case c) {
    for (int capacity : new int[] {1, 2, 15, 16, 17, 1000}) {
      try (MapModel model = new MapModel(c.kind, capacity, true, 1.0, SEED)) {
        long[] keys =
            new SplittableRandom(capacity).ints(capacity + 1L).distinct().asLongStream().toArray();
        assertThat(keys).hasSize(capacity + 1);
        model.insert(keys, keys, c.change, null);
        assertThat(model.map.size()).isEqualTo(capacity);
        model.insert(keys, keys, c.change, null);
        model.find(keys, null, true);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void keysThatCollide(Case c) {
    try (MapModel model = new MapModel(c.kind, 600, true, 0.5, SEED)) {
      long slots = model.map.slots();
      long[] keys =
          new SplittableRandom(7)
              .ints()
              .asLongStream()
              .filter(key -> home(c.kind, key, slots) == slots - 1)
              .distinct()
              .limit(400)
              .toArray();
      model.insert(keys, keys, c.change, null);
      model.find(keys, null, true);
    }
  }

  private static long home(Kind kind, long key, long slots) {
    return kind.longs() ? Hashing.home(key, SEED, slots) : Hashing.home((int) key, SEED, slots);
  }

  static Stream<Case> parallelCases() {
    return cases().filter(c -> c.kind.threads() == 2);
  }

  @ParameterizedTest
  @MethodSource("parallelCases")
  void keysInTheOrderOfTheTable(Case c) {
    // Large enough for batches to be put in order.
    try (MapModel model = new MapModel(c.kind, 1 << 17, false, 0.5, SEED)) {
      SplittableRandom random = new SplittableRandom(9);
      long[] keys = random.ints(20_000).mapToLong(i -> i % 14_000).toArray();
      boolean[] mask = new boolean[keys.length];
      for (int i = 0; i < mask.length; i++) {
        mask[i] = random.nextInt(4) != 0;
      }
      model.insert(keys, keys, c.change, null);
      long[] others = random.ints(20_000).mapToLong(i -> i % 14_000).toArray();
      model.insert(others, keys, c.change, mask);
      model.find(keys, mask, true);
      model.find(others, null, false);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void growsFromOneToManyAndKeepsAll(Kind kind) {
    try (MapModel model = new MapModel(kind, 1, false, 0.75, SEED)) {
      long[] keys = new SplittableRandom(3).ints(20_000).asLongStream().toArray();
      model.insert(keys, keys, Change.ADD, null);
      model.insert(keys, keys, Change.ADD, null);
      model.rehash();
      model.find(keys, null, true);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aFullMapDoesNotGrowForKeysThatAreThere(Kind kind) {
    for (int capacity : new int[] {5, 20_000}) {
      try (MapModel model = new MapModel(kind, capacity, false, 1.0, SEED)) {
        long[] keys = LongStream.range(0, capacity).toArray();
        model.insert(keys, keys, Change.KEEP, null);
        long slots = model.map.slots();
        model.insert(keys, keys, Change.ADD, null);
        long[] others = LongStream.range(0, 2L * capacity).map(i -> i % (capacity + 1)).toArray();
        boolean[] mask = new boolean[others.length];
        for (int i = 0; i < mask.length; i++) {
          mask[i] = others[i] < capacity;
        }
        model.insert(others, others, Change.MAX, mask);
        assertThat(model.map.slots()).isEqualTo(slots);
        long[] tooMany = LongStream.rangeClosed(0, slots).toArray();
        model.insert(tooMany, tooMany, Change.ADD, null);
        assertThat(model.map.slots()).isGreaterThan(slots);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aMapThatIsNearlyFullIsFilledBeforeItGrows(Kind kind) {
    int capacity = 10_000;
    try (MapModel model = new MapModel(kind, capacity, false, 1.0, SEED)) {
      long[] keys = LongStream.range(0, capacity).toArray();
      long[] most = Arrays.copyOf(keys, capacity - 3);
      model.insert(most, most, Change.KEEP, null);
      long slots = model.map.slots();
      model.insert(keys, keys, Change.ADD, null);
      assertThat(model.map.slots()).isEqualTo(slots);
    }
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void takesTheBytesPerSlotThatItsLayoutSays(Kind kind) {
    try (MapAdapter map = kind.build(1_000, true, 0.5, SEED)) {
      long bytes =
          switch (kind.layout()) {
            case REFERENCE -> Integer.BYTES + bytes(kind.min()) + bytes(kind.minValue());
            case LINE -> 32;
            case PACKED -> 8;
          };
      long side = kind.layout() == Layout.PACKED ? 1 : 0;
      assertThat(map.slots()).isEqualTo(2_000);
      assertThat(map.byteSize()).isEqualTo((map.slots() + side) * bytes);
    }
  }

  private static long bytes(long min) {
    return min == Integer.MIN_VALUE ? Integer.BYTES : Long.BYTES;
  }
}
