package dev.gyre.structures.map.sharded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherGroup;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.kernels.map.RowParts;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.MapBuilder;
import dev.gyre.structures.map.Outcome;
import dev.gyre.structures.map.RecordMap;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.TextSet;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys are removed from sharded maps and sets, each from its shard. */
@Timeout(120)
class ShardedRemovalTest {

  private static final int KEYS = 3_000;

  private static final Launcher GROUP =
      LauncherGroup.of(List.of(JvmLauncher.ofWorkers(1), JvmLauncher.ofWorkers(1)));

  @AfterAll
  static void close() {
    GROUP.close();
  }

  record Id(long number, int same) {}

  record Twice(long value) {}

  record OddNumber() implements EntryPredicate {
    @Override
    public boolean test(long key, long value) {
      return (key & 1) != 0;
    }
  }

  record OddId() implements RecordPredicate {
    @Override
    public boolean test(KeyParts key, RowParts value) {
      return (key.first() & 1) != 0;
    }
  }

  /** Texts of odd numbers end in an odd digit. */
  record OddText() implements TextPredicate {
    @Override
    public boolean test(Text key, long value) {
      return (key.byteAt(key.length() - 1) & 1) != 0;
    }
  }

  /**
   * A structure whose keys are made of numbers, each with twice its number as the value.
   *
   * @param add inserts a key; returns whether it was absent
   * @param removeValue removes a key if it has a value; sets have none
   */
  record Subject(
      ShardedTable<?, ?, ?, ?> table,
      LongPredicate add,
      LongPredicate contains,
      LongPredicate remove,
      BiPredicate<Long, Long> removeValue,
      BiFunction<long[], BulkOptions, FindCounts> removeAll,
      LongSupplier removeOdd) {

    @Override
    public String toString() {
      return table.getClass().getSimpleName();
    }
  }

  /** Text keys of which some are in the slots and others in the arena. */
  private static String text(long key) {
    return "k".repeat((int) (key % 30)) + key;
  }

  private static Id id(long key) {
    return new Id(key, 5);
  }

  private static Columns ids(long[] keys) {
    return Columns.longs(keys).and(Columns.ints(LongStream.of(keys).mapToInt(_ -> 5).toArray()));
  }

  private static FindCounts withTexts(
      long[] keys, BulkOptions options, BiFunction<TextKeys, BulkOptions, FindCounts> removal) {
    try (TextKeys all =
        TextKeys.of(LongStream.of(keys).mapToObj(ShardedRemovalTest::text).toList())) {
      return removal.apply(all, options);
    }
  }

  private static Stream<Subject> subjects(UnaryOperator<MapBuilder<?>> settings) {
    var longs = ShardedLongMap.of(GROUP, on -> built(LongLongMap.builder(), on, settings));
    var texts = ShardedTextMap.of(GROUP, on -> built(TextLongMap.builder(), on, settings));
    var schema = RecordSchema.of(Id.class, Twice.class);
    var records = ShardedRecordMap.of(GROUP, on -> built(RecordMap.builder(schema), on, settings));
    var numbers = ShardedLongSet.of(GROUP, on -> built(LongSet.builder(), on, settings));
    var words = ShardedTextSet.of(GROUP, on -> built(TextSet.builder(), on, settings));
    return Stream.of(
        new Subject(
            longs,
            key -> longs.putIfAbsent(key, 2 * key).isEmpty(),
            key -> longs.get(key).isPresent(),
            key -> longs.remove(key).isPresent(),
            longs::remove,
            (keys, options) -> longs.removeAll(Longs.of(keys), options),
            () -> longs.removeIf(new OddNumber())),
        new Subject(
            texts,
            key -> texts.putIfAbsent(text(key), 2 * key).isEmpty(),
            key -> texts.get(text(key)).isPresent(),
            key -> texts.remove(text(key)).isPresent(),
            (key, value) -> texts.remove(text(key), value),
            (keys, options) -> withTexts(keys, options, texts::removeAll),
            () -> texts.removeIf(new OddText())),
        new Subject(
            records,
            key -> records.putIfAbsent(id(key), new Twice(2 * key)).isEmpty(),
            key -> records.get(id(key)).isPresent(),
            key -> records.remove(id(key)).isPresent(),
            (key, value) -> records.remove(id(key), new Twice(value)),
            (keys, options) -> records.removeAll(ids(keys), options),
            () -> records.removeIf(new OddId())),
        new Subject(
            numbers,
            numbers::add,
            numbers::contains,
            numbers::remove,
            (key, value) -> value == 2 * key && numbers.remove(key),
            (keys, options) -> numbers.removeAll(Longs.of(keys), options),
            () -> numbers.removeIf(new OddNumber())),
        new Subject(
            words,
            key -> words.add(text(key)),
            key -> words.contains(text(key)),
            key -> words.remove(text(key)),
            (key, value) -> value == 2 * key && words.remove(text(key)),
            (keys, options) -> withTexts(keys, options, words::removeAll),
            () -> words.removeIf(new OddText())));
  }

  private static <M> M built(
      MapBuilder<M> builder, Launcher on, UnaryOperator<MapBuilder<?>> settings) {
    MapBuilder<?> _ = settings.apply(builder.launcher(on));
    return builder.build();
  }

  static Stream<Subject> removable() {
    return subjects(MapBuilder::removable);
  }

  static Stream<Subject> notRemovable() {
    return subjects(builder -> builder);
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("removable")
  void keysAreRemovedFromTheirShards(Subject subject) {
    try (var table = subject.table) {
      for (int round = 0; round < 3; round++) {
        for (long key = 0; key < KEYS; key++) {
          assertThat(subject.add.test(key)).isTrue();
        }
        assertThat(table.shards()).allMatch(shard -> shard.size() > KEYS / 3);
        assertThat(subject.remove.test(0)).isTrue();
        assertThat(subject.remove.test(0)).isFalse();
        assertThat(subject.contains.test(0)).isFalse();
        assertThat(subject.removeValue.test(2L, 5L)).isFalse();
        assertThat(subject.removeValue.test(2L, 4L)).isTrue();
        assertThat(subject.contains.test(2)).isFalse();
        byte[] outcomes = new byte[5];
        FindCounts counts =
            subject.removeAll.apply(
                new long[] {4, 6, 4, 0, 8}, BulkOptions.NONE.outcomes(outcomes));
        assertThat(counts.found()).isEqualTo(3);
        assertThat(outcomes[0] == outcomes[2]).isFalse();
        assertThat(outcomes[1]).isEqualTo(Outcome.REMOVED.code());
        assertThat(outcomes[3]).isEqualTo(Outcome.ABSENT.code());
        assertThat(subject.removeOdd.getAsLong()).isEqualTo(KEYS / 2);
        assertThat(table.size()).isEqualTo(KEYS / 2 - 5);
        for (long key = 0; key < KEYS; key++) {
          assertThat(subject.contains.test(key)).isEqualTo(key % 2 == 0 && key > 8);
        }
        long[] all = LongStream.range(0, KEYS).toArray();
        assertThat(subject.removeAll.apply(all, BulkOptions.NONE).found()).isEqualTo(KEYS / 2 - 5);
        assertThat(table.size()).isZero();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("notRemovable")
  void withoutTheOptionKeysStay(Subject subject) {
    try (var table = subject.table) {
      assertThat(subject.add.test(1)).isTrue();
      assertThatThrownBy(() -> subject.remove.test(1))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("removable()");
      assertThat(table.size()).isEqualTo(1);
    }
  }
}
