package dev.gyre.structures.group;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.SPARSE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.MemoryLeft;
import dev.gyre.structures.FailingAllocations;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.Columns.ColumnType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Joins beside nested loops. */
final class JoinTest {

  /** A row: an int, a text and a double as keys, each of which may be null. */
  private record Row(@Nullable Integer number, @Nullable String text, @Nullable Double real) {

    /** Returns the values of keys; empty if one is null, as such rows match nothing. */
    List<Object> keys(List<String> names) {
      List<Object> all = new ArrayList<>();
      for (String name : names) {
        Object key = key(name);
        if (key == null) {
          return List.of();
        }
        all.add(key);
      }
      return all;
    }

    private @Nullable Object key(String name) {
      return switch (name) {
        case "number" -> number;
        case "text" -> text;
        default -> real == null ? null : (Object) (real + 0.0);
      };
    }
  }

  private static List<Row> rows(int count, int range, Random random) {
    List<Row> rows = new ArrayList<>();
    double[] reals = {0.0, -0.0, Double.NaN, 1.5, -7};
    for (int i = 0; i < count; i++) {
      int n = random.nextInt(range);
      rows.add(
          new Row(
              random.nextInt(9) == 0 ? null : n,
              random.nextInt(9) == 0 ? null : "text".repeat(n % 8) + n % 13,
              random.nextInt(9) == 0 ? null : reals[n % reals.length]));
    }
    return rows;
  }

  /** Returns rows as batches of random sizes. */
  @SuppressWarnings("NullAway") // It does not infer a stream of nullable texts.
  private static List<Batch> batches(List<Row> rows, Random random) {
    List<Batch> batches = new ArrayList<>();
    int from = 0;
    do {
      int count = Math.min(rows.size() - from, random.nextInt(1, 700));
      List<Row> part = rows.subList(from, from + count);
      int[] numbers = part.stream().mapToInt(r -> r.number == null ? 1 : r.number).toArray();
      double[] reals = part.stream().mapToDouble(r -> r.real == null ? 0 : r.real).toArray();
      batches.add(
          new Batch(count)
              .numbers("number", Columns.ints(numbers))
              .valid("number", bits(part.stream().map(Row::number).toList()))
              .texts("text", part.stream().map(Row::text).toList())
              .numbers("real", Columns.doubles(reals))
              .valid("real", bits(part.stream().map(Row::real).toList())));
      from += count;
    } while (from < rows.size());
    return batches;
  }

  private static long[] bits(List<? extends @Nullable Object> values) {
    long[] bits = new long[(values.size() + 63) / 64];
    for (int i = 0; i < values.size(); i++) {
      bits[i >> 6] |= (values.get(i) == null ? 0L : 1L) << i;
    }
    return bits;
  }

  private static List<List<Long>> expected(
      List<Row> left, List<Row> right, List<String> keys, Join.How how) {
    List<List<Long>> pairs = new ArrayList<>();
    boolean[] matched = new boolean[right.size()];
    List<List<Object>> rightKeys = right.stream().map(row -> row.keys(keys)).toList();
    for (int l = 0; l < left.size(); l++) {
      int before = pairs.size();
      List<Object> leftKeys = left.get(l).keys(keys);
      for (int r = 0; r < right.size(); r++) {
        if (!leftKeys.isEmpty() && leftKeys.equals(rightKeys.get(r))) {
          pairs.add(List.of((long) l, (long) r));
          matched[r] = true;
        }
      }
      if (pairs.size() == before && (how == Join.How.LEFT || how == Join.How.OUTER)) {
        pairs.add(List.of((long) l, -1L));
      }
    }
    for (int r = 0; r < right.size(); r++) {
      if (!matched[r] && (how == Join.How.RIGHT || how == Join.How.OUTER)) {
        pairs.add(List.of(-1L, (long) r));
      }
    }
    return pairs;
  }

  private static Join.Block into(List<List<Long>> pairs) {
    return (left, right, count) ->
        IntStream.range(0, count).forEach(i -> pairs.add(List.of(left[i], right[i])));
  }

  private static List<List<Long>> pairs(Join.Rows rows) {
    List<List<Long>> pairs = new ArrayList<>();
    for (long i = 0; i < rows.size(); i++) {
      pairs.add(List.of(rows.left().get(i), rows.right().get(i)));
    }
    return pairs;
  }

  @ParameterizedTest
  @EnumSource
  void matchesNestedLoops(Join.How how) {
    Random random = new Random(how.name().hashCode());
    List<List<String>> kinds =
        List.of(
            List.of("number"),
            List.of("text"),
            List.of("real"),
            List.of("number", "text"),
            List.of("text", "real"),
            List.of("real", "number", "text"));
    for (List<String> keys : kinds) {
      for (int turn = 0; turn < 4; turn++) {
        int range = random.nextInt(2, 1000);
        List<Row> left = rows(turn == 1 ? 0 : random.nextInt(1200), range, random);
        List<Row> right = rows(turn == 2 ? 0 : random.nextInt(1200), range, random);
        List<List<Long>> expected = expected(left, right, keys, how);
        List<Batch> leftBatches = batches(left, random);
        try (Join join = Join.with(batches(right, random), keys.toArray(String[]::new))) {
          assertThat(join.rightRows()).isEqualTo(right.size());
          assertThat(join.count(leftBatches, keys, how))
              .as("%s %s", keys, turn)
              .isEqualTo(expected.size());
          try (Join.Rows rows = join.rows(leftBatches, keys, how)) {
            assertThat(pairs(rows)).isEqualTo(expected);
          }
          List<List<Long>> blocks = new ArrayList<>();
          join.forEachMatch(leftBatches, keys, how, into(blocks));
          assertThat(blocks).isEqualTo(expected);
          assertThat(streamed(join, leftBatches, keys, how)).isEqualTo(expected);
          checkFirst(join, left, right, keys, leftBatches);
        }
      }
    }
  }

  private static List<List<Long>> streamed(
      Join join, List<Batch> left, List<String> keys, Join.How how) {
    List<List<Long>> pairs = new ArrayList<>();
    long row = 0;
    for (Batch batch : left) {
      join.forEachMatch(batch, row, keys, how, into(pairs));
      row += batch.rows();
    }
    if (how == Join.How.RIGHT || how == Join.How.OUTER) {
      join.forEachUnmatched(into(pairs));
    }
    return pairs;
  }

  private static void checkFirst(
      Join join, List<Row> left, List<Row> right, List<String> keys, List<Batch> batches) {
    Map<List<Object>, Long> model = new HashMap<>();
    for (int row = 0; row < right.size(); row++) {
      model.putIfAbsent(right.get(row).keys(keys), (long) row);
    }
    model.put(List.of(), -1L);
    int row = 0;
    for (Batch batch : batches) {
      long[] first = new long[batch.rows()];
      join.firstMatches(batch, keys, first);
      for (long found : first) {
        long expected = model.getOrDefault(left.get(row++).keys(keys), -1L);
        assertThat(found).isEqualTo(expected);
      }
    }
  }

  /** Has many partitions, which several tasks fill. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void largeSidesMatchAModel(boolean unique) {
    int count = 200_000;
    Random random = new Random(5);
    List<Row> right = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      // Without unique keys, a third of the rows has the same key.
      int n = unique ? i : random.nextInt(3) == 0 ? 7 : random.nextInt(count / 2);
      right.add(new Row(i % 1000 == 3 ? null : n, "key of many letters " + n, null));
    }
    List<Row> left = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      int n = i % 2000 == 1 ? 7 : 8 + random.nextInt(2 * count);
      left.add(new Row(i % 50 == 0 ? null : n, "key of many letters " + n, null));
    }
    List<Batch> rightBatches = batches(right, random);
    List<Batch> leftBatches = batches(left, random);
    for (List<String> keys : List.of(List.of("number"), List.of("text", "number"))) {
      Map<List<Object>, List<Long>> model = new HashMap<>();
      for (int row = 0; row < count; row++) {
        if (!right.get(row).keys(keys).isEmpty()) {
          model.computeIfAbsent(right.get(row).keys(keys), _ -> new ArrayList<>()).add((long) row);
        }
      }
      boolean[] matched = new boolean[count];
      List<List<Long>> expected = new ArrayList<>();
      for (int row = 0; row < left.size(); row++) {
        for (long match : model.getOrDefault(left.get(row).keys(keys), List.of(-1L))) {
          expected.add(List.of((long) row, match));
          if (match >= 0) {
            matched[(int) match] = true;
          }
        }
      }
      for (int row = 0; row < count; row++) {
        if (!matched[row]) {
          expected.add(List.of(-1L, (long) row));
        }
      }
      try (Join join = Join.with(rightBatches, keys.toArray(String[]::new));
          Join.Rows rows = join.rows(leftBatches, keys, Join.How.OUTER)) {
        assertThat(pairs(rows).equals(expected)).as("%s", keys).isTrue();
        assertThat(join.count(leftBatches, keys, Join.How.OUTER)).isEqualTo(expected.size());
      }
    }
  }

  @Test
  void threadsStreamTheirBatches() throws InterruptedException {
    int rows = 40_000;
    Batch right =
        new Batch(rows)
            .numbers("id", Columns.longs(IntStream.range(0, rows).mapToLong(i -> i / 2).toArray()));
    try (Join join = Join.with(List.of(right), "id")) {
      AtomicLong pairs = new AtomicLong();
      Thread[] threads = new Thread[4];
      for (int t = 0; t < threads.length; t++) {
        int first = t;
        threads[t] =
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int turn = 0; turn < 20; turn++) {
                        long[] ids = new Random(first + 4L * turn).longs(3000, 0, rows).toArray();
                        join.forEachMatch(
                            new Batch(3000).numbers("key", Columns.longs(ids)),
                            0,
                            List.of("key"),
                            Join.How.RIGHT,
                            (left, rights, count) -> {
                              for (int i = 0; i < count; i++) {
                                if (ids[(int) left[i]] == rights[i] / 2) {
                                  pairs.incrementAndGet();
                                }
                              }
                            });
                      }
                    });
      }
      for (Thread thread : threads) {
        thread.join();
      }
      boolean[] drawn = new boolean[rows];
      long expected = 0;
      for (int seed = 0; seed < 80; seed++) {
        for (long id : new Random(seed).longs(3000, 0, rows).toArray()) {
          drawn[(int) id] = true;
          expected += id < rows / 2 ? 2 : 0;
        }
      }
      assertThat(pairs.get()).isEqualTo(expected);
      List<List<Long>> rest = new ArrayList<>();
      join.forEachUnmatched(into(rest));
      assertThat(rest)
          .isEqualTo(
              IntStream.range(0, rows)
                  .filter(r -> !drawn[r / 2])
                  .mapToObj(r -> List.of(-1L, (long) r))
                  .toList());
    }
  }

  @Test
  void hugeResultsAreCountedStreamedAndRefused() {
    int rows = 1 << 18;
    Batch same = new Batch(rows).numbers("k", Columns.ints(new int[rows]));
    try (Join join = Join.with(List.of(same), "k")) {
      long size = (long) rows * rows;
      assertThat(join.count(List.of(same), List.of("k"), Join.How.INNER)).isEqualTo(size);
      assertThatThrownBy(() -> join.rows(List.of(same), List.of("k"), Join.How.INNER))
          .isInstanceOfSatisfying(
              MemoryExhaustedException.class, e -> assertThat(e.bytes()).isEqualTo(8 * size))
          .hasMessageContaining("the join has " + size + " rows, whose numbers take " + 8 * size);
      AtomicLong first = new AtomicLong();
      Batch few = new Batch(3).numbers("k", Columns.ints(new int[3]));
      join.forEachMatch(
          List.of(few), List.of("k"), Join.How.INNER, (_, _, n) -> first.addAndGet(n));
      assertThat(first.get()).isEqualTo(3L * rows);
    }
  }

  @Test
  void theSizeOfAResultIsKnownWithoutMemoryForEachLeftRow() {
    int rows = 1 << 20;
    int[] values = new int[rows];
    values[5] = 1;
    values[rows - 1] = 1;
    Batch left = new Batch(rows).numbers("k", Columns.ints(values));
    Batch right = new Batch(1).numbers("k", Columns.ints(new int[] {1}));
    List<String> keys = List.of("k");
    try (Join join = Join.with(List.of(right), "k")) {
      long _ = join.count(List.of(left), keys, Join.How.LEFT);
      try (MemoryLeft _ = MemoryLeft.of(1 << 12)) {
        assertThatThrownBy(() -> join.rows(List.of(left), keys, Join.How.LEFT))
            .isInstanceOf(MemoryExhaustedException.class)
            .hasMessageContaining("the join has " + rows + " rows");
        try (Join.Rows result = join.rows(List.of(left), keys, Join.How.INNER)) {
          assertThat(result.size()).isEqualTo(2);
          assertThat(result.left().get(0)).isEqualTo(5);
          assertThat(result.left().get(1)).isEqualTo(rows - 1);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLimitBelowTheNeedIsAnErrorWithTheSizeOfTheResult(Join.How how) {
    // One block of left rows: no other thread needs memory to read keys.
    Batch left = new Batch(3000).numbers("k", Columns.ints(IntStream.range(0, 3000).toArray()));
    int[] keys = IntStream.range(0, 50_000).map(i -> 1000 + i % 10_000).toArray();
    Batch right = new Batch(keys.length).numbers("k", Columns.ints(keys));
    long size =
        2000L * 5 + (how.keepsLeft() ? 1000 : 0) + (how.keepsRight() ? keys.length - 10_000 : 0);
    long need = Memory.HEADER_BYTES + 2 * Integer.BYTES * size;
    try (Join join = Join.with(List.of(right), "k")) {
      assertThat(join.count(List.of(left), List.of("k"), how)).isEqualTo(size);
      for (long limit : new long[] {0, Memory.HEADER_BYTES + rowBytes(left), need - 1}) {
        try (MemoryLeft _ = MemoryLeft.of(limit)) {
          assertThatThrownBy(() -> join.rows(List.of(left), List.of("k"), how))
              .isInstanceOfSatisfying(
                  MemoryExhaustedException.class,
                  e -> assertThat(e.bytes()).isEqualTo(need - Memory.HEADER_BYTES))
              .hasMessageContaining("the join has %d rows, whose numbers take", size);
          assertThat(MemoryLeft.bytes()).isEqualTo(limit);
        }
      }
      try (MemoryLeft _ = MemoryLeft.of(need);
          Join.Rows rows = join.rows(List.of(left), List.of("k"), how)) {
        assertThat(MemoryLeft.bytes()).isZero();
        List<List<Long>> pairs = new ArrayList<>();
        join.forEachMatch(List.of(left), List.of("k"), how, into(pairs));
        assertThat(pairs(rows)).isEqualTo(pairs);
      }
    }
  }

  private static long rowBytes(Batch left) {
    return (long) left.rows() * Integer.BYTES;
  }

  /** Has so many right rows that their flags share no memory with other parts of the index. */
  @Test
  void theSizeOfAResultIsKnownWithoutMoreMemoryForRightRows() {
    int rows = (1 << 25) + 1;
    long[] valid = new long[(rows >> 6) + 1];
    valid[0] = 1 << 5;
    Batch right = new Batch(rows).numbers("k", Columns.ints(new int[rows])).valid("k", valid);
    List<Batch> left = List.of(new Batch(1).numbers("k", Columns.ints(new int[1])));
    List<String> keys = List.of("k");
    try (Join join = Join.with(List.of(right), "k");
        MemoryLeft _ = MemoryLeft.of(0)) {
      assertThatThrownBy(() -> join.rows(left, keys, Join.How.RIGHT))
          .isInstanceOf(MemoryExhaustedException.class)
          .hasMessageContaining("the join has " + rows + " rows");
      for (int turn = 0; turn < 3; turn++) {
        assertThat(join.count(left, keys, Join.How.OUTER)).isEqualTo(rows);
      }
    }
  }

  @Test
  void callsWithinACallAndAfterAFailureFlagTheirOwnMatches() {
    Batch right = new Batch(4).numbers("k", Columns.ints(new int[] {1, 2, 2, 3}));
    List<Batch> one = List.of(new Batch(1).numbers("k", Columns.ints(new int[] {1})));
    // Several blocks of result rows, so that calls within the call come before it has ended.
    int[] twos = IntStream.generate(() -> 2).limit(5000).toArray();
    List<Batch> two = List.of(new Batch(twos.length).numbers("k", Columns.ints(twos)));
    List<String> keys = List.of("k");
    List<List<Long>> ofOne =
        List.of(List.of(0L, 0L), List.of(-1L, 1L), List.of(-1L, 2L), List.of(-1L, 3L));
    try (Join join = Join.with(List.of(right), "k")) {
      List<List<Long>> pairs = new ArrayList<>();
      join.forEachMatch(one.getFirst(), 0, keys, Join.How.RIGHT, into(pairs));
      join.forEachMatch(
          two,
          keys,
          Join.How.OUTER,
          (left, rights, count) -> {
            assertThat(join.count(one, keys, Join.How.RIGHT)).isEqualTo(4);
            into(pairs).accept(left, rights, count);
          });
      assertThat(pairs)
          .hasSize(1 + 10_000 + 2)
          .startsWith(List.of(0L, 0L), List.of(0L, 1L), List.of(0L, 2L))
          .endsWith(List.of(4999L, 2L), List.of(-1L, 0L), List.of(-1L, 3L));
      for (int turn = 0; turn < 3; turn++) {
        assertThatThrownBy(
                () ->
                    join.forEachMatch(
                        two,
                        keys,
                        Join.How.OUTER,
                        (_, _, _) -> {
                          throw new IllegalStateException("as asked");
                        }))
            .hasMessage("as asked");
        pairs.clear();
        join.forEachMatch(one, keys, Join.How.OUTER, into(pairs));
        assertThat(pairs).isEqualTo(ofOne);
      }
      pairs.clear();
      join.forEachUnmatched(into(pairs));
      assertThat(pairs).isEqualTo(ofOne.subList(1, 4));
    }
  }

  @Test
  void givesMemoryBackIfThereIsTooLittle() throws Exception {
    Random random = new Random(1);
    List<Batch> sides = batches(rows(100, 10, random), random);
    for (List<String> keys : List.of(List.of("number"), List.of("text", "real"))) {
      int failures =
          FailingAllocations.ofAll(
              () -> {
                try (Join join = Join.with(sides, keys.toArray(String[]::new));
                    Join.Rows rows = join.rows(sides, keys, Join.How.OUTER)) {
                  assertThat(rows.size()).isPositive();
                }
              });
      assertThat(failures).isGreaterThan(3);
    }
  }

  @Test
  void lookupsWorkAfterOneThatHadTooLittleMemory() {
    List<String> keys = List.of("a", "b");
    Batch few = new Batch(1).texts("a", List.of("x")).texts("b", List.of("y"));
    Batch large = new Batch(1).texts("a", List.of("x".repeat(100_000))).texts("b", List.of("y"));
    long[] rows = {7};
    try (Join join = Join.with(List.of(few), "a", "b")) {
      join.firstMatches(few, keys, rows);
      try (MemoryLeft _ = MemoryLeft.of(0)) {
        assertThatThrownBy(() -> join.firstMatches(large, keys, rows))
            .isInstanceOf(MemoryExhaustedException.class);
      }
      join.firstMatches(few, keys, rows);
      assertThat(rows).containsExactly(0);
    }
  }

  @Test
  void argumentsAreChecked() {
    Batch ints = new Batch(2).numbers("k", Columns.ints(new int[2]));
    Batch reals = new Batch(2).numbers("k", Columns.doubles(new double[2]));
    assertThatThrownBy(() -> Join.with(List.of(), "k"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Join.with(List.of(ints, reals), "k"))
        .isInstanceOf(IllegalArgumentException.class);
    try (Join join = Join.with(List.of(ints), "k")) {
      assertThatThrownBy(() -> join.count(List.of(reals), List.of("k"), Join.How.INNER))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the column k");
      assertThatThrownBy(() -> join.count(List.of(ints), List.of("k", "l"), Join.How.INNER))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("2 and 1 key columns");
      assertThatThrownBy(() -> join.firstMatches(ints, List.of("k"), new long[1]))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void afterCloseNothingIsRead() {
    Batch batch = new Batch(2).numbers("k", Columns.ints(new int[] {1, 2}));
    List<String> keys = List.of("k");
    Join join = Join.with(List.of(batch), "k");
    join.close();
    join.close();
    List<ThrowingCallable> calls =
        List.of(
            () -> join.count(List.of(batch), keys, Join.How.INNER),
            () -> join.rows(List.of(batch), keys, Join.How.OUTER),
            () -> join.forEachMatch(List.of(batch), keys, Join.How.LEFT, (_, _, _) -> {}),
            () -> join.forEachMatch(batch, 0, keys, Join.How.LEFT, (_, _, _) -> {}),
            () -> join.forEachUnmatched((_, _, _) -> {}),
            () -> join.firstMatches(batch, keys, new long[2]));
    for (ThrowingCallable call : calls) {
      assertThatThrownBy(call).isInstanceOf(ClosedException.class);
    }
    try (Join open = Join.with(List.of(batch), "k")) {
      Join.Rows rows = open.rows(List.of(batch), keys, Join.How.INNER);
      rows.close();
      assertThatThrownBy(() -> rows.left().get(0)).isInstanceOf(ClosedException.class);
    }
  }

  /** A read by address of memory that was freed would end the process. */
  @Test
  void closingWithinACallLetsItEnd() {
    long[] numbers = IntStream.range(0, 100_000).asLongStream().toArray();
    List<Batch> batches = List.of(new Batch(numbers.length).numbers("k", Columns.longs(numbers)));
    List<String> keys = List.of("k");
    long left = MemoryLeft.bytes();
    for (Join.How how : Join.How.values()) {
      Join join = Join.with(batches, "k");
      AtomicLong rows = new AtomicLong();
      Join.Block closes =
          (_, _, count) -> {
            join.close();
            long _ = rows.addAndGet(count);
          };
      join.forEachMatch(batches, keys, how, closes);
      assertThat(rows).hasValue(numbers.length);
      assertThatThrownBy(() -> join.count(batches, keys, how)).isInstanceOf(ClosedException.class);
      assertThat(MemoryLeft.bytes()).isEqualTo(left);
    }
  }

  @Test
  void theLargestBatchHasBlocksForAllRows(@TempDir Path folder) throws IOException {
    int rows = Integer.MAX_VALUE;
    Path file = folder.resolve("sparse");
    try (FileChannel sparse = FileChannel.open(file, Set.of(CREATE_NEW, SPARSE, READ, WRITE));
        Arena arena = Arena.ofShared()) {
      MemorySegment keys = sparse.map(MapMode.READ_WRITE, 0, (long) rows * Integer.BYTES, arena);
      Batch largest = new Batch(rows).numbers("k", Columns.of(ColumnType.INT, keys));
      Batch few = new Batch(1).numbers("k", Columns.ints(new int[1]));
      try (JoinIndex index = new JoinIndex(List.of(few), List.of("k"))) {
        List<JoinIndex.Rows> blocks = index.blocks(List.of(largest), 0, List.of("k"));
        assertThat(blocks.stream().mapToLong(JoinIndex.Rows::count).sum()).isEqualTo(rows);
      }
    }
  }

  @Test
  void rowNumbersAreInts() {
    Batch batch = new Batch(2).numbers("k", Columns.ints(new int[] {1, 2}));
    try (Join join = Join.with(List.of(batch), "k");
        Join.Rows rows = join.rows(List.of(batch), List.of("k"), Join.How.INNER)) {
      assertThat(rows.left().areInts()).isTrue();
      assertThat(rows.right().segment().byteSize()).isEqualTo(8);
      assertThatThrownBy(() -> rows.left().get(2)).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }
}
