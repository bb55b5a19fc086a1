package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.MapAdapter.Change;
import dev.gyre.structures.map.MapAdapter.Kind;
import dev.gyre.structures.map.MapAdapter.Scale;
import dev.gyre.structures.map.store.TextStore;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A map with one worker does with equal keys of one operation what a sequential map does, of any
 * size, and wherever it grows: the first is INSERTED, the last is assigned.
 */
@Tag("slow")
class EqualKeysInOrderTest {

  private static final long SEED = 7;
  private static final int STEP = TextStore.STEP;

  /** Large enough that every layout puts the keys of a batch in order. */
  private static final int LARGE = 1 << 21;

  record Case(Kind kind, Change change) {}

  static Stream<Kind> kinds() {
    return Stream.of(
        new Kind(false, Layout.REFERENCE, 1),
        new Kind(false, Layout.PACKED, 1),
        new Kind(true, Layout.REFERENCE, 1),
        new Kind(true, Layout.LINE, 1),
        new Kind(true, Layout.LINE, 1, Waiting.DEFERRED));
  }

  static Stream<Case> cases() {
    List<Change> changes =
        List.of(Change.KEEP, Change.FETCH, Change.ASSIGN, Change.ADD, Change.FOLD);
    return kinds().flatMap(kind -> changes.stream().map(change -> new Case(kind, change)));
  }

  /** Numbers of keys around those at which a map of a capacity grows, and steps end. */
  private static Set<Integer> sizes(int capacity) {
    Set<Integer> sizes = new TreeSet<>();
    for (int size : List.of(1, capacity, 2 * capacity, STEP, 2 * STEP, STEP + capacity, 9_000)) {
      sizes.addAll(List.of(Math.max(1, size - 1), size, size + 1));
    }
    return sizes;
  }

  /** Keys of which about two thirds come more than once. */
  private static long[] keys(int count) {
    return new SplittableRandom(count).longs(count, 0, Math.max(1, count / 2)).toArray();
  }

  private static long[] values(int count) {
    return IntStream.range(0, count).mapToLong(i -> (i * 31L) % 1_009 - 500).toArray();
  }

  private static long changed(Change change, long before, long value) {
    return switch (change) {
      case KEEP, FETCH -> before;
      case ASSIGN -> value;
      case ADD -> before + value;
      case FOLD -> Scale.BY_ODD.apply(before, value);
      case MIN, MAX, AND, OR, XOR -> throw new IllegalArgumentException("whatever the order");
    };
  }

  @ParameterizedTest
  @MethodSource("cases")
  void numbersAreTakenAsASequentialMapTakesThem(Case c) {
    for (int capacity : new int[] {1, 1_024}) {
      for (int size : sizes(capacity)) {
        try (MapAdapter map = c.kind.build(capacity, false, 0.5, SEED)) {
          assertTakenInOrder(c, map, keys(size), size + " keys, capacity " + capacity);
        }
      }
    }
  }

  private static void assertTakenInOrder(Case c, MapAdapter map, long[] keys, String what) {
    Change change = c.change;
    long[] values = values(keys.length);
    Map<Long, Long> expected = new HashMap<>();
    byte[] expectedOutcomes = new byte[keys.length];
    for (int i = 0; i < keys.length; i++) {
      Long before = expected.get(keys[i]);
      long after = before == null ? values[i] : changed(change, before, values[i]);
      expected.put(keys[i], c.kind.wrap(after));
      expectedOutcomes[i] = (before == null ? Outcome.INSERTED : Outcome.PRESENT).code();
    }
    byte[] outcomes = new byte[keys.length];
    long[] found = change == Change.FETCH ? new long[keys.length] : null;
    var _ = map.insert(keys, values, change, found, BulkOptions.NONE.outcomes(outcomes));
    assertThat(map.entries()).as(what).isEqualTo(expected);
    assertThat(outcomes).as(what).isEqualTo(expectedOutcomes);
    if (found != null) {
      assertThat(found).as(what).isEqualTo(Arrays.stream(keys).map(expected::get).toArray());
    }
  }

  /** Whatever finds no room, what equal keys do is done by the first of them. */
  @ParameterizedTest
  @MethodSource("kinds")
  void aFullMapTakesTheFirstKeysAndTheirFirstValues(Kind kind) {
    for (int capacity : new int[] {1, 1_000, 3_000, STEP, 6_000}) {
      long[] keys = keys(3 * STEP + 100);
      long[] values = values(keys.length);
      Map<Long, Long> expected = new HashMap<>();
      for (int i = 0; i < keys.length; i++) {
        if (expected.size() < capacity) {
          expected.putIfAbsent(keys[i], values[i]);
        }
      }
      try (MapAdapter map = kind.build(capacity, true, 0.5, SEED)) {
        var _ = map.insert(keys, values, Change.KEEP, null, BulkOptions.NONE);
        assertThat(map.entries()).as("capacity %d", capacity).isEqualTo(expected);
      }
    }
  }

  /** The table grows in the middle of keys that were put in its order. */
  @ParameterizedTest
  @MethodSource("kinds")
  void largeTablesAreNoException(Kind kind) {
    long[] keys = new SplittableRandom(3).longs(300_000, 0, 270_000).toArray();
    long[] values = IntStream.range(0, keys.length).asLongStream().toArray();
    long[] first = new long[270_000];
    long[] last = new long[270_000];
    for (int i = 0; i < keys.length; i++) {
      last[(int) keys[i]] = i;
      int fromTheEnd = keys.length - 1 - i;
      first[(int) keys[fromTheEnd]] = fromTheEnd;
    }
    for (Change change : List.of(Change.KEEP, Change.ASSIGN)) {
      try (MapAdapter map = kind.build(LARGE, false, 0.5, SEED)) {
        var _ = map.insert(keys, values, change, null, BulkOptions.NONE);
        assertFound(map, keys, change == Change.KEEP ? first : last);
      }
    }
  }

  private static void assertFound(MapAdapter map, long[] keys, long[] expected) {
    long[] found = new long[keys.length];
    assertThat(map.find(keys, found, BulkOptions.NONE).absent()).isZero();
    for (int i = 0; i < keys.length; i++) {
      if (found[i] != expected[(int) keys[i]]) {
        assertThat(found[i]).as("value of key %d", keys[i]).isEqualTo(expected[(int) keys[i]]);
      }
    }
  }

  /** Capacity is left for the last step of the key's region, and not for the first. */
  @ParameterizedTest
  @MethodSource("kinds")
  void oneKeyOftenWhereThereIsLittleRoom(Kind kind) {
    long[] others = IntStream.range(1, LARGE - 30_000).asLongStream().toArray();
    long[] keys = new long[70_000];
    long[] values = IntStream.range(0, keys.length).asLongStream().toArray();
    for (Change change : List.of(Change.KEEP, Change.ASSIGN)) {
      try (MapAdapter map = kind.build(LARGE, false, 0.5, SEED)) {
        var _ = map.insert(others, others, Change.KEEP, null, BulkOptions.NONE);
        var _ = map.insert(keys, values, change, null, BulkOptions.NONE);
        long[] found = new long[1];
        var _ = map.find(new long[] {0}, found, BulkOptions.NONE);
        assertThat(found[0]).isEqualTo(change == Change.KEEP ? 0 : keys.length - 1);
      }
    }
  }

  private static List<String> texts(long[] keys) {
    return Arrays.stream(keys)
        .mapToObj(key -> (key % 3 == 0 ? "a text that is in the arena " : "") + key)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_024})
  void textsAreTakenAsASequentialMapTakesThem(int capacity) {
    Set<Integer> sizes = new HashSet<>(sizes(capacity));
    sizes.add(17_000);
    for (int size : sizes) {
      for (long textBytes : new long[] {1, 1 << 20}) {
        MapBuilder<TextLongMap> builder =
            TextLongMap.builder().workers(1).capacity(capacity).textBytes(textBytes);
        assertTextsInOrder(builder, keys(size), "%d keys, %d bytes".formatted(size, textBytes));
      }
    }
  }

  private static void assertTextsInOrder(
      MapBuilder<TextLongMap> builder, long[] numbers, String what) {
    List<String> keys = texts(numbers);
    long[] values = IntStream.range(0, keys.size()).asLongStream().toArray();
    Map<String, Long> first = new HashMap<>();
    Map<String, Long> last = new HashMap<>();
    for (int i = 0; i < values.length; i++) {
      first.putIfAbsent(keys.get(i), values[i]);
      last.put(keys.get(i), values[i]);
    }
    try (TextLongMap inserted = builder.build();
        TextLongMap assigned = builder.build()) {
      var _ = inserted.insert(keys, values);
      var _ = assigned.insertOrAssign(keys, values);
      assertThat(new HashMap<>(inserted.asMap())).as(what).isEqualTo(first);
      assertThat(new HashMap<>(assigned.asMap())).as(what).isEqualTo(last);
    }
  }

  @Test
  void textsOfAFullMapAreThoseThatCameFirst() {
    List<String> keys = texts(keys(3 * STEP + 100));
    long[] values = IntStream.range(0, keys.size()).asLongStream().toArray();
    Map<String, Long> expected = new HashMap<>();
    for (int i = 0; i < values.length; i++) {
      if (expected.size() < 3_000) {
        expected.putIfAbsent(keys.get(i), values[i]);
      }
    }
    try (TextLongMap map =
        TextLongMap.builder().workers(1).fixedCapacity(3_000).textBytes(1 << 20).build()) {
      var _ = map.insert(keys, values);
      assertThat(new HashMap<>(map.asMap())).isEqualTo(expected);
    }
  }
}
