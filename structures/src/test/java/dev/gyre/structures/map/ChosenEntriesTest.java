package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.KernelException;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.EntryVisitor;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.kernels.map.TextVisitor;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.map.MapAdapter.Change;
import dev.gyre.structures.map.MapAdapter.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ObjLongConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Predicates and visitors of users', on the JVM or the device under test. */
@ConformanceSuite
class ChosenEntriesTest {

  /** Of key and value together, so that neither will do. */
  record SumDivides(long by) implements EntryPredicate {
    @Override
    public boolean test(long key, long value) {
      return (key + value) % by == 0;
    }
  }

  /** Adds up all keys and all values, and counts. */
  record AddUp(DeviceLongs sums) implements EntryVisitor, TextVisitor {
    @Override
    public void visit(long key, long value) {
      add(key, value);
    }

    @Override
    public void visit(Text key, long value) {
      long bytes = 0;
      for (int i = 0; i < key.length(); i++) {
        bytes += key.byteAt(i) * (i + 1L);
      }
      add(bytes, value);
    }

    private void add(long key, long value) {
      sums.fetchAddRelaxed(0, key);
      sums.fetchAddRelaxed(1, value);
      sums.fetchAddRelaxed(2, 1);
    }
  }

  /** Of length, a letter and the value. */
  record HasLetter(int at, int letter, long least) implements TextPredicate {
    @Override
    public boolean test(Text key, long value) {
      boolean has = false;
      if (key.length() > at && value >= least) {
        has = key.byteAt(at) == letter;
      }
      return has;
    }

    boolean of(String key, long value) {
      return key.length() > at && key.charAt(at) == letter && value >= least;
    }
  }

  /** Of what the value divides; nobody can divide by 0. */
  record Divides(long number) implements EntryPredicate, TextPredicate {
    @Override
    public boolean test(long key, long value) {
      return number % value == 0;
    }

    @Override
    public boolean test(Text key, long value) {
      return number % value == 0;
    }
  }

  private record Named(String name) implements EntryPredicate, TextPredicate {
    @Override
    public boolean test(long key, long value) {
      return key == name.length();
    }

    @Override
    public boolean test(Text key, long value) {
      return key.length() == name.length();
    }
  }

  static List<Kind> kinds() {
    return Kind.all();
  }

  private static long[] numbers(int seed, int count) {
    return new SplittableRandom(seed).longs(count, -20_000, 20_000).toArray();
  }

  /** What a visitor of all entries has added up. */
  private static long[] addedUp(java.util.function.Consumer<AddUp> visit) {
    try (Memory memory = Memory.ofLongs(3)) {
      DeviceLongs sums = DeviceLongs.of(memory);
      visit.accept(new AddUp(sums));
      Launcher device = TargetUnderTest.device();
      if (device != null) {
        device.readBack(memory);
      }
      return new long[] {sums.get(0), sums.get(1), sums.get(2)};
    }
  }

  /** Few keys, and so many that they are put in the order of the table. */
  @ParameterizedTest
  @MethodSource("kinds")
  void numbers(Kind kind) {
    SumDivides by3 = new SumDivides(3);
    for (int count : new int[] {0, 1, 100, 60_000}) {
      long[] keys = LongStream.of(numbers(count, count)).distinct().toArray();
      long[] values = numbers(count + 1, keys.length);
      boolean[] mask = new boolean[keys.length];
      Map<Long, Long> expected = new HashMap<>();
      for (int i = 0; i < keys.length; i++) {
        mask[i] = i % 5 != 0;
        if (mask[i] && by3.test(keys[i], values[i])) {
          expected.put(keys[i], values[i]);
        }
      }
      try (MapAdapter map = kind.build(Math.max(1, 8 * count), false, 0.5, 42)) {
        byte[] outcomes = new byte[keys.length];
        InsertCounts counts =
            map.insert(
                keys,
                values,
                Change.KEEP,
                null,
                BulkOptions.NONE.where(by3).where(mask).outcomes(outcomes));
        assertThat(counts).isEqualTo(new InsertCounts(expected.size(), 0, 0));
        for (int i = 0; i < keys.length; i++) {
          Outcome wanted = expected.containsKey(keys[i]) ? Outcome.INSERTED : Outcome.SKIPPED;
          assertThat(outcomes[i]).isEqualTo(wanted.code());
        }
        assertThat(map.entries()).isEqualTo(expected);
        assertFindsChosen(map, keys, expected);
        assertRetrievesChosen(map, expected);
        assertThat(addedUp(visitor -> map.visit(visitor)))
            .containsExactly(
                expected.keySet().stream().mapToLong(k -> k).sum(),
                expected.values().stream().mapToLong(v -> v).sum(),
                expected.size());
      }
    }
  }

  private static void assertFindsChosen(MapAdapter map, long[] keys, Map<Long, Long> entries) {
    SumDivides by2 = new SumDivides(2);
    byte[] outcomes = new byte[keys.length];
    long[] found = new long[keys.length];
    FindCounts counts = map.find(keys, found, BulkOptions.NONE.where(by2).outcomes(outcomes));
    long hits = 0;
    for (int i = 0; i < keys.length; i++) {
      Long value = entries.get(keys[i]);
      boolean hit = value != null && by2.test(keys[i], value);
      hits += hit ? 1 : 0;
      assertThat(found[i]).isEqualTo(value != null && hit ? value : 0);
      assertThat(outcomes[i]).isEqualTo((hit ? Outcome.FOUND : Outcome.ABSENT).code());
    }
    assertThat(counts).isEqualTo(new FindCounts(hits, keys.length - hits));
    assertThat(map.find(keys, null, BulkOptions.NONE.where(by2))).isEqualTo(counts);
  }

  private static void assertRetrievesChosen(MapAdapter map, Map<Long, Long> entries) {
    SumDivides by6 = new SumDivides(6);
    Map<Long, Long> expected = new HashMap<>(entries);
    expected.entrySet().removeIf(e -> !by6.test(e.getKey(), e.getValue()));
    long[] keys = new long[expected.size()];
    long[] values = new long[expected.size()];
    assertThat(map.retrieveIf(keys, values, by6)).isEqualTo(expected.size());
    Map<Long, Long> actual = new HashMap<>();
    for (int i = 0; i < keys.length; i++) {
      MapAdapter.put(actual, keys[i], values[i]);
    }
    assertThat(actual).isEqualTo(expected);
    if (!expected.isEmpty()) {
      long[] fewer = new long[expected.size() - 1];
      assertThatThrownBy(() -> map.retrieveIf(fewer, values, by6))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("do not fit");
    }
  }

  /** What comes of a value that is there is not asked: the predicate sees what is given. */
  @ParameterizedTest
  @MethodSource("kinds")
  void changesOfChosenKeys(Kind kind) {
    try (MapAdapter map = kind.build(4, true, 1, 42)) {
      long[] keys = {1, 2, 3, 4};
      assertThat(map.insert(keys, keys, Change.KEEP, null, BulkOptions.NONE).inserted())
          .isEqualTo(4);
      long[] found = {9, 9, 9, 9, 9};
      BulkOptions odd = BulkOptions.NONE.where(new SumDivides(2));
      long[] more = {1, 2, 3, 4, 5};
      long[] given = {7, 7, 7, 7, 7};
      InsertCounts counts = map.insert(more, given, Change.FETCH, found, odd);
      assertThat(counts).isEqualTo(new InsertCounts(0, 2, 1));
      assertThat(found).containsExactly(1, 9, 3, 9, 7);
      assertThat(map.insert(keys, keys, Change.ADD, null, odd).present()).isEqualTo(4);
      assertThat(map.insert(more, given, Change.FOLD, null, odd).present()).isEqualTo(2);
      assertThat(map.entries()).isEqualTo(Map.of(1L, 30L, 2L, 4L, 3L, 90L, 4L, 8L));
    }
  }

  /** A key that a mask leaves out, or that is absent, is no entry that a predicate is asked of. */
  @ParameterizedTest
  @MethodSource("kinds")
  void predicatesAreAskedOfNothingElse(Kind kind) {
    Divides six = new Divides(6);
    for (int count : new int[] {6, 60_000}) {
      long[] keys = LongStream.range(0, count).toArray();
      long[] values = LongStream.of(keys).map(key -> key % 6).toArray();
      boolean[] mask = new boolean[count];
      for (int i = 0; i < count; i++) {
        mask[i] = values[i] != 0;
      }
      try (MapAdapter map = kind.build(8L * count, false, 0.5, 42)) {
        BulkOptions chosen = BulkOptions.NONE.where(mask).where(six);
        assertThat(map.insert(keys, values, Change.KEEP, null, chosen).inserted())
            .isEqualTo(count / 2);
        assertThat(map.find(keys, null, BulkOptions.NONE.where(six)))
            .isEqualTo(new FindCounts(count / 2, count / 2));
      }
    }
  }

  @Test
  void predicatesOfTextsAreAskedOfNothingElse() {
    BulkOptions six = BulkOptions.NONE.whereText(new Divides(6));
    try (TextLongMap map = builder(2).build();
        TextKeys keys = TextKeys.of(List.of("none", "two", "four"))) {
      BulkOptions some = six.where(new boolean[] {false, true, true});
      assertThat(map.insert(keys, Longs.of(0, 2, 4), some)).isEqualTo(new InsertCounts(1, 0, 0));
      assertThat(map.find(keys, Longs.of(9, 9, 9), six)).isEqualTo(new FindCounts(1, 2));
    }
  }

  private static MapBuilder<TextLongMap> builder(int threads) {
    MapBuilder<TextLongMap> builder = TextLongMap.builder().workers(threads).seed(42);
    Launcher device = TargetUnderTest.device();
    return device == null ? builder : builder.launcher(device);
  }

  private static Map<String, Long> entries(ObjLongWalk walk) {
    Map<String, Long> entries = new HashMap<>();
    walk.run((key, value) -> assertThat(entries.put(key, value)).as(key).isNull());
    return entries;
  }

  @FunctionalInterface
  private interface ObjLongWalk {
    void run(ObjLongConsumer<String> action);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void texts(int threads) {
    HasLetter tenth = new HasLetter(9, 'e', 20);
    List<String> keys =
        IntStream.range(0, 9_000).mapToObj(i -> "a key of " + (char) ('a' + i % 7) + i).toList();
    long[] values = LongStream.range(0, keys.size()).map(i -> i % 100).toArray();
    Map<String, Long> expected = new HashMap<>();
    for (int i = 0; i < values.length; i++) {
      if (tenth.of(keys.get(i), values[i])) {
        expected.put(keys.get(i), values[i]);
      }
    }
    try (TextLongMap map = builder(threads).capacity(16).textBytes(8).build();
        TextKeys allKeys = TextKeys.of(keys)) {
      assertThat(map.insert(allKeys, Longs.of(values), BulkOptions.NONE.whereText(tenth)))
          .isEqualTo(new InsertCounts(expected.size(), 0, 0));
      assertThat(map.insert(List.of("e", "", "12345678"), new long[] {50, 60, 70}).inserted())
          .isEqualTo(3);
      expected.putAll(Map.of("e", 50L, "", 60L, "12345678", 70L));
      assertThat(entries(map::forEach)).isEqualTo(expected);
      HasLetter fewer = new HasLetter(9, 'e', 60);
      long[] found = new long[keys.size()];
      FindCounts counts = map.find(allKeys, Longs.of(found), BulkOptions.NONE.whereText(fewer));
      Map<String, Long> chosen = new HashMap<>(expected);
      chosen.entrySet().removeIf(e -> !fewer.of(e.getKey(), e.getValue()));
      assertThat(counts).isEqualTo(new FindCounts(chosen.size(), keys.size() - chosen.size()));
      for (int i = 0; i < found.length; i++) {
        assertThat(found[i]).isEqualTo(chosen.getOrDefault(keys.get(i), 0L));
      }
      try (TextKeys all = new TextKeys()) {
        long[] of = new long[chosen.size()];
        assertThat(map.retrieveIf(all, Longs.of(of), fewer)).isEqualTo(of.length);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < of.length; i++) {
          assertThat(chosen.get(all.text(i))).isEqualTo(of[i]);
          names.add(all.text(i));
        }
        assertThat(names).containsExactlyInAnyOrderElementsOf(chosen.keySet());
      }
      long bytes = 0;
      for (String key : expected.keySet()) {
        for (int i = 0; i < key.length(); i++) {
          bytes += (i + 1) * (long) key.charAt(i);
        }
      }
      assertThat(addedUp(map::visit))
          .containsExactly(
              bytes, expected.values().stream().mapToLong(v -> v).sum(), expected.size());
    }
  }

  @Test
  void predicatesThatAreNone() {
    EntryPredicate lambda = (key, value) -> key > value;
    long[] one = {1};
    try (LongLongMap map = LongLongMap.create();
        TextLongMap texts = TextLongMap.create()) {
      assertThatThrownBy(() -> BulkOptions.NONE.where(lambda))
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("not a record");
      for (EntryPredicate predicate : List.of(lambda, new Named("no number"))) {
        assertThatThrownBy(() -> BulkOptions.NONE.where(predicate))
            .isInstanceOf(KernelException.class);
        assertThatThrownBy(() -> map.retrieveIf(one, one, predicate))
            .isInstanceOf(KernelException.class);
      }
      assertThatThrownBy(() -> BulkOptions.NONE.whereText(new Named("no number")))
          .isInstanceOf(KernelException.class);
      BulkOptions ofTexts = BulkOptions.NONE.whereText(new HasLetter(1, 2, 3));
      assertThatThrownBy(() -> map.insert(Longs.of(one), Longs.of(one), ofTexts))
          .hasMessage("the keys are numbers: use an EntryPredicate");
      try (TextKeys keys = TextKeys.of(List.of("key"))) {
        BulkOptions ofNumbers = BulkOptions.NONE.where(new SumDivides(1));
        assertThatThrownBy(() -> texts.find(keys, Longs.of(one), ofNumbers))
            .hasMessage("the keys are texts: use a TextPredicate");
      }
      assertThat(map.size()).isZero();
    }
  }
}
