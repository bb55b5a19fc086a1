package dev.gyre.structures.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.MemoryLeft;
import dev.gyre.structures.FailingAllocations;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.map.Columns;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups beside a model that keeps all values of each group. */
final class GroupByTest {

  /** A column: as a batch takes it, and as objects, of which null is null. */
  private record Input(String name, List<@Nullable Object> values) {

    /** Puts rows from one on into a batch. */
    @SuppressWarnings("NullAway") // It does not infer a stream of nullable texts.
    void into(Batch batch, int from, int rows) {
      List<@Nullable Object> part = values.subList(from, from + rows);
      Object any = part.stream().filter(v -> v != null).findFirst().orElse(null);
      Object kind = values.stream().filter(v -> v != null).findFirst().orElse(0L);
      switch (kind) {
        case String _ -> batch.texts(name, part.stream().map(v -> (String) v).toList());
        case Integer _ ->
            batch.numbers(
                name,
                Columns.ints(part.stream().mapToInt(v -> v == null ? 77 : (int) v).toArray()));
        case Long _ ->
            batch.numbers(
                name,
                Columns.longs(part.stream().mapToLong(v -> v == null ? 77 : (long) v).toArray()));
        case BigDecimal _ ->
            batch.decimals(
                name,
                part.stream()
                    .mapToLong(
                        v -> v == null ? 77 : ((BigDecimal) v).unscaledValue().longValueExact())
                    .toArray(),
                ((BigDecimal) kind).scale());
        case Double _ ->
            batch.numbers(
                name,
                Columns.doubles(
                    part.stream().mapToDouble(v -> v == null ? 77 : (double) v).toArray()));
        case Float _ -> {
          float[] floats = new float[rows];
          IntStream.range(0, rows)
              .forEach(i -> floats[i] = part.get(i) == null ? 77 : (float) part.get(i));
          batch.numbers(name, Columns.floats(floats));
        }
        default -> throw new AssertionError(any);
      }
      if (part.contains(null)) {
        long[] bits = new long[(rows + 63) / 64];
        for (int i = 0; i < rows; i++) {
          bits[i >> 6] |= (part.get(i) == null ? 0L : 1L) << i;
        }
        batch.valid(name, bits);
      }
    }
  }

  /** Returns a value as keys compare it. */
  private static @Nullable Object key(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Integer i -> (long) i;
      case Float f -> f + 0.0;
      case Double d -> d + 0.0;
      case BigDecimal d -> d.unscaledValue().longValueExact();
      default -> value;
    };
  }

  private static List<Object> keysOf(List<Input> keys, int row) {
    List<Object> all = new ArrayList<>();
    keys.forEach(key -> all.add(key(key.values.get(row))));
    return all;
  }

  private static @Nullable Object keyAt(GroupColumn column, long row) {
    if (column.isNull(row)) {
      return null;
    }
    return switch (column.type()) {
      case LONG, DECIMAL -> column.getLong(row);
      case DOUBLE, MEAN -> column.getDouble(row);
      case TEXT -> column.text(row);
    };
  }

  private static Input column(String name, String kind, int rows, int range, Random random) {
    boolean nulls = kind.endsWith("?");
    double[] reals = {Double.NaN, 0.0, -0.0, 1, -1, Double.POSITIVE_INFINITY, 1e300, 3.25};
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      int n = random.nextInt(range);
      Object value =
          switch (kind.replace("?", "")) {
            case "long" -> random.nextInt(50) == 0 ? Long.MIN_VALUE + n : (long) n * n - 5;
            case "int" -> n - range / 2;
            case "double" -> n < reals.length ? reals[n] : n / 8.0;
            case "float" -> n < 6 ? (float) reals[n] : n / 4f;
            case "decimal" -> BigDecimal.valueOf(n - 20, 2);
            case "text" ->
                switch (n % 7) {
                  case 0 -> n < 7 ? "" : "\0".repeat(n % 20);
                  case 1 -> "a".repeat(n % 40);
                  case 2 -> "väry lông täxt with number " + n;
                  default -> "t" + n;
                };
            default -> throw new AssertionError(kind);
          };
      values.add(nulls && random.nextInt(5) == 0 ? null : value);
    }
    return new Input(name, values);
  }

  /** Adds all rows in batches of random sizes, with several threads. */
  private static void addAll(GroupBy groups, List<Input> inputs, int threads, Random random) {
    int rows = inputs.getFirst().values.size();
    List<Batch> batches = new ArrayList<>();
    for (int from = 0; from < rows; ) {
      int count = Math.min(rows - from, random.nextInt(random.nextBoolean() ? 20 : 3000));
      Batch batch = new Batch(count);
      int first = from;
      inputs.forEach(input -> input.into(batch, first, count));
      batches.add(batch);
      from += count;
    }
    Thread[] all =
        IntStream.range(0, threads)
            .mapToObj(
                t ->
                    Thread.ofPlatform()
                        .start(
                            () -> {
                              for (int i = t; i < batches.size(); i += threads) {
                                groups.add(batches.get(i));
                              }
                            }))
            .toArray(Thread[]::new);
    for (Thread thread : all) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static GroupBy groupsOf(List<Input> keys, List<Input> values) {
    GroupBy groups = GroupBy.on(keys.stream().map(Input::name).toArray(String[]::new)).count();
    for (Input value : values) {
      groups.count(value.name);
      if (value.values.stream().noneMatch(v -> v instanceof String)) {
        groups.sum(value.name).min(value.name).max(value.name).mean(value.name);
      }
    }
    values.stream().limit(4).forEach(value -> groups.distinct(value.name));
    return groups;
  }

  private static void check(Groups result, List<Input> keys, List<Input> values) {
    Map<List<Object>, List<Integer>> model = new HashMap<>();
    for (int row = 0; row < keys.getFirst().values.size(); row++) {
      model.computeIfAbsent(keysOf(keys, row), _ -> new ArrayList<>()).add(row);
    }
    assertThat(result.rows()).isEqualTo(model.size());
    for (long row = 0; row < result.rows(); row++) {
      List<Object> key = new ArrayList<>();
      for (Input column : keys) {
        key.add(keyAt(result.column(column.name), row));
      }
      List<Integer> rows = model.remove(key);
      assertThat(rows).as("group %s", key).isNotNull();
      assertThat(result.column("count").getLong(row)).isEqualTo(rows.size());
      for (Input value : values) {
        checkValues(result, row, value, rows);
      }
    }
    assertThat(model).isEmpty();
  }

  private static void checkValues(Groups result, long row, Input value, List<Integer> rows) {
    List<Object> all = new ArrayList<>();
    rows.forEach(r -> all.add(value.values.get(r)));
    all.removeIf(v -> v == null);
    String name = "(" + value.name + ")";
    assertThat(result.column("count" + name).getLong(row)).isEqualTo(all.size());
    long distinct = all.stream().map(GroupByTest::key).distinct().count();
    assertThat(result.column("distinct" + name).getLong(row)).isEqualTo(distinct);
    if (value.values.stream().anyMatch(v -> v instanceof String)) {
      return;
    }
    GroupColumn sum = result.column("sum" + name);
    GroupColumn min = result.column("min" + name);
    GroupColumn max = result.column("max" + name);
    GroupColumn mean = result.column("mean" + name);
    for (GroupColumn column : List.of(sum, min, max, mean)) {
      assertThat(column.isNull(row)).isEqualTo(all.isEmpty());
    }
    if (all.isEmpty()) {
      return;
    }
    if (all.getFirst() instanceof Double || all.getFirst() instanceof Float) {
      double[] reals = all.stream().mapToDouble(v -> ((Number) v).doubleValue()).toArray();
      double[] sorted = reals.clone();
      Arrays.sort(sorted);
      assertThat(Double.doubleToLongBits(min.getDouble(row)))
          .isEqualTo(Double.doubleToLongBits(sorted[0]));
      assertThat(Double.doubleToLongBits(max.getDouble(row)))
          .isEqualTo(Double.doubleToLongBits(sorted[sorted.length - 1]));
      double naive = Arrays.stream(reals).sum();
      if (Double.isFinite(naive)) {
        BigDecimal exact =
            Arrays.stream(reals).mapToObj(BigDecimal::new).reduce(BigDecimal.ZERO, BigDecimal::add);
        BigDecimal abs =
            Arrays.stream(reals)
                .mapToObj(v -> new BigDecimal(v).abs())
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        assertThat(new BigDecimal(sum.getDouble(row)).subtract(exact).abs())
            .isLessThanOrEqualTo(abs.multiply(new BigDecimal(reals.length * 0x1p-53)));
        assertThat(mean.getDouble(row)).isEqualTo(sum.getDouble(row) / reals.length);
      } else {
        assertThat((Double) sum.getDouble(row)).isEqualTo((Double) naive);
      }
      return;
    }
    List<BigDecimal> numbers =
        all.stream()
            .map(v -> v instanceof BigDecimal d ? d : new BigDecimal(v.toString()))
            .toList();
    int scale = numbers.getFirst().scale();
    assertThat(sum.scale()).isEqualTo(scale);
    BigDecimal exact = numbers.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
    assertThat(BigDecimal.valueOf(sum.getLong(row), scale)).isEqualByComparingTo(exact);
    assertThat(BigDecimal.valueOf(min.getLong(row), scale)).isEqualTo(Collections.min(numbers));
    assertThat(BigDecimal.valueOf(max.getLong(row), scale)).isEqualTo(Collections.max(numbers));
    assertThat(max.getDouble(row)).isEqualTo(Collections.max(numbers).doubleValue());
    for (int digits = 0; digits < 3; digits++) {
      BigDecimal shifted = exact.scaleByPowerOfTen(digits);
      BigDecimal half = shifted.multiply(BigDecimal.TWO).add(BigDecimal.valueOf(numbers.size()));
      BigDecimal rounded =
          half.divide(BigDecimal.valueOf(2L * numbers.size()), 0, RoundingMode.FLOOR);
      assertThat(mean.decimal(row, digits))
          .isEqualTo(new BigDecimal(rounded.toBigIntegerExact(), digits));
    }
  }

  private static List<Input> keys(String kinds, int rows, int range, Random random) {
    List<String> all = List.of(kinds.split(",", -1));
    return IntStream.range(0, all.size())
        .mapToObj(i -> column("k" + i, all.get(i), rows, range, random))
        .toList();
  }

  private static List<Input> values(int rows, Random random) {
    return List.of(
        column("l", "int?", rows, 1000, random),
        column("d", "double?", rows, 40, random),
        column("t", "text?", rows, 30, random),
        column("m", "decimal", rows, 100, random),
        column("f", "float", rows, 50, random));
  }

  private static List<Input> together(List<Input> keys, List<Input> values) {
    List<Input> all = new ArrayList<>(keys);
    all.addAll(values);
    return all;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "long",
        "long?",
        "int",
        "double?",
        "float",
        "decimal",
        "text",
        "text?",
        "long,long",
        "long?,int?",
        "text,long",
        "text?,double?",
        "double,text?",
        "text?,text?",
        "text,int,text?"
      })
  void matchesTheModel(String kinds) {
    Random random = new Random(kinds.hashCode());
    for (int turn = 0; turn < 5; turn++) {
      int rows = turn == 0 ? 0 : random.nextInt(1, 3000);
      int range = random.nextBoolean() ? 12 : 150;
      List<Input> keys = keys(kinds, rows, range, random);
      List<Input> values = values(rows, random).subList(0, 4);
      try (GroupBy groups = groupsOf(keys, values)) {
        addAll(groups, together(keys, values), 1 + turn % 4, random);
        try (Groups result = groups.result()) {
          check(result, keys, values);
        }
        try (Groups again = groups.result()) {
          check(again, keys, values);
        }
      }
    }
  }

  /** Long texts, short ones and numbers, whose groups are merged several times in partitions. */
  @ParameterizedTest
  @ValueSource(strings = {"number", "text"})
  void keysThatHardlyRepeatAreNotSearchedFor(String key) {
    int rows = 1 << 17;
    int range = 100_000;
    long[][] model = new long[range][4];
    // Some batches may have nulls, and have none.
    long[] ones = new long[rows / 64];
    Arrays.fill(ones, -1);
    try (GroupBy groups = GroupBy.on(key).count().sum("x").min("x")) {
      for (int turn = 0; turn < 3; turn++) {
        long[] numbers = new Random(turn).longs(rows, 0, range).toArray();
        for (int i = 0; turn == 1 && i < rows; i += i % 3 + 1) {
          numbers[i] %= 64; // Often in the private table, which is full.
        }
        long[] values = new Random(turn + 9).longs(rows, 0, 1000).toArray();
        for (int i = 0; i < rows; i++) {
          long[] all = model[(int) numbers[i]];
          all[0]++;
          if (i / (rows / 4) != 2) {
            all[2] = all[3]++ == 0 ? values[i] : Math.min(all[2], values[i]);
            all[1] += values[i];
          }
        }
        IntStream.range(0, 4)
            .parallel()
            .forEach(
                part -> {
                  long[] some = Arrays.copyOfRange(numbers, part * rows / 4, (part + 1) * rows / 4);
                  long[] x = Arrays.copyOfRange(values, part * rows / 4, (part + 1) * rows / 4);
                  groups.add(
                      new Batch(some.length)
                          .numbers("number", Columns.longs(some))
                          .valid("number", part == 3 ? ones : null)
                          .texts(
                              "text",
                              LongStream.of(some)
                                  .<@Nullable String>mapToObj(GroupByTest::text)
                                  .toList())
                          .numbers("x", Columns.longs(x))
                          .valid("x", part == 2 ? new long[rows / 64] : null));
                });
        try (Groups result = groups.result()) {
          assertThat(result.rows())
              .isEqualTo(Arrays.stream(model).filter(all -> all[0] > 0).count());
          for (long row = 0; row < result.rows(); row++) {
            GroupColumn keys = result.column(key);
            long[] all =
                model[
                    key.equals("text")
                        ? Integer.parseInt(
                            keys.text(row).substring(keys.text(row).indexOf('#') + 1))
                        : (int) keys.getLong(row)];
            long[] actual = {
              result.column("count").getLong(row),
              result.column("sum(x)").getLong(row),
              result.column("min(x)").getLong(row)
            };
            assertThat(actual).isEqualTo(Arrays.copyOf(all, 3));
          }
        }
      }
    }
  }

  private static String text(long number) {
    return (number % 2 == 0 ? "#" : "a text of more than sixteen bytes #") + number;
  }

  @Test
  @SuppressWarnings("NullAway") // A batch takes a list whose texts may be null.
  void resultsBetweenBatchesKeepAllGroups() {
    for (String key : new String[] {"n", "t"}) {
      try (GroupBy groups = GroupBy.on(key).count()) {
        long[] expected = new long[20_000];
        for (int step : new int[] {5, 3, 2, 1}) {
          int rows = 20_000 / step;
          long[] numbers = IntStream.range(0, rows).mapToLong(i -> (long) i * step).toArray();
          groups.add(
              new Batch(rows)
                  .numbers("n", Columns.longs(numbers))
                  .texts("t", LongStream.of(numbers).mapToObj(Long::toString).toList()));
          LongStream.of(numbers).forEach(n -> expected[(int) n]++);
          long[] actual = new long[expected.length];
          try (Groups result = groups.result()) {
            for (long row = 0; row < result.rows(); row++) {
              GroupColumn column = result.column(key);
              long n = key.equals("n") ? column.getLong(row) : Long.parseLong(column.text(row));
              actual[(int) n] += result.column("count").getLong(row);
            }
          }
          assertThat(actual).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void mergesAndLoads() {
    Random random = new Random(9);
    for (String kinds : List.of("long?", "text?", "text,long?", "double")) {
      List<Input> keys = keys(kinds, 1500, 100, random);
      List<Input> values = values(1500, random).subList(0, 4);
      List<Input> all = together(keys, values);
      try (GroupBy groups = groupsOf(keys, values);
          GroupBy others = groupsOf(keys, values);
          GroupBy empty = groupsOf(keys, values)) {
        addAll(groups, part(all, 0, 600), 2, random);
        addAll(others, part(all, 600, 1500), 1, random);
        groups.merge(empty);
        ByteArrayOutputStream saved = new ByteArrayOutputStream();
        others.save(saved);
        try (GroupBy loaded = GroupBy.load(MemorySegment.ofArray(saved.toByteArray()))) {
          empty.merge(groups);
          empty.merge(loaded);
        }
        groups.merge(others);
        try (Groups result = groups.result();
            Groups second = empty.result()) {
          check(result, keys, values);
          check(second, keys, values);
        }
      }
    }
  }

  /** More groups than a private table takes. */
  @Test
  void mergesAndLoadsManyGroups() {
    long[] keys = LongStream.range(0, 50_000).toArray();
    try (GroupBy groups = GroupBy.on("k").count().sum("x")) {
      groups.add(longs(keys, keys));
      ByteArrayOutputStream saved = new ByteArrayOutputStream();
      groups.save(saved);
      try (GroupBy loaded = GroupBy.load(MemorySegment.ofArray(saved.toByteArray()))) {
        loaded.merge(groups);
        try (Groups result = loaded.result()) {
          assertThat(result.rows()).isEqualTo(keys.length);
          for (long row = 0; row < result.rows(); row++) {
            assertThat(result.column("count").getLong(row)).isEqualTo(2);
            assertThat(result.column("sum(x)").getLong(row))
                .isEqualTo(2 * result.column("k").getLong(row));
          }
        }
      }
    }
  }

  /** The name would be another one in the file. */
  @ParameterizedTest
  @ValueSource(strings = {"k\ud800", "\udc00?", "?\ud83d"})
  void refusesToSaveANameThatIsNoText(String name) {
    try (GroupBy groups = GroupBy.on(name).count()) {
      groups.add(new Batch(1).numbers(name, Columns.longs(new long[] {7})));
      ByteArrayOutputStream saved = new ByteArrayOutputStream();
      assertThatThrownBy(() -> groups.save(saved))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("half of a surrogate pair");
      assertThat(saved.size()).isZero();
    }
  }

  private static List<Input> part(List<Input> all, int from, int to) {
    return all.stream().map(c -> new Input(c.name, c.values.subList(from, to))).toList();
  }

  @Test
  void savesGroupsWithoutRows() {
    try (GroupBy groups = GroupBy.on("k").count().mean("x")) {
      ByteArrayOutputStream saved = new ByteArrayOutputStream();
      groups.save(saved);
      byte[] bytes = saved.toByteArray();
      try (GroupBy loaded = GroupBy.load(MemorySegment.ofArray(bytes));
          Groups result = loaded.result()) {
        assertThat(result.rows()).isZero();
        assertThat(result.columns())
            .extracting(GroupColumn::name)
            .containsExactly("k", "count", "mean(x)");
      }
      bytes[bytes.length - 70] ^= 1;
      assertThatThrownBy(() -> GroupBy.load(MemorySegment.ofArray(bytes)))
          .isInstanceOf(SavedFileException.class);
    }
  }

  private static Batch longs(long[] keys, long... values) {
    return new Batch(keys.length)
        .numbers("k", Columns.longs(keys))
        .numbers("x", Columns.longs(values));
  }

  @Test
  void sumsOverflowOnlyIfTheFinalSumDoesNotFit() {
    long max = Long.MAX_VALUE;
    long[] zeros = new long[6];
    try (GroupBy groups = GroupBy.on("k").sum("x").mean("x")) {
      groups.add(longs(zeros, max, max, max, -max, -max, 0));
      try (Groups result = groups.result()) {
        assertThat(result.column("sum(x)").getLong(0)).isEqualTo(max);
      }
      groups.add(longs(new long[1], 1));
      assertThatThrownBy(groups::result)
          .isInstanceOf(ArithmeticException.class)
          .hasMessageContaining("sum(x)");
      groups.add(longs(new long[2], -1, Long.MIN_VALUE));
      groups.add(longs(new long[1], -max));
      try (Groups result = groups.result()) {
        assertThat(result.column("sum(x)").getLong(0)).isEqualTo(Long.MIN_VALUE);
      }
      groups.add(longs(new long[1], -1));
      assertThatThrownBy(groups::result).isInstanceOf(ArithmeticException.class);
    }
    try (GroupBy groups = GroupBy.on("k").sum("x")) {
      // Partial sums of each thread overflow, in all partitions; the final sums are the keys.
      long[] keys = LongStream.range(0, 10_000).toArray();
      long[] most = LongStream.of(keys).map(key -> max).toArray();
      long[] least = LongStream.of(keys).map(key -> key - max).toArray();
      IntStream.range(0, 8)
          .parallel()
          .forEach(i -> groups.add(longs(keys, (i < 4 ? most : least).clone())));
      groups.add(longs(keys, LongStream.of(keys).map(key -> -3 * key).toArray()));
      try (Groups result = groups.result()) {
        for (long row = 0; row < result.rows(); row++) {
          assertThat(result.column("sum(x)").getLong(row))
              .isEqualTo(result.column("k").getLong(row));
        }
      }
    }
    try (GroupBy groups = GroupBy.on("k").mean("x")) {
      groups.add(longs(zeros, max, max, max, max, max, max - 6));
      try (Groups result = groups.result()) {
        assertThat(result.column("mean(x)").decimal(0, 0)).isEqualTo(BigDecimal.valueOf(max - 1));
        assertThat(result.column("mean(x)").getDouble(0)).isEqualTo((double) (max - 1));
      }
    }
  }

  @Test
  void meansAreRoundedHalfUpTowardsPositive() {
    Batch batch =
        new Batch(6)
            .numbers("k", Columns.longs(new long[] {0, 0, 1, 1, 2, 2}))
            .decimals("x", new long[] {-3, -2, 3, 2, -1, 0}, 1);
    try (GroupBy groups = GroupBy.on("k").mean("x")) {
      groups.add(batch);
      try (Groups result = groups.result();
          RowNumbers order = result.order(Groups.By.ascending("k"))) {
        GroupColumn mean = result.column("mean(x)");
        assertThat(mean.decimal(order.get(0), 1)).hasToString("-0.2");
        assertThat(mean.decimal(order.get(1), 1)).hasToString("0.3");
        assertThat(mean.decimal(order.get(2), 1)).hasToString("0.0");
        assertThat(mean.decimal(order.get(0), 2)).hasToString("-0.25");
        assertThat(mean.getDouble(order.get(0))).isEqualTo(-0.25);
      }
    }
  }

  @Test
  void doublesWithHugeErrorsAreSummedWithinTheBound() {
    double[] values = {1e16, 1, 1, 1, 1, -1e16};
    try (GroupBy groups = GroupBy.on("k").sum("x")) {
      groups.add(
          new Batch(6)
              .numbers("k", Columns.ints(new int[6]))
              .numbers("x", Columns.doubles(values)));
      try (Groups result = groups.result()) {
        assertThat(result.column("sum(x)").getDouble(0)).isCloseTo(4, within(6 * 0x1p-53 * 2e16));
      }
    }
  }

  @Test
  void ordersRowNumbers() {
    Random random = new Random(3);
    List<Input> keys = keys("text?,double", 3000, 200, random);
    try (GroupBy groups = GroupBy.on("k0", "k1").count()) {
      addAll(groups, keys, 1, random);
      try (Groups result = groups.result();
          RowNumbers order =
              result.order(
                  Groups.By.descending("count"),
                  Groups.By.ascending("k0"),
                  Groups.By.descending("k1"))) {
        assertThat(order.size()).isEqualTo(result.rows());
        assertThat(order.areInts()).isTrue();
        Set<Long> seen = new HashSet<>();
        for (long i = 0; i < order.size(); i++) {
          seen.add(order.get(i));
          if (i > 0) {
            assertThat(inOrder(result, order.get(i - 1), order.get(i))).isTrue();
          }
        }
        assertThat(seen).hasSize((int) result.rows());
      }
    }
  }

  private static boolean inOrder(Groups result, long a, long b) {
    int count = Long.compare(result.column("count").getLong(b), result.column("count").getLong(a));
    if (count != 0) {
      return count < 0;
    }
    GroupColumn text = result.column("k0");
    if (text.isNull(a) || text.isNull(b)) {
      return text.isNull(b);
    }
    byte[] left = text.text(a).getBytes(StandardCharsets.UTF_8);
    int byText = Arrays.compareUnsigned(left, text.text(b).getBytes(StandardCharsets.UTF_8));
    GroupColumn real = result.column("k1");
    return byText != 0 ? byText < 0 : Double.compare(real.getDouble(a), real.getDouble(b)) > 0;
  }

  @Test
  void batchesThatDoNotFitAreRefusedAndChangeNothing() {
    try (GroupBy groups = GroupBy.on("k").sum("x")) {
      groups.add(longs(new long[] {1, 2}, 3, 4));
      assertThatThrownBy(() -> groups.add(new Batch(1).numbers("k", Columns.longs(new long[1]))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no column x");
      assertThatThrownBy(() -> groups.add(longs(new long[] {1, 2}, 3)))
          .hasMessageContaining("1 elements");
      assertThatThrownBy(
              () ->
                  groups.add(
                      new Batch(1)
                          .texts("k", List.of("a"))
                          .numbers("x", Columns.longs(new long[1]))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the column k is TEXT in this batch, and LONG elsewhere");
      try (Groups result = groups.result()) {
        assertThat(result.rows()).isEqualTo(2);
      }
    }
    try (GroupBy groups = GroupBy.on("k").count()) {
      MemorySegment bytes = MemorySegment.ofArray(new byte[10]);
      long max = Long.MAX_VALUE;
      for (long[] place : new long[][] {{11, 0}, {-1, 1}, {9, 2}, {0, -1}, {max, 5}, {max, 20}}) {
        Batch bad =
            new Batch(2).texts("k", bytes, new long[] {0, place[0]}, new int[] {3, (int) place[1]});
        assertThatThrownBy(() -> groups.add(bad))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("row 1 of the column k");
      }
      try (Groups result = groups.result()) {
        assertThat(result.rows()).isZero();
      }
    }
  }

  /** A scanner sets the bits of each block of rows, and the last one may be the shortest. */
  @Test
  void aBatchThatIsReusedMayHaveMoreRowsAfterFewer() {
    try (GroupBy groups = GroupBy.on("k").count()) {
      Batch batch = new Batch(0).numbers("k", Columns.longs(new long[100]));
      groups.add(batch.rows(64).valid("k", new long[1]));
      groups.add(batch.rows(100).valid("k", new long[2]));
      assertThatThrownBy(() -> groups.add(batch.valid("k", new long[1])))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("64 elements, and the batch 100 rows");
      groups.add(batch.valid("k", null));
      try (Groups result = groups.result();
          RowNumbers order = result.order(Groups.By.ascending("k"))) {
        GroupColumn counts = result.column("count");
        assertThat(counts.getLong(order.get(0))).isEqualTo(100);
        assertThat(counts.getLong(order.get(1))).isEqualTo(164);
      }
    }
  }

  @Test
  void aFirstBatchThatIsRefusedSetsNoTypes() {
    try (GroupBy groups = GroupBy.on("k")) {
      Batch bad =
          new Batch(1).texts("k", MemorySegment.ofArray(new byte[1]), new long[1], new int[] {2});
      assertThatThrownBy(() -> groups.add(bad)).isInstanceOf(IllegalArgumentException.class);
      groups.count().sum("x").add(longs(new long[] {1}, 2));
      try (Groups result = groups.result()) {
        assertThat(result.column("sum(x)").getLong(0)).isEqualTo(2);
      }
    }
  }

  @Test
  void givesMemoryBackIfThereIsTooLittle() throws Exception {
    Batch batch =
        new Batch(3)
            .numbers("n", Columns.longs(new long[] {1, 2, 1}))
            .texts("t", Arrays.asList("a", null, "a text of more than sixteen bytes"))
            .numbers("x", Columns.doubles(new double[] {1, 2, 3}));
    for (String[] keys : new String[][] {{"n"}, {"t"}, {"t", "n"}}) {
      int failures =
          FailingAllocations.ofAll(
              () -> {
                ByteArrayOutputStream saved = new ByteArrayOutputStream();
                try (GroupBy groups = GroupBy.on(keys).count().mean("x").distinct("x")) {
                  groups.add(batch);
                  groups.save(saved);
                  try (Groups result = groups.result();
                      RowNumbers order = result.order(Groups.By.ascending("mean(x)"))) {
                    assertThat(order.size()).isEqualTo(result.rows());
                  }
                }
                GroupBy.load(MemorySegment.ofArray(saved.toByteArray())).close();
              });
      assertThat(failures).isGreaterThan(10);
    }
  }

  @Test
  void resultsThatDoNotFitLeaveTheGroupsAsTheyWere() throws Exception {
    try (GroupBy groups = GroupBy.on("k").sum("x")) {
      long[] keys = IntStream.range(0, 20_000).mapToLong(i -> i).toArray();
      groups.add(longs(keys, keys));
      groups.result().close();
      try (MemoryLeft _ = MemoryLeft.of(20_000 * 8)) {
        assertThatThrownBy(groups::result).isInstanceOf(MemoryExhaustedException.class);
      }
      try (Groups result = groups.result()) {
        assertThat(result.rows()).isEqualTo(20_000);
      }
    }
  }

  private static Map<Object, List<Object>> rows(Groups result) {
    Map<Object, List<Object>> rows = new HashMap<>();
    for (long row = 0; row < result.rows(); row++) {
      List<Object> all = new ArrayList<>();
      for (GroupColumn column : result.columns()) {
        all.add(String.valueOf(keyAt(column, row)));
      }
      rows.put(all.getFirst(), all);
    }
    return rows;
  }

  /** Has each allocation of a result fail in turn, also those that merge the rows of a thread. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aResultThatFailedCanBeMadeLater(boolean areTexts) throws Exception {
    int size = 14_000;
    Random random = new Random(1);
    try (GroupBy expected = GroupBy.on("k").count().sum("x").min("x").distinct("y");
        GroupBy groups = GroupBy.on("k").count().sum("x").min("x").distinct("y")) {
      int failures = 0;
      for (int stage = 0; stage < 3; stage++) {
        // More keys than a private table has, and fewer than go to the partitions at once.
        List<@Nullable Object> keys = new ArrayList<>();
        keys.add(null);
        for (long key = 10_000L * stage; keys.size() < size; key++) {
          keys.add(areTexts ? "a text that is long " + key : (Object) key);
        }
        Batch batch = new Batch(size);
        new Input("k", keys).into(batch, 0, size);
        column("x", "int", size, 50, random).into(batch, 0, size);
        column("y", "int", size, 3, random).into(batch, 0, size);
        groups.add(batch);
        expected.add(batch);
        failures += FailingAllocations.ofCallsUntilDone(() -> groups.result().close(), () -> {});
      }
      assertThat(failures).isGreaterThan(3);
      try (Groups result = groups.result();
          Groups right = expected.result()) {
        assertThat(rows(result)).isEqualTo(rows(right));
      }
    }
  }

  @Test
  void groupsThatAreIncompleteAreRefused() throws Exception {
    try (GroupBy groups = GroupBy.on("k").sum("x")) {
      groups.add(longs(new long[1], 1));
      long[] keys = IntStream.range(0, 200_000).mapToLong(i -> i).toArray();
      try (MemoryLeft _ = MemoryLeft.of(0)) {
        assertThatThrownBy(() -> groups.add(longs(keys, keys)))
            .isInstanceOf(MemoryExhaustedException.class);
      }
      assertThatThrownBy(groups::result)
          .isInstanceOf(StructureException.class)
          .hasMessageContaining("incomplete");
      // In a scan with several threads, this may be the first error that is seen.
      assertThatThrownBy(() -> groups.add(longs(keys, keys)))
          .isInstanceOf(StructureException.class)
          .hasMessageContaining("a call has failed: cannot allocate");
    }
  }

  /** Lengths that grow after they were checked must not lead to writes outside the memory. */
  @Test
  void textsThatChangeMeanwhileAreRefused() throws InterruptedException {
    int rows = 1 << 14;
    MemorySegment bytes = MemorySegment.ofArray(new byte[1 << 20]);
    long[] offsets = LongStream.range(0, rows).toArray();
    int[] lengths = new int[rows];
    AtomicBoolean done = new AtomicBoolean();
    for (int other : new int[] {100_000, -100_000}) {
      done.set(false);
      Arrays.fill(lengths, 20);
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; !done.get(); i = (i + 997) % rows) {
                      lengths[i] = other;
                      lengths[i] = 20;
                    }
                  });
      for (int turn = 0; turn < 100; turn++) {
        try (GroupBy groups = GroupBy.on("k").count()) {
          groups.add(new Batch(rows).texts("k", bytes, offsets, lengths));
        } catch (ConcurrentModificationException | IllegalArgumentException _) {
          // The batch was read while a length was wrong.
        }
      }
      done.set(true);
      writer.join();
    }
    try (KeyRows few = KeyRows.of(Blocks.SINGLE, true, Seed.next(), 0)) {
      KeyBlock keys = new KeyBlock();
      keys.beTexts(bytes);
      keys.count = 1;
      for (int length : new int[] {17, -1}) {
        few.grow(1, 0, 1);
        keys.lengths[0] = length;
        assertThatThrownBy(() -> few.add(keys)).isInstanceOf(ConcurrentModificationException.class);
      }
    }
  }

  @Test
  void longTextsFillWholeWords() {
    assertThat(KeyRows.textBytes(16)).isZero();
    assertThat(KeyRows.textBytes(17)).isEqualTo(24);
    assertThat(KeyRows.textBytes(24)).isEqualTo(24);
    assertThat(KeyRows.textBytes(Integer.MAX_VALUE)).isEqualTo(1L << 31);
  }

  @Test
  void declarationsAreChecked() {
    assertThatThrownBy(() -> GroupBy.on()).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> GroupBy.on("a", "a")).isInstanceOf(IllegalArgumentException.class);
    try (GroupBy groups = GroupBy.on("k").sum("x")) {
      assertThatThrownBy(() -> groups.sum("x")).hasMessageContaining("sum(x) is declared twice");
      groups.add(longs(new long[1], 1));
      assertThatThrownBy(groups::count).isInstanceOf(IllegalStateException.class);
      try (GroupBy other = GroupBy.on("k").min("x")) {
        assertThatThrownBy(() -> groups.merge(other)).isInstanceOf(IllegalArgumentException.class);
      }
    }
    try (GroupBy groups = GroupBy.on("count", "sum(x)").sum("count")) {
      assertThatThrownBy(groups::count).hasMessageContaining("a column of the result count");
      assertThatThrownBy(() -> groups.sum("x")).isInstanceOf(IllegalArgumentException.class);
    }
    GroupBy closed = GroupBy.on("k").count().mean("x");
    closed.add(
        new Batch(1).texts("k", List.of("a")).numbers("x", Columns.doubles(new double[] {1})));
    Groups result = closed.result();
    for (int i = 0; i < 2; i++) {
      closed.close();
      result.close();
    }
    assertThatThrownBy(closed::result).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> result.column("count").getLong(0)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> result.column("mean(x)").getDouble(0))
        .isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> result.column("k").text(0)).isInstanceOf(ClosedException.class);
  }

  /** Returns a batch of the texts "key 10000000" and so on. */
  private static Batch manyTexts(int from, int count, int more) {
    byte[] bytes = new byte[12 * count];
    long[] offsets = new long[count];
    int[] lengths = new int[count];
    long[] values = new long[count];
    byte[] text = ("key " + (10_000_000 + from)).getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < count; i++) {
      System.arraycopy(text, 0, bytes, 12 * i, 12);
      offsets[i] = 12L * i;
      lengths[i] = 12;
      values[i] = 10_000_000L + from + i + more;
      int digit = 11;
      for (; text[digit] == '9'; digit--) {
        text[digit] = '0';
      }
      text[digit]++;
    }
    return new Batch(count)
        .texts("k", MemorySegment.ofArray(bytes), offsets, lengths)
        .numbers("x", Columns.longs(values));
  }

  @Test
  @Tag("slow")
  void manyDistinctTexts() {
    int groups = 10_000_000;
    int rows = 1 << 16;
    try (GroupBy all = GroupBy.on("k").count().max("x")) {
      for (int turn = 0; turn < 2; turn++) {
        int more = turn;
        IntStream.range(0, Math.ceilDiv(groups, rows))
            .parallel()
            .forEach(i -> all.add(manyTexts(i * rows, Math.min(rows, groups - i * rows), more)));
      }
      try (Groups result = all.result()) {
        assertThat(result.rows()).isEqualTo(groups);
        BigInteger sum = BigInteger.ZERO;
        for (long row = 0; row < groups; row += 997) {
          long number = Long.parseLong(result.column("k").text(row).substring(4));
          assertThat(result.column("count").getLong(row)).isEqualTo(2);
          assertThat(result.column("max(x)").getLong(row)).isEqualTo(number + 1);
          sum = sum.add(BigInteger.valueOf(number));
        }
        assertThat(sum).isPositive();
      }
    }
  }
}
