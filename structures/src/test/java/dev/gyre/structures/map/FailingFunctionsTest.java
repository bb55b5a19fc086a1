package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.RecordHash;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextHash;
import java.time.Duration;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A function of the user's that throws, in whichever of its calls, leaves no slot claimed, no lock
 * held and no capacity taken.
 */
@Timeout(120)
class FailingFunctionsTest {

  private static final int CAPACITY = 8;

  /** What the arena takes for a key; there is none to waste. */
  private static final long TEXT_BYTES = 24;

  /** More than any operation makes. */
  private static final int CALLS = 8;

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** In element 0, which call throws; none does if it is not above 0. */
  private static final Memory LEFT = Memory.ofInts(1);

  /**
   * A hash and a fold that throw in one of their calls.
   *
   * @param left which one
   */
  record Failing(DeviceInts left) implements Hash, TextHash, RecordHash, Fold {

    private long call() {
      int call = left.get(0);
      left.set(0, call - 1);
      // Throws in the last call.
      return 0 / (call - 1);
    }

    @Override
    public long hash(long key, long seed) {
      return key + call();
    }

    @Override
    public long hash(Text key, long seed) {
      return key.word(0) + call();
    }

    @Override
    public long hash(KeyParts key, long seed) {
      return key.first() + call();
    }

    @Override
    public long apply(long present, long given) {
      return present + given + call();
    }
  }

  private record Key(long first, int second) {}

  private record Value(long value) {}

  private record Pair(long first, long second) {}

  /**
   * A map or set of fixed capacity.
   *
   * @param put inserts a key, or changes what is there
   */
  record Case(String name, HashTable<?, ?, ?> map, IntConsumer put) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Failing failing() {
    return new Failing(DeviceInts.of(LEFT));
  }

  private static void setLeft(int calls) {
    DeviceInts.of(LEFT).set(0, calls);
  }

  private static <M> MapBuilder<M> small(MapBuilder<M> builder, boolean removable) {
    MapBuilder<M> small =
        builder.fixedCapacity(CAPACITY).textBytes(CAPACITY * TEXT_BYTES).pollLimit(1000).workers(1);
    return removable ? small.removable() : small;
  }

  private static <V extends Record> RecordMap<Key, V> records(Class<V> values, boolean removable) {
    return small(RecordMap.builder(RecordSchema.of(Key.class, values).hash(failing())), removable)
        .build();
  }

  static Stream<Case> cases() {
    return Stream.of(false, true).flatMap(FailingFunctionsTest::cases);
  }

  private static Stream<Case> cases(boolean removable) {
    Failing failing = failing();
    Stream.Builder<Case> all = Stream.builder();
    for (Layout layout : new Layout[] {Layout.LINE, Layout.REFERENCE}) {
      LongLongMap map =
          small(LongLongMap.builder(), removable).layout(layout).hash(failing).build();
      all.add(new Case("longs " + layout, map, key -> map.put(key, key)));
      LongLongMap merged =
          small(LongLongMap.builder(), removable).layout(layout).hash(failing).build();
      all.add(new Case("merge " + layout, merged, key -> merged.merge(key, key, failing)));
      LongLongMap bulk =
          small(LongLongMap.builder(), removable).layout(layout).hash(failing).build();
      all.add(
          new Case(
              "bulk " + layout,
              bulk,
              key -> bulk.insertOrApply(new long[] {key}, new long[] {1}, failing)));
    }
    for (Layout layout : new Layout[] {Layout.PACKED, Layout.REFERENCE}) {
      IntIntMap map = small(IntIntMap.builder(), removable).layout(layout).hash(failing).build();
      all.add(new Case("ints " + layout, map, key -> map.put(key, key)));
    }
    LongSet set = small(LongSet.builder(), removable).hash(failing).build();
    all.add(new Case("set", set, set::add));
    TextLongMap texts = small(TextLongMap.builder(), removable).textHash(failing).build();
    all.add(new Case("texts", texts, key -> texts.put("a key of some length " + key, key)));
    TextLongMap bulkTexts = small(TextLongMap.builder(), removable).textHash(failing).build();
    all.add(
        new Case(
            "bulk texts",
            bulkTexts,
            key -> bulkTexts.insert(List.of("a key of some length " + key), new long[] {key})));
    TextLongMap foldedTexts = small(TextLongMap.builder(), removable).textHash(failing).build();
    all.add(
        new Case(
            "folded texts",
            foldedTexts,
            key -> {
              try (TextKeys keys = TextKeys.of(List.of("a key of some length " + key))) {
                foldedTexts.insertOrApply(keys, Longs.of(key), failing, BulkOptions.NONE);
              }
            }));
    RecordMap<Key, Value> values = records(Value.class, removable);
    all.add(new Case("records", values, key -> values.put(new Key(key, 1), new Value(key))));
    RecordMap<Key, Pair> pairs = records(Pair.class, removable);
    all.add(new Case("pairs", pairs, key -> pairs.put(new Key(key, 1), new Pair(key, key))));
    RecordMap<Key, Pair> folded = records(Pair.class, removable);
    Changes changes = Changes.of("second", failing);
    all.add(
        new Case(
            "folded pairs",
            folded,
            key ->
                folded.insertOrApply(
                    Columns.longs(new long[] {key}).and(Columns.ints(new int[] {1})),
                    Columns.longs(new long[] {key}, new long[] {key}),
                    changes)));
    return all.build();
  }

  @AfterAll
  static void free() {
    LEFT.close();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void leavesNothingBehind(Case one) {
    int thrown = 0;
    for (int call = 1; call <= CALLS; call++) {
      // A new key, and one that is there.
      for (int key : new int[] {call, 1}) {
        setLeft(call);
        try {
          one.put.accept(key);
        } catch (ArithmeticException e) {
          thrown++;
        }
        setLeft(0);
        assertTimeoutPreemptively(PATIENCE, () -> one.put.accept(key), "the same again");
        assertThat(one.map.size()).isEqualTo(call);
      }
    }
    assertThat(thrown).isPositive();
    // All capacity is used, and no more.
    assertThat(one.map.size()).isEqualTo(CAPACITY);
    try {
      one.put.accept(CALLS + 1);
    } catch (MapFullException e) {
      // Bulk operations count it.
    }
    assertThat(one.map.size()).isEqualTo(CAPACITY);
    assertTimeoutPreemptively(
        PATIENCE,
        () -> {
          one.map.rehash(2 * CAPACITY);
          one.map.close();
        },
        "ending");
  }
}
