package dev.gyre.structures.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.StaleRefException;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.kernels.map.RealFold;
import dev.gyre.kernels.map.RecordEntries;
import dev.gyre.kernels.map.RecordEquality;
import dev.gyre.kernels.map.RecordHash;
import dev.gyre.kernels.map.RowParts;
import dev.gyre.kernels.map.TextColumn;
import dev.gyre.structures.AnyCase;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.Changes;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.MapFullException;
import dev.gyre.structures.map.RecordMap;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Kernels of users' that work on maps of records, and that fold. */
@ConformanceSuite
class LaunchedRecordsTest {

  private static final int ITEMS = 3_000;
  private static final int NODES = 40;

  @BeforeEach
  void alone() {
    TargetUnderTest.assumeAlone();
  }

  record Edge(int from, int to) {}

  record Count(long count) {}

  record Traffic(double bytes, long latest, int hits, float least) {}

  /** Of edges without a direction. */
  record EitherWay() implements RecordHash, RecordEquality {
    @Override
    public long hash(KeyParts edge, long seed) {
      long low = Math.min(edge.first(), edge.second());
      long high = Math.max(edge.first(), edge.second());
      return Hashing.hash(Hashing.hash(low, seed) ^ high, seed);
    }

    @Override
    public boolean same(KeyParts one, KeyParts other) {
      long same = (one.first() ^ other.first()) | (one.second() ^ other.second());
      long turned = (one.first() ^ other.second()) | (one.second() ^ other.first());
      return same == 0 || turned == 0;
    }
  }

  record Plus(double factor) implements RealFold {
    @Override
    public double apply(double present, double given) {
      return present + factor * given;
    }
  }

  /** Counts edges; each has an end that may be less than 0. */
  record CountEdges(RecordMapRef map, OpenItems open, DeviceLongs numbers, int items)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        if (open.isOpen(i)) {
          long number = numbers.get(i);
          KeyParts edge = new KeyParts(number % NODES - 5, number / NODES, 0, 0);
          open.note(i, map.merge(edge, new RowParts(1, 0, 0, 0)));
        }
      }
    }
  }

  /** The same with four columns. */
  record AddTraffic(RecordMapRef map, OpenItems open, DeviceLongs numbers, int items)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        if (open.isOpen(i)) {
          long number = numbers.get(i);
          KeyParts edge = new KeyParts(number % NODES - 5, number / NODES, 0, 0);
          RowParts value =
              new RowParts(
                  RowParts.word(number * 0.5),
                  number,
                  RowParts.word(-1),
                  RowParts.word(-0.25f * i));
          open.note(i, map.merge(edge, value));
        }
      }
    }
  }

  /** Looks edges up, and writes what is found of the first and third columns. */
  record Look(
      RecordMapRef map, DeviceLongs numbers, DeviceInts outcomes, DeviceLongs found, int items)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        long number = numbers.get(i);
        KeyParts edge = new KeyParts(number % NODES - 5, number / NODES, 0, 0);
        RecordEntries.Found there = map.find(edge);
        int also = map.contains(edge);
        outcomes.set(i, there.outcome() + 16 * also);
        RowParts value = there.value();
        long first = (long) (2 * RowParts.toDouble(value.first()));
        found.set(i, first + RowParts.toInt(value.third()));
      }
    }
  }

  private static Edge edge(long number) {
    return new Edge((int) (number % NODES) - 5, (int) (number / NODES));
  }

  private static long[] numbers() {
    return LongStream.range(0, ITEMS).map(i -> i * 7 % 500).toArray();
  }

  private static <K extends Record, V extends Record> Map<K, V> entries(RecordMap<K, V> map) {
    Map<K, V> all = new HashMap<>();
    map.forEach((key, value) -> assertThat(all.put(key, value)).isNull());
    return all;
  }

  @Test
  void edgesArePackedAndCounted() {
    Map<Edge, Count> expected = new HashMap<>();
    for (long number : numbers()) {
      expected.merge(edge(number), new Count(1), (a, b) -> new Count(a.count() + b.count()));
    }
    try (Inputs in = new Inputs();
        var map =
            RecordMap.builder(RecordSchema.of(Edge.class, Count.class))
                .launcher(in.launcher())
                .capacity(4)
                .build()) {
      DeviceLongs numbers = in.longs(numbers());
      OpenItems open = in.open(ITEMS);
      map.changing(Changes.of("count", Apply.ADD))
          .launchUntilDone(ref -> new CountEdges(ref, open, numbers, ITEMS), in.shape(ITEMS));
      assertThat(entries(map)).isEqualTo(expected);
      // Without changes, values stay.
      OpenItems again = in.open(ITEMS);
      map.launchUntilDone(ref -> new CountEdges(ref, again, numbers, ITEMS), in.shape(ITEMS));
      assertThat(entries(map)).isEqualTo(expected);
    }
  }

  /** All that a map can do in a kernel. */
  record DoAll(RecordMapRef map, DeviceLongs told, int items) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        KeyParts edge = new KeyParts(i, -i, 0, 0);
        RowParts value = new RowParts(RowParts.word(0.5), i, 0, 0);
        long outcomes = map.insert(edge, value);
        outcomes = 16 * outcomes + map.merge(edge, value);
        outcomes = 16 * outcomes + map.contains(edge);
        RecordEntries.Found there = map.find(edge);
        told.set(i, 16 * outcomes + there.outcome());
      }
    }
  }

  @Test
  void oneKernelDoesAllThatThereIs() {
    int items = 20;
    try (Inputs in = new Inputs();
        var map =
            RecordMap.builder(RecordSchema.of(Edge.class, Traffic.class))
                .launcher(in.launcher())
                .build()) {
      DeviceLongs told = in.longs(new long[items]);
      map.launch(ref -> new DoAll(ref, told, items), in.shape(items));
      in.launcher().readBack(told.memory());
      long all =
          ((MapCodes.INSERTED * 16 + MapCodes.PRESENT) * 16 + MapCodes.FOUND) * 16 + MapCodes.FOUND;
      for (int i = 0; i < items; i++) {
        assertThat(told.get(i)).isEqualTo(all);
      }
      assertThat(map.size()).isEqualTo(items);
    }
  }

  @Test
  void columnsAreChangedEachByItself() {
    Map<Edge, Traffic> expected = new HashMap<>();
    long[] given = numbers();
    for (int i = 0; i < ITEMS; i++) {
      Traffic one = new Traffic(given[i] * 0.5, given[i], -1, -0.25f * i);
      expected.merge(
          edge(given[i]),
          one,
          (a, b) ->
              new Traffic(
                  a.bytes() + 2 * b.bytes(),
                  Math.max(a.latest(), b.latest()),
                  a.hits() + b.hits(),
                  Math.min(a.least(), b.least())));
    }
    Changes changes =
        Changes.of("hits", Apply.ADD)
            .and("latest", Apply.MAX)
            .and("least", Apply.MIN)
            .andReal("bytes", new Plus(2));
    try (Inputs in = new Inputs();
        var map =
            RecordMap.builder(RecordSchema.of(Edge.class, Traffic.class))
                .launcher(in.launcher())
                .capacity(4)
                .build()) {
      DeviceLongs numbers = in.longs(given);
      OpenItems open = in.open(ITEMS);
      map.changing(changes)
          .launchUntilDone(ref -> new AddTraffic(ref, open, numbers, ITEMS), in.shape(ITEMS));
      assertThat(entries(map)).isEqualTo(expected);
      requireFound(in, map, expected);
    }
  }

  private static void requireFound(
      Inputs in, RecordMap<Edge, Traffic> map, Map<Edge, Traffic> expected) {
    long[] sought = LongStream.range(0, 600).toArray();
    DeviceLongs numbers = in.longs(sought);
    DeviceInts outcomes = in.ints(sought.length);
    DeviceLongs found = in.longs(new long[sought.length]);
    map.launch(
        ref -> new Look(ref, numbers, outcomes, found, sought.length), in.shape(sought.length));
    int[] codes = in.read(outcomes);
    in.launcher().readBack(found.memory());
    List<String> told = new ArrayList<>();
    List<String> wanted = new ArrayList<>();
    for (int i = 0; i < sought.length; i++) {
      Traffic there = expected.get(edge(sought[i]));
      int outcome = there == null ? MapCodes.ABSENT : MapCodes.FOUND;
      long sum = there == null ? 0 : (long) (2 * there.bytes()) + there.hits();
      wanted.add("%d: %d %d".formatted(i, outcome + 16 * outcome, sum));
      told.add("%d: %d %d".formatted(i, codes[i], found.get(i)));
    }
    assertThat(told).isEqualTo(wanted);
  }

  @Test
  void equalKeysAreThoseOfTheUsersEquality() {
    var schema =
        RecordSchema.of(Edge.class, Count.class).hash(new EitherWay()).equality(new EitherWay());
    try (Inputs in = new Inputs();
        var map = RecordMap.builder(schema).launcher(in.launcher()).capacity(ITEMS).build()) {
      // From 2 to 1, and from 1 to 2.
      DeviceLongs numbers = in.longs(NODES + 7, 6 + 2 * NODES, NODES + 7);
      OpenItems open = in.open(3);
      map.changing(Changes.of("count", Apply.ADD))
          .launchUntilDone(ref -> new CountEdges(ref, open, numbers, 3), in.shape(3));
      assertThat(map.size()).isEqualTo(1);
      assertThat(map.get(new Edge(1, 2))).contains(new Count(3));
    }
  }

  @Test
  void aMapOfFixedCapacityIsFullAndARefIsOfItsLaunch() {
    try (Inputs in = new Inputs();
        var map =
            RecordMap.builder(RecordSchema.of(Edge.class, Traffic.class))
                .launcher(in.launcher())
                .fixedCapacity(20)
                .build()) {
      DeviceLongs numbers = in.longs(numbers());
      OpenItems open = in.open(ITEMS);
      List<RecordMapRef> kept = new ArrayList<>();
      assertThatThrownBy(
              () ->
                  map.launchUntilDone(
                      ref -> {
                        kept.add(ref);
                        return new AddTraffic(ref, open, numbers, ITEMS);
                      },
                      in.shape(ITEMS)))
          .isInstanceOf(MapFullException.class);
      assertThat(map.size()).isEqualTo(20);
      AddTraffic late = new AddTraffic(kept.getFirst(), open, numbers, ITEMS);
      assertThatThrownBy(() -> in.launcher().run(late, in.shape(ITEMS)))
          .isInstanceOf(StaleRefException.class);
      assertThatThrownBy(() -> map.changing(Changes.of("weight", Apply.ADD)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no column weight");
    }
  }

  record Saturating(long most) implements Fold {
    @Override
    public long apply(long present, long given) {
      long sum = present + given;
      return sum > most ? most : sum;
    }
  }

  /** Folds by a function that the kernel makes. */
  record FoldAll(LongMapRef map, OpenItems open, DeviceLongs keys, int items) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        if (open.isOpen(i)) {
          open.note(i, map.merge(keys.get(i), 3, new Saturating(10)));
        }
      }
    }
  }

  /** Folds by a function that it is given. */
  record FoldTexts(TextMapRef map, OpenItems open, TextColumn words, Saturating fold, int items)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        if (open.isOpen(i)) {
          open.note(i, map.merge(words, i, 3, fold));
        }
      }
    }
  }

  @Test
  void foldsAreDoneThroughARef() {
    long[] keys = LongStream.range(0, 400).map(i -> i % 150).toArray();
    Map<Long, Long> expected = new HashMap<>();
    LongStream.of(keys).forEach(k -> expected.merge(k, 3L, (a, b) -> Math.min(10, a + b)));
    expected.replaceAll((_, sum) -> Math.min(10, 2 * sum));
    try (Inputs in = new Inputs();
        var map = LongLongMap.builder().launcher(in.launcher()).build()) {
      DeviceLongs all = in.longs(keys);
      for (int round = 0; round < 2; round++) {
        OpenItems open = in.open(keys.length);
        map.launchUntilDone(ref -> new FoldAll(ref, open, all, keys.length), in.shape(keys.length));
      }
      Map<Long, Long> there = new HashMap<>();
      map.forEach(there::put);
      assertThat(there).isEqualTo(expected);
    }
  }

  @Test
  void foldsOfTextsToo() {
    List<String> words = IntStream.range(0, 90).mapToObj(i -> "word " + i % 20).toList();
    try (Inputs in = new Inputs();
        var map = TextLongMap.builder().launcher(in.launcher()).build();
        var keys = new TextKeys()) {
      words.forEach(keys::add);
      TextColumn column = keys.column(in.launcher());
      OpenItems open = in.open(90);
      map.launchUntilDone(
          ref -> new FoldTexts(ref, open, column, new Saturating(10), 90), in.shape(90));
      assertThat(map.size()).isEqualTo(20);
      assertThat(map.get("word 3")).hasValue(10);
      assertThat(map.get("word 19")).hasValue(10);
    }
  }

  @Test
  void textsAreEqualByTheUsersEqualityToo() {
    List<String> words =
        IntStream.range(0, 90).mapToObj(i -> (i % 2 == 0 ? "word " : "WoRD ") + i % 15).toList();
    try (Inputs in = new Inputs();
        var map =
            TextLongMap.builder()
                .launcher(in.launcher())
                .textHash(new AnyCase(-1))
                .capacity(2)
                .textBytes(8)
                .build();
        var keys = new TextKeys()) {
      words.forEach(keys::add);
      TextColumn column = keys.column(in.launcher());
      OpenItems open = in.open(90);
      map.launchUntilDone(
          ref -> new FoldTexts(ref, open, column, new Saturating(100), 90), in.shape(90));
      assertThat(map.size()).isEqualTo(15);
      assertThat(map.get("WORD 3")).hasValue(18);
      assertThat(map.get("word 14")).hasValue(18);
    }
  }
}
