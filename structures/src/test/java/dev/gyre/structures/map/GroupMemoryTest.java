package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherGroup;
import dev.gyre.kernels.Stage;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.TargetUnderTest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Maps that are larger than the memory of one device, on two devices with as much each. */
@ConformanceSuite
@Timeout(120)
class GroupMemoryTest {

  private static final int KEYS = 7 << 18;

  /** Texts and records, which threads of the JVM that pass for a device are slow with. */
  private static final int FEW = 7 << 15;

  /** Calls that insert them: a map that grows has room for one, two, four and eight of them. */
  private static final int CALLS = 7;

  // Bytes of a device: less than a table of all keys takes, with what it grows from or scratch
  // memory, and enough for half of it with both.
  private static final long FOR_FIXED_LONGS = KEYS * 42L;
  private static final long FOR_LONGS = KEYS * 48L;
  private static final long FOR_TEXTS = FEW * 80L;
  private static final long FOR_RECORDS = FEW * 90L;

  @TempDir private Path folder;
  private final List<Launcher> opened = new ArrayList<>();
  private final long[] keys = LongStream.range(0, KEYS).map(i -> 3 * i).toArray();
  private final long[] values = LongStream.range(0, KEYS).toArray();

  record Key(long first, long second) {}

  record Value(long first, long second) {}

  @AfterEach
  void close() {
    opened.forEach(Launcher::close);
  }

  private Launcher device(long bytes) {
    return opened(TargetUnderTest.openLimited(0, bytes));
  }

  /** Two devices with as much each. */
  private Launcher group(long bytes) {
    return opened(
        LauncherGroup.of(
            List.of(TargetUnderTest.openLimited(0, bytes), TargetUnderTest.openLimited(1, bytes))));
  }

  private Launcher opened(Launcher launcher) {
    opened.add(launcher);
    return launcher;
  }

  /** Makes a map and does something with it, for which there is no memory. */
  private static <M extends HashTable<?, ?, ?>> void requireNoRoom(
      Supplier<M> make, Filling<M> work) {
    assertThatThrownBy(
            () -> {
              try (M map = make.get()) {
                work.fill(map);
              }
            })
        .isInstanceOf(LaunchException.class)
        .hasCauseInstanceOf(MemoryExhaustedException.class);
  }

  @FunctionalInterface
  private interface Filling<M> {
    void fill(M map);
  }

  private static MapBuilder<LongLongMap> longs(Launcher launcher) {
    return LongLongMap.builder().launcher(launcher).seed(7);
  }

  private void insert(LongLongMap map) {
    for (int call = 0; call < CALLS; call++) {
      int from = KEYS / CALLS * call;
      int to = from + KEYS / CALLS;
      var _ = map.insert(Arrays.copyOfRange(keys, from, to), Arrays.copyOfRange(values, from, to));
    }
  }

  private void requireAll(LongLongMap map) {
    assertThat(map.size()).isEqualTo(KEYS);
    for (int call = 0; call < CALLS; call++) {
      int from = KEYS / CALLS * call;
      int to = from + KEYS / CALLS;
      long[] found = new long[KEYS / CALLS];
      assertThat(map.find(Arrays.copyOfRange(keys, from, to), found).found())
          .isEqualTo(found.length);
      assertThat(found).isEqualTo(Arrays.copyOfRange(values, from, to));
    }
    assertThat(map.get(keys[KEYS - 1])).hasValue(KEYS - 1);
  }

  @Test
  void longsOfAFixedCapacity() {
    requireNoRoom(() -> longs(device(FOR_FIXED_LONGS)).fixedCapacity(KEYS).build(), this::insert);
    try (LongLongMap map = longs(group(FOR_FIXED_LONGS)).fixedCapacity(KEYS).build()) {
      insert(map);
      requireAll(map);
    }
  }

  @Test
  void longsThatGrowAndAreSaved() {
    Path file = folder.resolve("longs");
    requireNoRoom(() -> longs(device(FOR_LONGS)).build(), this::insert);
    try (LongLongMap map = longs(group(FOR_LONGS)).build()) {
      insert(map);
      requireAll(map);
      map.save(file);
    }
    requireNoRoom(() -> longs(device(FOR_LONGS / 2)).load(file), this::requireAll);
    try (LongLongMap map = longs(group(FOR_LONGS)).load(file)) {
      requireAll(map);
    }
  }

  /** In pieces, of which the first has room. */
  @Test
  void aStageThatFailedSaysHowManyKeysAreDone() {
    try (LongLongMap map = longs(device(FOR_LONGS)).capacity(KEYS / CALLS).build()) {
      Stage<InsertCounts> stage = map.async(m -> m.insert(keys, values));
      LaunchException failure = catchThrowableOfType(LaunchException.class, stage::join);
      long there = map.size();
      assertThat(there).isPositive().isLessThan(KEYS);
      assertThat(failure).hasCauseInstanceOf(MemoryExhaustedException.class);
      assertThat(failure.soFar(InsertCounts.class)).contains(new InsertCounts(there, 0, 0));
      assertThat(failure).hasMessageContaining("%d of %d keys are known to be done", there, KEYS);
    }
  }

  /** What a device has no memory for goes on with a group. */
  @Test
  void longsThatMoveToAGroup() {
    try (LongLongMap map = longs(device(FOR_LONGS)).build()) {
      assertThatThrownBy(() -> insert(map)).hasCauseInstanceOf(MemoryExhaustedException.class);
      assertThat(map.size()).isPositive().isLessThan(KEYS);
      map.runOn(group(FOR_LONGS));
      insert(map);
      requireAll(map);
    }
  }

  @Test
  void textsThatGrowAndAreSaved() {
    Path file = folder.resolve("texts");
    List<String> texts = LongStream.of(keys).limit(FEW).mapToObj(key -> "key " + key).toList();
    Filling<TextLongMap> insert =
        map -> {
          for (int call = 0; call < CALLS; call++) {
            int from = FEW / CALLS * call;
            int to = from + FEW / CALLS;
            var _ = map.insert(texts.subList(from, to), Arrays.copyOfRange(values, from, to));
          }
        };
    Filling<TextLongMap> require =
        map -> {
          long[] found = new long[FEW];
          assertThat(map.size()).isEqualTo(FEW);
          assertThat(map.find(texts, found).found()).isEqualTo(FEW);
          assertThat(found).isEqualTo(Arrays.copyOf(values, FEW));
        };
    requireNoRoom(() -> TextLongMap.builder().launcher(device(FOR_TEXTS)).build(), insert);
    try (TextLongMap map = TextLongMap.builder().launcher(group(FOR_TEXTS)).build()) {
      insert.fill(map);
      require.fill(map);
      map.save(file);
    }
    requireNoRoom(() -> TextLongMap.builder().launcher(device(FOR_TEXTS)).load(file), require);
    try (TextLongMap map = TextLongMap.builder().launcher(group(FOR_TEXTS)).load(file)) {
      require.fill(map);
    }
  }

  @Test
  void recordsThatGrowAndAreSaved() {
    Path file = folder.resolve("records");
    RecordSchema<Key, Value> schema = RecordSchema.of(Key.class, Value.class);
    Columns all = Columns.longs(Arrays.copyOf(keys, FEW), Arrays.copyOf(values, FEW));
    Filling<RecordMap<Key, Value>> insert =
        map -> {
          for (int call = 0; call < CALLS; call++) {
            int from = FEW / CALLS * call;
            long[] firsts = Arrays.copyOfRange(keys, from, from + FEW / CALLS);
            long[] numbers = Arrays.copyOfRange(values, from, from + FEW / CALLS);
            var _ = map.insert(Columns.longs(firsts, numbers), Columns.longs(numbers, firsts));
          }
        };
    Filling<RecordMap<Key, Value>> require =
        map -> {
          long[] found = new long[FEW];
          Columns rows = Columns.longs(found, new long[FEW]);
          assertThat(map.size()).isEqualTo(FEW);
          assertThat(map.find(all, rows).found()).isEqualTo(FEW);
          assertThat(found).isEqualTo(Arrays.copyOf(values, FEW));
        };
    requireNoRoom(() -> RecordMap.builder(schema).launcher(device(FOR_RECORDS)).build(), insert);
    try (var map = RecordMap.builder(schema).launcher(group(FOR_RECORDS)).build()) {
      insert.fill(map);
      require.fill(map);
      map.save(file);
    }
    requireNoRoom(
        () -> RecordMap.builder(schema).launcher(device(FOR_RECORDS)).load(file), require);
    try (var map = RecordMap.builder(schema).launcher(group(FOR_RECORDS)).load(file)) {
      require.fill(map);
    }
  }
}
