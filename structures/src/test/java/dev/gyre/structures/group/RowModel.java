package dev.gyre.structures.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.structures.map.Columns;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** Random rows, and their groups by lists and maps: a plain model of a {@link GroupBy}. */
final class RowModel {

  private static final List<Double> DOUBLES =
      List.of(0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, 1.5, -7.25);

  private static final Object NULL = List.of();

  private final List<String> keys;
  private final Map<List<Object>, List<Map<String, Object>>> rows = new HashMap<>();

  RowModel(String... keys) {
    this.keys = List.of(keys);
  }

  static GroupBy groups(String... keys) {
    return GroupBy.on(keys).count("x").count().count("v").sum("v").min("v").max("w").sum("w");
  }

  /** Adds rows, and returns a batch of them: longs k and v, doubles l, ints w, texts t, u and x. */
  Batch add(Random random) {
    int count = random.nextInt(3_000);
    Map<String, Object[]> columns = new HashMap<>();
    Batch batch = new Batch(count);
    for (String name : List.of("k", "l", "t", "u", "v", "w", "x")) {
      int nulls = random.nextInt(3) * random.nextInt(1, 51);
      int distinct = random.nextInt(1, 4_000);
      Object[] column = new Object[count];
      long[] valid = new long[(count >> 6) + 1];
      Object[] all = new Object[count];
      for (int i = 0; i < count; i++) {
        // Few numbers are frequent.
        all[i] = value(name, random.nextInt(random.nextInt(1, distinct + 1)));
        boolean isNull = random.nextInt(100) < nulls;
        column[i] = isNull ? NULL : all[i];
        valid[i >> 6] |= isNull ? 0 : 1L << i;
      }
      columns.put(name, column);
      set(batch, name, all);
      boolean hasNulls = Arrays.stream(column).anyMatch(NULL::equals) || random.nextBoolean();
      Batch _ = batch.valid(name, hasNulls ? valid : null);
    }
    for (int i = 0; i < count; i++) {
      Map<String, Object> row = new HashMap<>();
      for (Map.Entry<String, Object[]> column : columns.entrySet()) {
        row.put(column.getKey(), column.getValue()[i]);
      }
      List<Object> key =
          keys.stream().map(name -> key(Objects.requireNonNull(row.get(name)))).toList();
      rows.computeIfAbsent(key, _ -> new ArrayList<>()).add(row);
    }
    return batch;
  }

  private static Object value(String name, int number) {
    return switch (name) {
      case "k", "v" -> number % 8 == 0 ? number / 8 % 3 - 1L : number * 0x9e37_79b9_7fL;
      case "l" -> number < DOUBLES.size() ? DOUBLES.get(number) : number / 4.0;
      case "w" -> number - 700;
      default -> "texts of all lengths up to many bytes".substring(0, number % 37) + number / 37;
    };
  }

  private static void set(Batch batch, String name, Object[] all) {
    Batch _ =
        switch (name) {
          case "k", "v" ->
              batch.numbers(
                  name, Columns.longs(Arrays.stream(all).mapToLong(v -> (Long) v).toArray()));
          case "l" ->
              batch.numbers(
                  name, Columns.doubles(Arrays.stream(all).mapToDouble(v -> (Double) v).toArray()));
          case "w" ->
              batch.numbers(
                  name, Columns.ints(Arrays.stream(all).mapToInt(v -> (Integer) v).toArray()));
          default ->
              batch.texts(
                  name, Arrays.stream(all).<@Nullable String>map(Object::toString).toList());
        };
  }

  /** Returns a key that is not null: both zeros are one. */
  private static Object key(Object value) {
    return value instanceof Double real ? real + 0.0 : value;
  }

  /** Checks the result of groups. */
  void check(GroupBy groups) {
    Map<List<Object>, String> expected = new HashMap<>();
    rows.forEach((key, of) -> expected.put(key, aggregates(of)));
    Map<List<Object>, String> actual = new HashMap<>();
    try (Groups result = groups.result()) {
      for (long row = 0; row < result.rows(); row++) {
        List<Object> all = new ArrayList<>();
        for (GroupColumn column : result.columns()) {
          all.add(column.isNull(row) ? NULL : value(column, row));
        }
        int values = keys.size();
        assertThat(actual.put(all.subList(0, values), all.subList(values, all.size()).toString()))
            .isNull();
      }
    }
    assertThat(actual).isEqualTo(expected);
  }

  private static Object value(GroupColumn column, long row) {
    return switch (column.type()) {
      case TEXT -> column.text(row);
      case DOUBLE -> column.getDouble(row);
      default -> column.getLong(row);
    };
  }

  private static String aggregates(List<Map<String, Object>> of) {
    return List.of(
            values(of, "x").size(),
            of.size(),
            values(of, "v").size(),
            fold(values(of, "v"), BigInteger::add),
            fold(values(of, "v"), BigInteger::min),
            fold(values(of, "w"), BigInteger::max),
            fold(values(of, "w"), BigInteger::add))
        .toString();
  }

  private static List<Object> values(List<Map<String, Object>> of, String column) {
    return of.stream()
        .map(row -> Objects.requireNonNull(row.get(column)))
        .filter(value -> !value.equals(NULL))
        .toList();
  }

  private static Object fold(List<Object> numbers, BinaryOperator<BigInteger> with) {
    return numbers.stream()
        .map(number -> new BigInteger(number.toString()))
        .reduce(with)
        .<Object>map(sum -> sum)
        .orElse(NULL);
  }
}
