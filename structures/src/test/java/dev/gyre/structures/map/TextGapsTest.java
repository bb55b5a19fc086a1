package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Room in the arena of a fixed map that threads took for keys with which others were first. Here it
 * is taken outright, since that depends on who comes when.
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

  @Test
  void readersFindKeysWhileTheyMove() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    AtomicBoolean missed = new AtomicBoolean();
    try (TextLongMap map = map()) {
      for (int i = 0; i < 10; i++) {
        assertThat(map.putIfAbsent(ALL.get(i), VALUES[i])).isEmpty();
      }
      Thread reader =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!done.get()) {
                      for (int i = 0; i < 10; i++) {
                        if (map.getOrDefault(ALL.get(i), -1) != VALUES[i]) {
                          missed.set(true);
                        }
                      }
                    }
                  });
      for (int round = 0; round < 2_000; round++) {
        lose(map, KEYS * WORDS);
        // It has no room, until the gaps are.
        int next = 10 + round % (KEYS - 10);
        long _ = map.merge(ALL.get(next), 1, Apply.ADD);
      }
      done.set(true);
      reader.join();
      assertThat(missed).isFalse();
      assertThat(map.size()).isEqualTo(KEYS);
    }
  }
}
