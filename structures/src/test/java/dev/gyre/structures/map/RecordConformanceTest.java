package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.RealFold;
import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.kernels.map.RecordVisitor;
import dev.gyre.kernels.map.RowParts;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.map.Columns.ColumnType;
import dev.gyre.structures.map.RecordKinds.Count;
import dev.gyre.structures.map.RecordKinds.Edge;
import dev.gyre.structures.map.RecordKinds.EitherWay;
import dev.gyre.structures.map.RecordKinds.Kind;
import dev.gyre.structures.map.RecordKinds.Pair;
import dev.gyre.structures.map.RecordKinds.Traffic;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Maps of records of all kinds do what a map does, on every target. */
@ConformanceSuite
class RecordConformanceTest {

  record Saturating(long most) implements Fold {
    @Override
    public long apply(long present, long given) {
      long sum = present + given;
      return sum > most ? most : sum;
    }
  }

  record Doubling(double factor) implements RealFold {
    @Override
    public double apply(double present, double given) {
      return present + factor * given;
    }
  }

  static Stream<Kind<?, ?>> kinds() {
    return RecordKinds.all();
  }

  private static <K extends Record, V extends Record> Map<K, V> walked(
      Kind<K, V> kind, RecordMap<K, V> map) {
    Map<K, V> all = new HashMap<>();
    map.forEach((key, value) -> assertThat(all.put(kind.canonical().apply(key), value)).isNull());
    return all;
  }

  private static <K extends Record, V extends Record> Map<K, V> retrieved(
      Kind<K, V> kind, RecordMap<K, V> map) {
    int size = (int) map.size();
    Columns keys = kind.emptyKeys(size + 1);
    Columns values = kind.emptyValues(size + 1);
    assertThat(map.retrieveAll(keys, values)).isEqualTo(size);
    Map<K, V> all = new HashMap<>();
    List<K> records = kind.keysOf(keys, size);
    for (int i = 0; i < size; i++) {
      K key = kind.canonical().apply(records.get(i));
      assertThat(all.put(key, kind.valuesOf(values, size).get(i))).isNull();
    }
    return all;
  }

  private static <K extends Record, V extends Record> void requireHolds(
      Kind<K, V> kind, RecordMap<K, V> map, Map<K, V> expected) {
    assertThat(map.size()).isEqualTo(expected.size());
    assertThat(walked(kind, map)).isEqualTo(expected);
    List<K> keys = List.copyOf(expected.keySet());
    Columns found = kind.emptyValues(keys.size());
    assertThat(map.find(kind.keyColumns(keys), found)).isEqualTo(new FindCounts(keys.size(), 0));
    assertThat(kind.valuesOf(found, keys.size()))
        .isEqualTo(keys.stream().map(expected::get).toList());
  }

  private static <K extends Record, V extends Record> List<K> someKeys(
      Kind<K, V> kind, SplittableRandom random, int count) {
    return Stream.generate(() -> kind.key().apply(random)).limit(count).toList();
  }

  /** Distinct ones, each as it is inserted. */
  private static <K extends Record, V extends Record> Map<K, V> entries(
      Kind<K, V> kind, int count) {
    SplittableRandom random = new SplittableRandom(3);
    Map<K, V> entries = new HashMap<>();
    while (entries.size() < count) {
      K key = kind.canonical().apply(kind.key().apply(random));
      entries.put(key, kind.value().apply((long) entries.size()));
    }
    return entries;
  }

  private static <K, V> V valueOf(Map<K, V> entries, K key) {
    return Objects.requireNonNull(entries.get(key));
  }

  private static <K extends Record, V extends Record> InsertCounts insert(
      Kind<K, V> kind, RecordMap<K, V> map, Map<K, V> entries, BulkOptions options) {
    List<K> keys = List.copyOf(entries.keySet());
    return map.insert(
        kind.keyColumns(keys),
        kind.valueColumns(keys.stream().map(entries::get).toList()),
        options);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <K extends Record, V extends Record> void growsShrinksAndIsEmptied(Kind<K, V> kind) {
    Map<K, V> entries = entries(kind, 500);
    try (RecordMap<K, V> map = kind.make(TargetUnderTest.device(), 2, 1, false)) {
      assertThat(insert(kind, map, entries, BulkOptions.NONE))
          .isEqualTo(new InsertCounts(500, 0, 0));
      requireHolds(kind, map, entries);
      assertThat(retrieved(kind, map)).isEqualTo(entries);
      assertThat(insert(kind, map, entries, BulkOptions.NONE))
          .isEqualTo(new InsertCounts(0, 500, 0));
      map.rehash(500);
      assertThat(map.capacity()).isEqualTo(500);
      requireHolds(kind, map, entries);
      map.clear();
      requireHolds(kind, map, Map.of());
      K key = entries.keySet().iterator().next();
      assertThat(map.containsKey(key)).isFalse();
      assertThat(map.putIfAbsent(key, valueOf(entries, key))).isEmpty();
      assertThat(map.putIfAbsent(key, kind.value().apply(9L))).contains(entries.get(key));
      requireHolds(kind, map, Map.of(key, entries.get(key)));
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <K extends Record, V extends Record> void aFullMapDoesNotGrowForKeysThatAreThere(
      Kind<K, V> kind) {
    int capacity = 300;
    Map<K, V> entries = entries(kind, capacity + 1);
    K last = entries.keySet().iterator().next();
    Map<K, V> others = new HashMap<>(entries);
    V value = valueOf(entries, last);
    assertThat(others.remove(last)).isEqualTo(value);
    Map<K, V> some = new HashMap<>(others);
    some.keySet().removeAll(List.copyOf(others.keySet()).subList(0, 3));
    try (RecordMap<K, V> map = kind.make(TargetUnderTest.device(), 2, capacity, false)) {
      assertThat(insert(kind, map, some, BulkOptions.NONE).inserted()).isEqualTo(capacity - 3);
      assertThat(insert(kind, map, others, BulkOptions.NONE))
          .isEqualTo(new InsertCounts(3, capacity - 3, 0));
      assertThat(insert(kind, map, others, BulkOptions.NONE).present()).isEqualTo(capacity);
      boolean[] mask = new boolean[capacity + 1];
      Arrays.fill(mask, true);
      mask[List.copyOf(entries.keySet()).indexOf(last)] = false;
      assertThat(insert(kind, map, entries, BulkOptions.NONE.where(mask)).present())
          .isEqualTo(capacity);
      assertThat(map.capacity()).isEqualTo(capacity);
      requireHolds(kind, map, others);
      assertThat(insert(kind, map, entries, BulkOptions.NONE))
          .isEqualTo(new InsertCounts(1, capacity, 0));
      assertThat(map.capacity()).isGreaterThan(capacity);
      requireHolds(kind, map, entries);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <K extends Record, V extends Record> void masksAndOutcomesAreThoseOfMaps(Kind<K, V> kind) {
    Map<K, V> entries = entries(kind, 4);
    List<K> keys = List.copyOf(entries.keySet());
    Columns columns = kind.keyColumns(keys);
    Columns values = kind.valueColumns(keys.stream().map(entries::get).toList());
    byte[] outcomes = new byte[4];
    BulkOptions options =
        BulkOptions.NONE.where(new boolean[] {true, false, true, true}).outcomes(outcomes);
    try (RecordMap<K, V> map = kind.make(TargetUnderTest.device(), 2, 10, false)) {
      V other = kind.value().apply(77L);
      assertThat(map.putIfAbsent(keys.get(2), other)).isEmpty();
      Columns found = kind.emptyValues(4);
      assertThat(map.insertAndFind(columns, values, found, options))
          .isEqualTo(new InsertCounts(2, 1, 0));
      assertThat(outcomes)
          .containsExactly(
              Outcome.INSERTED.code(),
              Outcome.SKIPPED.code(),
              Outcome.PRESENT.code(),
              Outcome.INSERTED.code());
      V zero = kind.valuesOf(kind.emptyValues(1), 1).getFirst();
      assertThat(kind.valuesOf(found, 4))
          .containsExactly(entries.get(keys.get(0)), zero, other, entries.get(keys.get(3)));
      assertThat(map.contains(columns)).isEqualTo(new FindCounts(3, 1));
      assertThat(map.find(columns, found, BulkOptions.NONE.outcomes(outcomes)).found())
          .isEqualTo(3);
      assertThat(outcomes[1]).isEqualTo(Outcome.ABSENT.code());
      assertThat(kind.valuesOf(found, 4).get(1)).isEqualTo(zero);
      assertThat(map.find(columns, found, options)).isEqualTo(new FindCounts(3, 0));
      assertThat(outcomes[1]).isEqualTo(Outcome.SKIPPED.code());
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <K extends Record, V extends Record> void aMapOfFixedCapacityIsFull(Kind<K, V> kind) {
    Map<K, V> entries = entries(kind, 150);
    try (RecordMap<K, V> map = kind.make(TargetUnderTest.device(), 2, 100, true)) {
      assertThat(insert(kind, map, entries, BulkOptions.NONE))
          .isEqualTo(new InsertCounts(100, 0, 50));
      assertThat(map.size()).isEqualTo(100);
      K absent =
          entries.keySet().stream().filter(k -> !map.containsKey(k)).findFirst().orElseThrow();
      V value = valueOf(entries, absent);
      assertThatThrownBy(() -> map.putIfAbsent(absent, value)).isInstanceOf(MapFullException.class);
      assertThatThrownBy(() -> map.merge(absent, value, kind.sums()))
          .isInstanceOf(MapFullException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <K extends Record, V extends Record> void isCopiedToAnotherLauncherAndBack(Kind<K, V> kind) {
    Map<K, V> entries = entries(kind, 200);
    try (JvmLauncher other = JvmLauncher.ofWorkers(1);
        RecordMap<K, V> map = kind.make(TargetUnderTest.device(), 2, 4, false)) {
      var _ = insert(kind, map, entries, BulkOptions.NONE);
      try (RecordMap<K, V> copy = map.copyTo(other)) {
        requireHolds(kind, copy, entries);
        var device = TargetUnderTest.device();
        if (device != null) {
          try (RecordMap<K, V> there = copy.copyTo(device)) {
            requireHolds(kind, there, entries);
          }
        }
        var counts = copy.async(m -> insert(kind, m, entries, BulkOptions.NONE)).join();
        assertThat(counts.present()).isEqualTo(200);
      }
      requireHolds(kind, map, entries);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <K extends Record, V extends Record> void isSavedAndLoaded(
      Kind<K, V> kind, @TempDir Path folder) {
    Map<K, V> entries = new HashMap<>(entries(kind, 101));
    K last = entries.keySet().iterator().next();
    V value = Objects.requireNonNull(entries.remove(last));
    Path file = folder.resolve("map");
    try (RecordMap<K, V> map = kind.make(TargetUnderTest.device(), 2, 4, false)) {
      var _ = insert(kind, map, entries, BulkOptions.NONE);
      map.save(file);
    }
    try (RecordMap<K, V> map = kind.load(TargetUnderTest.device(), 2, file)) {
      requireHolds(kind, map, entries);
      assertThat(map.putIfAbsent(last, value)).isEmpty();
      entries.put(last, value);
      requireHolds(kind, map, entries);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <K extends Record, V extends Record> void useAfterCloseIsRefused(Kind<K, V> kind) {
    RecordMap<K, V> map = kind.make(TargetUnderTest.device(), 2, 4, false);
    map.close();
    map.close();
    K key = kind.key().apply(new SplittableRandom(1));
    assertThatThrownBy(() -> map.get(key)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(map::size).isInstanceOf(ClosedException.class);
    assertThatThrownBy(map::clear).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> map.forEach((_, _) -> {})).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> map.contains(kind.emptyKeys(1))).isInstanceOf(ClosedException.class);
  }

  /** Against a map of the Java library, with operations that a seed says. */
  @ParameterizedTest
  @MethodSource("kinds")
  <K extends Record, V extends Record> void randomOperations(
      Kind<K, V> kind, @TempDir Path folder) {
    SplittableRandom random = new SplittableRandom(11);
    Map<K, V> model = new HashMap<>();
    try (RecordMap<K, V> map = kind.make(TargetUnderTest.device(), 2, 1, false)) {
      for (int round = 0; round < 40; round++) {
        List<K> keys = someKeys(kind, random, random.nextInt(1 << random.nextInt(1, 10)) + 1);
        long number = random.nextInt(1000);
        V value = kind.value().apply(number);
        Columns columns = kind.keyColumns(keys);
        Columns values = kind.valueColumns(keys.stream().map(_ -> value).toList());
        int before = model.size();
        switch (random.nextInt(6)) {
          case 0 -> {
            keys.forEach(k -> model.putIfAbsent(kind.canonical().apply(k), value));
            requireCounts(map.insert(columns, values), keys.size(), model.size() - before);
          }
          case 1 -> {
            keys.forEach(k -> model.put(kind.canonical().apply(k), value));
            requireCounts(map.insertOrAssign(columns, values), keys.size(), model.size() - before);
          }
          case 2 -> {
            for (K key : keys) {
              model.merge(kind.canonical().apply(key), value, RecordConformanceTest::summed);
            }
            requireCounts(
                map.insertOrApply(columns, values, kind.sums()),
                keys.size(),
                model.size() - before);
          }
          case 3 -> {
            K key = keys.getFirst();
            V now = model.merge(kind.canonical().apply(key), value, RecordConformanceTest::summed);
            assertThat(map.merge(key, value, kind.sums())).isEqualTo(now);
          }
          case 4 -> {
            K key = keys.getFirst();
            V expected = model.get(kind.canonical().apply(key));
            assertThat(map.get(key)).isEqualTo(Optional.ofNullable(expected));
            if (!TargetUnderTest.isDevice()) {
              V old = model.put(kind.canonical().apply(key), value);
              assertThat(map.put(key, value)).isEqualTo(Optional.ofNullable(old));
            }
          }
          default -> {
            if (random.nextInt(4) == 0) {
              map.clear();
              model.clear();
            } else {
              map.rehash(Math.max(model.size(), random.nextInt(1, 5000)));
            }
          }
        }
        assertThat(map.size()).isEqualTo(model.size());
      }
      requireHolds(kind, map, model);
      map.save(folder.resolve("map"));
    }
    try (RecordMap<K, V> map = kind.load(TargetUnderTest.device(), 1, folder.resolve("map"))) {
      requireHolds(kind, map, model);
    }
  }

  private static void requireCounts(InsertCounts counts, int keys, int inserted) {
    assertThat(counts).isEqualTo(new InsertCounts(inserted, keys - inserted, 0));
  }

  /** What the sums of a kind make of two values. */
  @SuppressWarnings("unchecked")
  private static <V extends Record> V summed(V one, V other) {
    return (V)
        switch (one) {
          case Count a -> new Count(a.count() + ((Count) other).count());
          case RecordKinds.Weight a ->
              new RecordKinds.Weight(a.weight() + ((RecordKinds.Weight) other).weight());
          case Traffic a -> {
            Traffic b = (Traffic) other;
            yield new Traffic(
                a.bytes() + b.bytes(),
                Math.max(a.latest(), b.latest()),
                a.hits() + b.hits(),
                Math.min(a.least(), b.least()));
          }
          default -> throw new AssertionError(one);
        };
  }

  @Test
  void columnsThatAreNotNamedStayAndFoldsAreTheUsers() {
    Changes changes =
        Changes.of("hits", new Saturating(10))
            .andReal("bytes", new Doubling(2))
            .and("latest", Apply.OR);
    try (RecordMap<Edge, Traffic> map = build(RecordSchema.of(Edge.class, Traffic.class))) {
      Columns keys = Columns.ints(new int[8], new int[8]);
      double[] bytes = new double[8];
      long[] latest = LONGS.clone();
      int[] hits = new int[8];
      Arrays.fill(bytes, 0.5);
      Arrays.fill(hits, 3);
      Columns values =
          Columns.doubles(bytes)
              .and(Columns.longs(latest))
              .and(Columns.ints(hits))
              .and(Columns.floats(new float[8]));
      Edge edge = new Edge(0, 0);
      assertThat(map.putIfAbsent(edge, new Traffic(1, 64, 1, 4.5f))).isEmpty();
      assertThat(map.insertOrApply(keys, values, changes)).isEqualTo(new InsertCounts(0, 8, 0));
      assertThat(map.get(edge)).contains(new Traffic(9, 127, 10, 4.5f));
      assertThat(map.merge(edge, new Traffic(1, 256, -4, 0), changes))
          .isEqualTo(new Traffic(11, 383, 6, 4.5f));
    }
  }

  private static final long[] LONGS = {1, 2, 4, 8, 16, 32, 1, 2};

  private static <K extends Record, V extends Record> RecordMap<K, V> build(
      RecordSchema<K, V> schema) {
    var builder = RecordMap.builder(schema).capacity(16);
    var device = TargetUnderTest.device();
    return (device == null ? builder.workers(2) : builder.launcher(device)).build();
  }

  /** Of equal keys in one batch, too, the value that stays is of one of them. */
  @Test
  void valuesAreReplacedAsAWhole() {
    int count = 20_000;
    int distinct = 50;
    int[] from = IntStream.range(0, count).map(i -> i % distinct).toArray();
    long[] numbers = IntStream.range(0, count).asLongStream().toArray();
    long[] squares = Arrays.stream(numbers).map(n -> n * n).toArray();
    try (RecordMap<Edge, Pair> map = build(RecordSchema.of(Edge.class, Pair.class))) {
      Columns keys = Columns.ints(from, from.clone());
      Columns values = Columns.longs(numbers, squares);
      for (int round = 0; round < 2; round++) {
        InsertCounts counts = map.insertOrAssign(keys, values);
        assertThat(counts.inserted()).isEqualTo(round == 0 ? distinct : 0);
        List<Edge> edges = new ArrayList<>();
        map.forEach(
            (edge, pair) -> {
              edges.add(edge);
              assertThat(pair.other()).isEqualTo(pair.one() * pair.one());
              assertThat(pair.one() % distinct).isEqualTo(edge.from());
            });
        assertThat(edges).hasSize(distinct);
      }
    }
  }

  @Test
  void keysThatTheUserCallsEqualAreOneKey() {
    try (RecordMap<Edge, Count> map =
        build(
            RecordSchema.of(Edge.class, Count.class)
                .hash(new EitherWay())
                .equality(new EitherWay()))) {
      int[] one = {1, 2, 3, 2};
      int[] other = {2, 1, 3, 1};
      Columns ones = Columns.longs(new long[] {1, 1, 1, 1});
      assertThat(map.insertOrApply(Columns.ints(one, other), ones, Changes.of("count", Apply.ADD)))
          .isEqualTo(new InsertCounts(2, 2, 0));
      assertThat(map.get(new Edge(1, 2))).contains(new Count(3));
      assertThat(map.get(new Edge(2, 1))).contains(new Count(3));
      assertThat(map.get(new Edge(3, 1))).isEmpty();
    }
  }

  @Test
  void columnsMayBeMemories() {
    try (Memory from = Memory.ofInts(3);
        Memory to = Memory.ofInts(3);
        Memory counts = Memory.ofLongs(3);
        RecordMap<Edge, Count> map = build(RecordSchema.of(Edge.class, Count.class));
        RecordMap<Edge, Pair> rows = build(RecordSchema.of(Edge.class, Pair.class))) {
      for (int i = 0; i < 3; i++) {
        from.segment().setAtIndex(ValueLayout.JAVA_INT, i, -i);
        to.segment().setAtIndex(ValueLayout.JAVA_INT, i, 2 * i);
        counts.segment().setAtIndex(ValueLayout.JAVA_LONG, i, 10 + i);
      }
      Columns keys =
          Columns.of(ColumnType.INT, from, 3).and(Columns.of(ColumnType.INT, to.segment()));
      Columns values = Columns.of(ColumnType.LONG, counts, 3);
      assertThat(map.insert(keys, values).inserted()).isEqualTo(3);
      assertThat(map.get(new Edge(-2, 4))).contains(new Count(12));
      assertThat(rows.insert(keys, values.and(values)).inserted()).isEqualTo(3);
      assertThat(rows.get(new Edge(-1, 2))).contains(new Pair(11, 11));
    }
  }

  /** Edges of which both ends are on one side, and whose hits are few. */
  record Among(int least, int most) implements RecordPredicate {
    @Override
    public boolean test(KeyParts edge, RowParts traffic) {
      boolean ends = edge.first() >= least && edge.second() >= least;
      return ends && RowParts.toInt(traffic.third()) <= most;
    }
  }

  /** Even counts from one end on. */
  record Even(long least) implements RecordPredicate {
    @Override
    public boolean test(KeyParts edge, RowParts count) {
      return edge.first() >= least && (count.first() & 1) == 0;
    }
  }

  /** Adds up what it meets. */
  record SumHits(DeviceLongs sums) implements RecordVisitor {
    @Override
    public void visit(KeyParts edge, RowParts traffic) {
      long _ = sums.fetchAddRelaxed(0, edge.first());
      long _ = sums.fetchAddRelaxed(1, RowParts.toInt(traffic.third()));
    }
  }

  private static final int EDGES = 400;

  private static int[] ends(int shift) {
    return IntStream.range(0, EDGES).map(i -> (i + shift) % 40 - 20 + i / 40 * 100).toArray();
  }

  @Test
  void entriesAreChosenByKeyAndColumns() {
    int[] from = ends(0);
    int[] to = ends(7);
    int[] hits = IntStream.range(0, EDGES).map(i -> i % 5 - 2).toArray();
    Columns values =
        Columns.doubles(new double[EDGES])
            .and(Columns.longs(new long[EDGES]))
            .and(Columns.ints(hits))
            .and(Columns.floats(new float[EDGES]));
    Among among = new Among(0, 1);
    boolean[] chosen = new boolean[EDGES];
    for (int i = 0; i < EDGES; i++) {
      chosen[i] = from[i] >= 0 && to[i] >= 0 && hits[i] <= 1;
    }
    int count = (int) IntStream.range(0, EDGES).filter(i -> chosen[i]).count();
    Columns keys = Columns.ints(from, to);
    byte[] outcomes = new byte[EDGES];
    try (RecordMap<Edge, Traffic> map = build(RecordSchema.of(Edge.class, Traffic.class));
        RecordMap<Edge, Traffic> all = build(RecordSchema.of(Edge.class, Traffic.class));
        Memory sums = Memory.ofLongs(2)) {
      assertThat(map.insert(keys, values, BulkOptions.NONE.whereRecord(among).outcomes(outcomes)))
          .isEqualTo(new InsertCounts(count, 0, 0));
      assertThat(IntStream.range(0, EDGES).filter(i -> outcomes[i] == Outcome.SKIPPED.code()))
          .hasSize(EDGES - count);
      assertThat(map.insert(keys, values, BulkOptions.NONE.whereRecord(among)))
          .isEqualTo(new InsertCounts(0, count, 0));
      assertThat(all.insert(keys, values).inserted()).isEqualTo(EDGES);
      int[] found = new int[EDGES];
      Columns out =
          Columns.doubles(new double[EDGES])
              .and(Columns.longs(new long[EDGES]))
              .and(Columns.ints(found))
              .and(Columns.floats(new float[EDGES]));
      assertThat(all.find(keys, out, BulkOptions.NONE.whereRecord(among)))
          .isEqualTo(new FindCounts(count, EDGES - count));
      assertThat(found)
          .isEqualTo(IntStream.range(0, EDGES).map(i -> chosen[i] ? hits[i] : 0).toArray());
      assertThat(all.contains(keys, BulkOptions.NONE.whereRecord(among)).found()).isEqualTo(count);
      int[] some = new int[count];
      int[] others = new int[count];
      Columns entries =
          Columns.doubles(new double[count])
              .and(Columns.longs(new long[count]))
              .and(Columns.ints(new int[count]))
              .and(Columns.floats(new float[count]));
      assertThat(all.retrieveIf(Columns.ints(some, others), entries, among)).isEqualTo(count);
      assertThat(some)
          .containsExactlyInAnyOrder(
              IntStream.range(0, EDGES).filter(i -> chosen[i]).map(i -> from[i]).toArray());
      all.visit(new SumHits(DeviceLongs.of(sums)));
      Launcher device = TargetUnderTest.device();
      if (device != null) {
        device.readBack(sums);
      }
      assertThat(DeviceLongs.of(sums).get(0)).isEqualTo(IntStream.of(from).sum());
      assertThat(DeviceLongs.of(sums).get(1)).isEqualTo(IntStream.of(hits).sum());
    }
  }

  @Test
  void packedEntriesAreChosenToo() {
    int[] from = ends(0);
    long[] counts = IntStream.range(0, EDGES).asLongStream().toArray();
    Even even = new Even(-5);
    int count =
        (int) IntStream.range(0, EDGES).filter(i -> from[i] >= -5 && counts[i] % 2 == 0).count();
    Columns keys = Columns.ints(from, ends(3));
    Columns values = Columns.longs(counts);
    try (RecordMap<Edge, Count> map = build(RecordSchema.of(Edge.class, Count.class))) {
      assertThat(map.insert(keys, values, BulkOptions.NONE.whereRecord(even)))
          .isEqualTo(new InsertCounts(count, 0, 0));
      assertThat(map.insert(keys, values).inserted()).isEqualTo(EDGES - count);
      long[] found = new long[EDGES];
      assertThat(map.find(keys, Columns.longs(found), BulkOptions.NONE.whereRecord(even)).found())
          .isEqualTo(count);
      int[] some = new int[EDGES];
      assertThat(
              map.retrieveIf(
                  Columns.ints(some, new int[EDGES]), Columns.longs(new long[EDGES]), even))
          .isEqualTo(count);
      assertThat(IntStream.of(some).limit(count)).allMatch(end -> end >= -5);
    }
  }
}
