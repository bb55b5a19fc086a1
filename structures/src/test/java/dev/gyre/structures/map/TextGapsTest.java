package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.TextKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Space in the arena of a fixed map that threads took for keys that others inserted first. The
 * tests take it directly, because the order of threads is not fixed.
 */
class TextGapsTest {

  private static final int KEYS = 100;

  /** Of each key, which is too long for a slot. */
  private static final int WORDS = 3;

  private static final List<String> ALL =
      IntStream.range(0, KEYS).mapToObj("a key in the arena %04d"::formatted).toList();

  private static final long[] VALUES = LongStream.range(0, KEYS).toArray();

  private static TextLongMap map() {
    return TextLongMap.builder()
        .workers(2)
        .fixedCapacity(2 * KEYS)
        .textBytes((long) KEYS * WORDS * Long.BYTES)
        .build();
  }

  /** Takes words from the arena that no key gets. */
  private static void lose(TextLongMap map, int words) {
    var _ = map.store.table().bump.fetchAddRelaxed(0, words);
  }

  private static void assertHolds(TextLongMap map, int keys) {
    assertThat(map.size()).isEqualTo(keys);
    for (int i = 0; i < keys; i++) {
      assertThat(map.get(ALL.get(i))).hasValue(VALUES[i]);
    }
  }

  @Test
  void aBulkInsertHasAllTheRoom() {
    try (TextLongMap map = map()) {
      assertThat(map.insert(ALL.subList(0, 10), LongStream.range(0, 10).toArray()).inserted())
          .isEqualTo(10);
      lose(map, 50 * WORDS);
      assertThat(map.insert(List.of("short"), new long[] {-1}).inserted()).isEqualTo(1);
      assertThat(map.insert(ALL, VALUES)).isEqualTo(new InsertCounts(KEYS - 10, 10, 0));
      assertThat(map.get("short")).hasValue(-1);
      assertThat(map.contains(ALL).found()).isEqualTo(KEYS);
      assertThat(map.insert(List.of("one key too many"), new long[1]).full()).isEqualTo(1);
    }
  }

  @Test
  void aBulkInsertAfterFarTooMuchWasTaken() {
    try (TextLongMap map = map()) {
      lose(map, 1000 * KEYS * WORDS);
      assertThat(map.insert(ALL, VALUES)).isEqualTo(new InsertCounts(KEYS, 0, 0));
      assertHolds(map, KEYS);
    }
  }

  @Test
  void roomThatAWorkerTookAheadIsGivenBack() {
    // All but one take two words of the arena: what is left of the last chunk is not a whole one.
    List<String> keys =
        IntStream.range(0, TextStore.STEP)
            .mapToObj(i -> i == 0 ? "short" : "key of 2 " + (1_000 + i))
            .toList();
    try (TextLongMap map =
        TextLongMap.builder().workers(1).capacity(TextStore.STEP).textBytes(1 << 20).build()) {
      assertThat(map.insert(keys, new long[keys.size()]).inserted()).isEqualTo(TextStore.STEP);
      map.store.lock().exclusively(() -> assertThat(map.store.compact()).isFalse());
    }
  }

  @Test
  void singleKeysHaveAllTheRoom() {
    try (TextLongMap map = map()) {
      for (int i = 0; i < KEYS; i++) {
        lose(map, i % 7);
        assertThat(map.putIfAbsent(ALL.get(i), VALUES[i])).isEmpty();
      }
      assertHolds(map, KEYS);
      assertThatThrownBy(() -> map.putIfAbsent("one key too many", 1))
          .isInstanceOf(MapFullException.class);
      assertHolds(map, KEYS);
      map.clear();
      assertThat(map.insert(ALL, VALUES).inserted()).isEqualTo(KEYS);
    }
  }

  /** Another thread has freed capacity since the insert of the key found none. */
  @Test
  void aShortKeyNeedsNoSpaceInAFullArena() {
    try (TextLongMap map = map()) {
      assertThat(map.insert(ALL, VALUES).inserted()).isEqualTo(KEYS);
      lose(map, 1);
      map.store.growForOne(map.store.table(), TextKey.of("short"));
      assertThat(map.putIfAbsent("short", 1)).isEmpty();
    }
  }

  /** Two takes fail one after the other, and only the last can be given back. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  @Timeout(60)
  void keysThatDoNotFitAreFullAndOthersAreNot(int workers) {
    try (TextLongMap map =
        TextLongMap.builder().workers(workers).fixedCapacity(10).textBytes(5 * 8).build()) {
      List<String> keys = List.of("two words 1", "two words 2", "two words 3", "two words 4");
      assertThat(map.insert(keys, new long[4])).isEqualTo(new InsertCounts(2, 0, 2));
      map.clear();
      keys = List.of("two words are here", "this key has five words, it is long", "two words 2");
      assertThat(map.insert(keys, new long[3])).isEqualTo(new InsertCounts(2, 0, 1));
      assertThat(map.get("two words 2")).isPresent();
    }
  }

  /** Workers move the texts of different slots to different places. */
  @Test
  void severalWorkersCloseGaps() {
    int count = 4 * TextStore.STEP;
    List<String> keys =
        IntStream.range(0, count).mapToObj(i -> i + " " + "x".repeat(i % 50)).toList();
    try (TextLongMap map = TextLongMap.builder().removable().workers(4).build()) {
      assertThat(map.insert(keys, LongStream.range(0, count).toArray()).inserted())
          .isEqualTo(count);
      for (int i = 0; i < count; i += 2) {
        assertThat(map.remove(keys.get(i))).hasValue(i);
      }
      map.store
          .lock()
          .exclusively(
              () -> {
                assertThat(map.store.compact()).isTrue();
                assertThat(map.store.compact()).isFalse();
              });
      long words = 0;
      for (int i = 0; i < count; i++) {
        assertThat(map.get(keys.get(i)).orElse(-1)).isEqualTo(i % 2 == 0 ? -1 : i);
        words += i % 2 == 0 ? 0 : TextKey.of(keys.get(i)).arenaWords();
      }
      assertThat(map.store.table().bump.get(0)).isEqualTo(words);
    }
  }

  @Test
  @Timeout(60)
  void readersFindKeysWhileTheyMove() {
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Void> reads = new CompletableFuture<>();
    try (TextLongMap map = map()) {
      for (int i = 0; i < 10; i++) {
        assertThat(map.putIfAbsent(ALL.get(i), VALUES[i])).isEmpty();
      }
      CompletableFuture<Void> reader =
          CompletableFuture.runAsync(
              () -> {
                while (!done.get()) {
                  for (int i = 0; i < 10; i++) {
                    assertThat(map.get(ALL.get(i))).hasValue(VALUES[i]);
                  }
                  reads.complete(null);
                }
              },
              task -> Thread.ofPlatform().start(task));
      var _ = CompletableFuture.anyOf(reads, reader).join();
      for (int round = 0; round < 2_000; round++) {
        // What fails inside leaves it again: the end of the map waits for all to have left.
        map.store
            .lock()
            .exclusively(
                () -> {
                  lose(map, 1);
                  assertThat(map.store.compact()).isTrue();
                });
      }
      done.set(true);
      reader.join();
    }
  }
}
