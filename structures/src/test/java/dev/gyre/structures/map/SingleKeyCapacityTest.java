package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.structures.Others;
import dev.gyre.structures.map.MapAdapter.Change;
import dev.gyre.structures.map.MapAdapter.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Single keys, few keys and many, of several threads, into one map, with others that change what is
 * there and count: the map has room for as many keys as it says, and counts those that came.
 */
@Timeout(240)
class SingleKeyCapacityTest {

  private static final int KEYS = 16_000;

  /** A map to which keys come in all ways; each key is a number. */
  interface Subject extends AutoCloseable {
    /** Inserts a key, or changes its value; returns whether it was there. */
    boolean put(int key);

    /** Inserts keys; returns what became of them. */
    InsertCounts insert(int from, int to);

    long size();

    void clear();

    long entries();

    @Override
    void close();
  }

  private record Numbers(MapAdapter map) implements Subject {
    @Override
    public boolean put(int key) {
      return map.merge(key, 1, Apply.ADD) > 1;
    }

    @Override
    public InsertCounts insert(int from, int to) {
      long[] keys = LongStream.range(from, to).toArray();
      long[] ones = LongStream.generate(() -> 1).limit(keys.length).toArray();
      return map.insert(keys, ones, Change.ADD, null, BulkOptions.NONE);
    }

    @Override
    public long size() {
      return map.size();
    }

    @Override
    public void clear() {
      map.clear();
    }

    @Override
    public long entries() {
      return map.entries().size();
    }

    @Override
    public void close() {
      map.close();
    }
  }

  private record Texts(TextLongMap map) implements Subject {
    private static String text(int key) {
      return "k".repeat(Math.floorMod(key, 19)) + key;
    }

    @Override
    public boolean put(int key) {
      return map.merge(text(key), 1, Apply.ADD) > 1;
    }

    @Override
    public InsertCounts insert(int from, int to) {
      List<String> keys = IntStream.range(from, to).mapToObj(Texts::text).toList();
      long[] ones = LongStream.generate(() -> 1).limit(keys.size()).toArray();
      return map.insertOrApply(keys, ones, Apply.ADD);
    }

    @Override
    public long size() {
      return map.size();
    }

    @Override
    public void clear() {
      map.clear();
    }

    @Override
    public long entries() {
      AtomicLong entries = new AtomicLong();
      map.forEach((_, _) -> entries.incrementAndGet());
      return entries.get();
    }

    @Override
    public void close() {
      map.close();
    }
  }

  /** Makes an empty map. */
  interface Maker {
    Subject make(long capacity, boolean fixed);
  }

  record Named(String name, Maker maker) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Named> kinds() {
    Maker texts =
        (capacity, fixed) -> {
          MapBuilder<TextLongMap> builder = TextLongMap.builder().workers(2).seed(42);
          return new Texts(
              (fixed
                      ? builder.fixedCapacity(capacity).textBytes(64 * capacity)
                      : builder.capacity(capacity))
                  .build());
        };
    return Stream.concat(
        Kind.layouts().stream()
            .map(
                kind ->
                    new Named(
                        kind.toString(),
                        (capacity, fixed) -> new Numbers(kind.build(capacity, fixed)))),
        Stream.of(new Named("texts", texts)));
  }

  /**
   * Inserts all keys: two threads one by one, one a few at a time, one many; some of each come
   * again. Beside them one changes a key that is there, and one counts.
   */
  private static void insertAll(Subject map) {
    assertThat(map.put(0)).isFalse();
    AtomicLong come = new AtomicLong(1);
    AtomicBoolean done = new AtomicBoolean();
    List<CompletableFuture<Void>> inserting = new ArrayList<>();
    for (int thread = 0; thread < 2; thread++) {
      int first = thread;
      inserting.add(
          Others.start(
              () -> {
                for (int key = 4 + first; key < KEYS; key += 4) {
                  assertThat(map.put(key)).as("key %d", key).isFalse();
                  come.incrementAndGet();
                  assertThat(map.put(key)).as("key %d again", key).isTrue();
                }
              }));
    }
    inserting.add(Others.start(() -> insertBlocks(map, KEYS, KEYS + KEYS / 4, 7, come)));
    inserting.add(Others.start(() -> insertBlocks(map, 2 * KEYS, 2 * KEYS + KEYS / 4, 150, come)));
    CompletableFuture<Void> changing =
        Others.start(
            () -> {
              while (!done.get()) {
                assertThat(map.put(0)).isTrue();
              }
            });
    CompletableFuture<Void> counting =
        Others.start(
            () -> {
              while (!done.get()) {
                long before = come.get();
                assertThat(map.size()).isGreaterThanOrEqualTo(before);
              }
            });
    try {
      CompletableFuture.allOf(inserting.toArray(CompletableFuture[]::new)).join();
    } finally {
      done.set(true);
      changing.join();
      counting.join();
    }
  }

  private static void insertBlocks(Subject map, int from, int to, int length, AtomicLong come) {
    for (int at = from; at < to; at += length) {
      int end = Math.min(at + length, to);
      InsertCounts counts = map.insert(Math.max(from, at - 1), end);
      assertThat(counts).isEqualTo(new InsertCounts(end - at, at == from ? 0 : 1, 0));
      come.addAndGet(counts.inserted());
    }
  }

  /** Of {@link #insertAll}: 0, two quarters but for one each, and two more. */
  private static final int ALL = 1 + 2 * (KEYS / 4 - 1) + 2 * (KEYS / 4);

  @ParameterizedTest
  @MethodSource("kinds")
  void aMapOfFixedCapacityTakesAsManyKeysAsItSays(Named kind) {
    for (int round = 0; round < 3; round++) {
      try (Subject map = kind.maker().make(ALL, true)) {
        insertAll(map);
        assertThat(map.size()).isEqualTo(ALL);
        assertThat(map.entries()).isEqualTo(ALL);
        assertThatThrownBy(() -> map.put(-1)).isInstanceOf(MapFullException.class);
        assertThat(map.put(4)).isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aMapThatGrowsCountsItsKeys(Named kind) {
    try (Subject map = kind.maker().make(1, false)) {
      for (int round = 0; round < 3; round++) {
        insertAll(map);
        assertThat(map.size()).isEqualTo(ALL);
        assertThat(map.entries()).isEqualTo(ALL);
        map.clear();
        assertThat(map.size()).isZero();
      }
    }
  }

  /** So that threads which insert single keys write to no place in common. */
  @Test
  void keysThatComeOneByOneHaveRoomAhead() {
    try (LongLongMap map = LongLongMap.builder().workers(1).capacity(1_000_000).build()) {
      assertThat(map.putIfAbsent(1, 1)).isEmpty();
      assertThat(map.store.reservations().ahead()).isPositive();
      map.rehash(500_000);
      assertThat(map.store.reservations().ahead()).isZero();
      assertThat(map.putIfAbsent(2, 1)).isEmpty();
      assertThat(map.store.reservations().ahead()).isPositive();
      assertThat(map.size()).isEqualTo(2);
      map.clear();
      assertThat(map.store.reservations().ahead()).isZero();
    }
  }

  /** Which is ahead of threads that are gone. */
  @ParameterizedTest
  @MethodSource("kinds")
  void roomThatNobodyUsesIsNotLost(Named kind) {
    int capacity = 100_000;
    try (Subject map = kind.maker().make(capacity, true)) {
      List<CompletableFuture<Void>> others =
          IntStream.range(0, 9)
              .mapToObj(i -> Others.start(() -> assertThat(map.put(-1 - i)).isFalse()))
              .toList();
      others.forEach(CompletableFuture::join);
      assertThat(map.size()).isEqualTo(9);
      InsertCounts counts = map.insert(0, capacity - 12);
      assertThat(counts).isEqualTo(new InsertCounts(capacity - 12, 0, 0));
      assertThat(map.insert(capacity - 13, capacity - 10)).isEqualTo(new InsertCounts(2, 1, 0));
      assertThat(map.put(capacity)).isFalse();
      assertThat(map.size()).isEqualTo(capacity);
      assertThatThrownBy(() -> map.put(capacity + 1)).isInstanceOf(MapFullException.class);
    }
  }
}
