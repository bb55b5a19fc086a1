package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.ForwardingLauncher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The kernels of maps that devices run, where threads of the JVM have others: full tables of a few
 * slots, in which searches go around the end.
 */
class DeviceKernelsTest {

  private static final int ROUNDS = 200;

  /** A device of three threads, which run one after the other. */
  private static final class ThreeThreads extends ForwardingLauncher {
    ThreeThreads(Launcher launcher) {
      super(launcher, deviceOnJvm(1));
    }

    @Override
    public LaunchShape shapeFor(long items) {
      return LaunchShape.ofThreads(3);
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      for (int thread = 0; thread < shape.threads(); thread++) {
        kernel.run(thread, shape);
      }
      return launcher.start((_, _) -> {}, LaunchShape.ofThreads(1), mode);
    }
  }

  private static <M> MapBuilder<M> full(
      MapBuilder<M> builder, Launcher launcher, int capacity, long seed) {
    return builder
        .launcher(launcher)
        .fixedCapacity(capacity)
        .textBytes(64L * capacity)
        .loadFactor(1.0)
        .tableSeed(seed);
  }

  /** Different numbers, twice as many as there is room for, some of them special. */
  private static long[] numbers(SplittableRandom random, int capacity) {
    return random
        .longs()
        .map(n -> n % 4 == 0 ? Integer.MIN_VALUE + n % 3 : n % 5 == 0 ? n % 3 : (int) n)
        .distinct()
        .limit(2L * capacity)
        .toArray();
  }

  private static long[] values(int count) {
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = 100L + i;
    }
    return values;
  }

  private static void requireFirstHalf(long[] found, int capacity) {
    for (int i = 0; i < found.length; i++) {
      assertThat(found[i]).as("key %d", i).isEqualTo(i < capacity ? 100 + i : 0);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "LINE", mode = EnumSource.Mode.EXCLUDE)
  void ints(Layout layout) {
    try (Launcher device = new ThreeThreads(JvmLauncher.ofWorkers(1))) {
      for (int round = 0; round < ROUNDS; round++) {
        SplittableRandom random = new SplittableRandom(round);
        int capacity = random.nextInt(1, 7);
        int[] keys = new int[2 * capacity];
        long[] numbers = numbers(random, capacity);
        for (int i = 0; i < keys.length; i++) {
          keys[i] = (int) numbers[i];
        }
        int[] first = Arrays.copyOf(keys, capacity);
        int[] values = new int[keys.length];
        for (int i = 0; i < values.length; i++) {
          values[i] = 100 + i;
        }
        try (IntIntMap map =
            full(IntIntMap.builder().layout(layout), device, capacity, round).build()) {
          assertThat(map.insert(first, Arrays.copyOf(values, capacity)).inserted())
              .as("round %d", round)
              .isEqualTo(capacity);
          int[] found = new int[keys.length];
          assertThat(map.find(keys, found).found()).as("round %d", round).isEqualTo(capacity);
          for (int i = 0; i < found.length; i++) {
            assertThat(found[i]).as("round %d", round).isEqualTo(i < capacity ? 100 + i : 0);
          }
          assertThat(map.insert(keys, values))
              .as("round %d", round)
              .isEqualTo(new InsertCounts(0, capacity, capacity));
        }
      }
    }
  }

  @Test
  void aFindThatGivesUpIsCounted() {
    try (Launcher device = new ThreeThreads(JvmLauncher.ofWorkers(1));
        LongLongMap map =
            full(LongLongMap.builder().layout(Layout.REFERENCE), device, 1, 1)
                .pollLimit(20)
                .build()) {
      DeviceInts states = DeviceInts.of(map.store.table().memories().getFirst());
      for (int slot = 0; slot < map.store.slots(); slot++) {
        states.set(slot, MapCodes.RESERVED);
      }
      assertThatThrownBy(() -> map.contains(new long[] {7, 8}))
          .isInstanceOfSatisfying(StuckException.class, e -> assertThat(e.keys()).isEqualTo(2));
    }
  }

  /** Whoever claimed it has failed: a map that is moved is used by nobody. */
  @Test
  void aSlotThatNobodyWillPublishIsNotMoved() {
    long[] keys = {1, 2, 3};
    List<String> texts = List.of("1", "two", "a key that is longer");
    try (Launcher device = new ThreeThreads(JvmLauncher.ofWorkers(1));
        LongLongMap map =
            LongLongMap.builder().layout(Layout.REFERENCE).launcher(device).capacity(10).build();
        TextLongMap ofTexts = TextLongMap.builder().launcher(device).capacity(10).build()) {
      map.insert(keys, keys);
      reserveOne(
          DeviceInts.of(map.store.table().memories().getFirst()), 1, (int) map.store.table().slots);
      map.rehash(30);
      assertThat(map.find(keys, new long[3]).found()).isEqualTo(3);
      assertThat(map.size()).isEqualTo(3);
      ofTexts.insert(texts, keys);
      reserveOne(
          DeviceInts.of(ofTexts.store.table().memories().getFirst()),
          8,
          (int) ofTexts.store.table().slots);
      ofTexts.rehash(30);
      assertThat(ofTexts.find(texts, new long[3]).found()).isEqualTo(3);
      assertThat(ofTexts.size()).isEqualTo(3);
    }
  }

  /** Leaves an EMPTY slot as a thread that ends does not. */
  private static void reserveOne(DeviceInts states, int stride, int slots) {
    int slot = 0;
    while (slot < slots && states.get((long) slot * stride) != MapCodes.EMPTY) {
      slot++;
    }
    states.set((long) slot * stride, MapCodes.RESERVED);
  }

  @ParameterizedTest
  @EnumSource(names = "PACKED", mode = EnumSource.Mode.EXCLUDE)
  void longs(Layout layout) {
    try (Launcher device = new ThreeThreads(JvmLauncher.ofWorkers(1))) {
      for (int round = 0; round < ROUNDS; round++) {
        SplittableRandom random = new SplittableRandom(round);
        int capacity = random.nextInt(1, 7);
        long[] keys = numbers(random, capacity);
        long[] first = Arrays.copyOf(keys, capacity);
        try (LongLongMap map =
            full(LongLongMap.builder().layout(layout), device, capacity, round).build()) {
          assertThat(map.insert(first, values(capacity)).inserted()).isEqualTo(capacity);
          long[] found = new long[keys.length];
          assertThat(map.find(keys, found).found()).as("round %d", round).isEqualTo(capacity);
          requireFirstHalf(found, capacity);
          assertThat(map.insert(keys, values(keys.length)))
              .as("round %d", round)
              .isEqualTo(new InsertCounts(0, capacity, capacity));
        }
      }
    }
  }

  @Test
  void texts() {
    try (Launcher device = new ThreeThreads(JvmLauncher.ofWorkers(1))) {
      for (int round = 0; round < ROUNDS; round++) {
        SplittableRandom random = new SplittableRandom(round);
        int capacity = random.nextInt(1, 7);
        List<String> keys = new ArrayList<>();
        for (long number : numbers(random, capacity)) {
          keys.add((random.nextBoolean() ? "a key that is longer " : "") + number);
        }
        try (TextLongMap map = full(TextLongMap.builder(), device, capacity, round).build()) {
          assertThat(map.insert(keys.subList(0, capacity), values(capacity)).inserted())
              .isEqualTo(capacity);
          long[] found = new long[keys.size()];
          assertThat(map.find(keys, found).found()).as("round %d", round).isEqualTo(capacity);
          requireFirstHalf(found, capacity);
          assertThat(map.insert(keys, values(keys.size())))
              .as("round %d", round)
              .isEqualTo(new InsertCounts(0, capacity, capacity));
        }
      }
    }
  }
}
