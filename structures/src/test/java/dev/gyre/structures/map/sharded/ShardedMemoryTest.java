package dev.gyre.structures.map.sharded;

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
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.HashTable;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.MapBuilder;
import dev.gyre.structures.map.RecordMap;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.TextLongMap;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Maps that are larger than the memory of one device, on two devices with as much each. */
@ConformanceSuite
@Timeout(120)
@Tag("slow")
class ShardedMemoryTest {

  private static final int KEYS = 7 << 18;

  /** Texts and records, which threads of the JVM that pass for a device are slow with. */
  private static final int FEW = 7 << 15;

  /** Calls that insert them: a map that grows has capacity for one, two, four and eight of them. */
  private static final int CALLS = 7;

  // Bytes of a device: less than a table of all keys takes, with what it grows from or scratch
  // memory, and enough for half of it with both.
  private static final long FOR_LONGS = KEYS * 48L;
  private static final long FOR_TEXTS = FEW * 90L;
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

  /** Inserts keys with their values, or looks them up. */
  @FunctionalInterface
  private interface Bulk {
    Object run(long[] keys, long[] values);
  }

  private void insert(Bulk map) {
    for (int call = 0; call < CALLS; call++) {
      int from = KEYS / CALLS * call;
      int to = from + KEYS / CALLS;
      Object _ = map.run(Arrays.copyOfRange(keys, from, to), Arrays.copyOfRange(values, from, to));
    }
  }

  private void requireAll(Bulk find) {
    for (int call = 0; call < CALLS; call++) {
      int from = KEYS / CALLS * call;
      int to = from + KEYS / CALLS;
      long[] found = new long[KEYS / CALLS];
      assertThat(find.run(Arrays.copyOfRange(keys, from, to), found))
          .isEqualTo(new FindCounts(found.length, 0));
      assertThat(found).isEqualTo(Arrays.copyOfRange(values, from, to));
    }
  }

  private ShardedLongMap shardedLongs() {
    return ShardedLongMap.of(
        group(FOR_LONGS), on -> longs(on).capacity(KEYS / CALLS / 2 + (1 << 12)).build());
  }

  @Test
  void longsThatGrowAndAreSaved() {
    Path file = folder.resolve("longs");
    requireNoRoom(() -> longs(device(FOR_LONGS)).build(), map -> insert(map::insert));
    try (ShardedLongMap map = shardedLongs();
        LongLongMap here = LongLongMap.create()) {
      insert(map::insert);
      assertThat(map.size()).isEqualTo(KEYS);
      requireAll(map::find);
      map.copyTo(here);
      here.save(file);
    }
    requireNoRoom(() -> longs(device(FOR_LONGS / 2)).load(file), map -> requireAll(map::find));
    try (LongLongMap saved = LongLongMap.load(file);
        ShardedLongMap map = shardedLongs()) {
      assertThat(map.copyFrom(saved)).isEqualTo(new InsertCounts(KEYS, 0, 0));
      requireAll(map::find);
      assertThat(map.get(keys[KEYS - 1])).hasValue(KEYS - 1);
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

  @Test
  void textsThatGrowAndAreSaved() {
    Path file = folder.resolve("texts");
    List<String> texts = LongStream.of(keys).limit(FEW).mapToObj(key -> "key " + key).toList();
    long[] found = new long[FEW];
    requireNoRoom(
        () -> TextLongMap.builder().launcher(device(FOR_TEXTS)).build(),
        map -> insertTexts(texts, map::insert));
    try (var map = shardedTexts();
        TextLongMap here = TextLongMap.create()) {
      insertTexts(texts, map::insert);
      assertThat(map.find(texts, found).found()).isEqualTo(FEW);
      assertThat(found).isEqualTo(Arrays.copyOf(values, FEW));
      map.copyTo(here);
      here.save(file);
    }
    requireNoRoom(
        () -> TextLongMap.builder().launcher(device(FOR_TEXTS)).load(file),
        map -> {
          var _ = map.find(texts, found);
        });
    try (TextLongMap saved = TextLongMap.load(file);
        var map = shardedTexts()) {
      assertThat(map.copyFrom(saved).inserted()).isEqualTo(FEW);
      assertThat(map.find(texts, found).found()).isEqualTo(FEW);
      assertThat(found).isEqualTo(Arrays.copyOf(values, FEW));
    }
  }

  private ShardedTextMap shardedTexts() {
    return ShardedTextMap.of(
        group(FOR_TEXTS),
        on -> TextLongMap.builder().launcher(on).capacity(FEW / CALLS / 2 + (1 << 11)).build());
  }

  private void insertTexts(List<String> texts, BiFunction<List<String>, long[], ?> insert) {
    for (int call = 0; call < CALLS; call++) {
      int from = FEW / CALLS * call;
      int to = from + FEW / CALLS;
      Object _ = insert.apply(texts.subList(from, to), Arrays.copyOfRange(values, from, to));
    }
  }

  @Test
  void recordsThatGrowAndAreSaved() {
    Path file = folder.resolve("records");
    RecordSchema<Key, Value> schema = RecordSchema.of(Key.class, Value.class);
    Columns all = Columns.longs(Arrays.copyOf(keys, FEW), Arrays.copyOf(values, FEW));
    long[] found = new long[FEW];
    Columns rows = Columns.longs(found, new long[FEW]);
    requireNoRoom(
        () -> RecordMap.builder(schema).launcher(device(FOR_RECORDS)).build(),
        map -> insertRecords(map::insert));
    try (var map = shardedRecords(schema);
        var here = RecordMap.builder(schema).build()) {
      insertRecords((keyColumns, given) -> map.insert(keyColumns, given, BulkOptions.NONE));
      assertThat(map.find(all, rows, BulkOptions.NONE).found()).isEqualTo(FEW);
      assertThat(found).isEqualTo(Arrays.copyOf(values, FEW));
      map.copyTo(here);
      here.save(file);
    }
    requireNoRoom(
        () -> RecordMap.builder(schema).launcher(device(FOR_RECORDS)).load(file),
        map -> {
          var _ = map.find(all, rows);
        });
    try (var saved = RecordMap.builder(schema).load(file);
        var map = shardedRecords(schema)) {
      assertThat(map.copyFrom(saved).inserted()).isEqualTo(FEW);
      assertThat(map.find(all, rows, BulkOptions.NONE).found()).isEqualTo(FEW);
      assertThat(found).isEqualTo(Arrays.copyOf(values, FEW));
    }
  }

  private ShardedRecordMap<Key, Value> shardedRecords(RecordSchema<Key, Value> schema) {
    return ShardedRecordMap.of(
        group(FOR_RECORDS),
        on -> RecordMap.builder(schema).launcher(on).capacity(FEW / CALLS / 2 + (1 << 11)).build());
  }

  private void insertRecords(BiFunction<Columns, Columns, ?> insert) {
    for (int call = 0; call < CALLS; call++) {
      int from = FEW / CALLS * call;
      long[] firsts = Arrays.copyOfRange(keys, from, from + FEW / CALLS);
      long[] numbers = Arrays.copyOfRange(values, from, from + FEW / CALLS);
      Object _ = insert.apply(Columns.longs(firsts, numbers), Columns.longs(numbers, firsts));
    }
  }
}
