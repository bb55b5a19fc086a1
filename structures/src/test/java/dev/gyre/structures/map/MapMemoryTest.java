package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.structures.ScarceMemory;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.MapAdapter.Change;
import dev.gyre.structures.map.MapAdapter.Kind;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is left of a bulk insert in the middle of which a map cannot grow. */
class MapMemoryTest {

  private static final long UNTOUCHED = -1;

  @TempDir private Path folder;

  record Case(Kind kind, Change change, int capacity, int keys) {}

  /** Batches that are taken as they come, and batches that are put in the order of the table. */
  static Stream<Case> cases() {
    Stream<Case> asTheyCome =
        Kind.layouts().stream()
            .flatMap(
                kind ->
                    Stream.of(Change.KEEP, Change.FETCH, Change.ADD)
                        .map(change -> new Case(kind, change, 25_000, 100_000)));
    Stream<Case> inOrder =
        Kind.layouts().stream()
            .filter(kind -> kind.waiting() == Waiting.AUTO)
            .map(kind -> new Case(kind, Change.FETCH, 1 << 18, 9 << 15));
    return Stream.concat(asTheyCome, inOrder);
  }

  @ParameterizedTest
  @MethodSource("cases")
  @Tag("slow")
  void everyKeyIsInsertedOrWasNotTried(Case c) {
    long[] keys = new SplittableRandom(5).ints().distinct().limit(c.keys).asLongStream().toArray();
    long[] values = new SplittableRandom(6).ints(c.keys, 1, 1000).asLongStream().toArray();
    long[] found = new long[c.keys];
    Arrays.fill(found, UNTOUCHED);
    byte[] outcomes = new byte[c.keys];
    BulkOptions options = BulkOptions.NONE.outcomes(outcomes);
    try (MapAdapter map = c.kind.build(c.capacity, false, 0.5, 1)) {
      // An insert of no key leaves the scratch memory that the insert of all keys takes.
      assertThat(
              map.insert(
                  keys, values, Change.KEEP, null, BulkOptions.NONE.where(new boolean[c.keys])))
          .isEqualTo(new InsertCounts(0, 0, 0));
      MemoryExhaustedException failure;
      try (ScarceMemory _ = ScarceMemory.take(folder)) {
        failure =
            catchThrowableOfType(
                MemoryExhaustedException.class,
                () ->
                    map.insert(
                        keys, values, c.change, c.change == Change.FETCH ? found : null, options));
      }
      Map<Long, Long> expected = new HashMap<>();
      int others = 0;
      int wrong = 0;
      for (int i = 0; i < c.keys; i++) {
        boolean inserted = outcomes[i] == Outcome.INSERTED.code();
        others += inserted || outcomes[i] == Outcome.SKIPPED.code() ? 0 : 1;
        if (inserted) {
          expected.put(keys[i], values[i]);
          // The subject of ints copies what was found only where nothing was thrown.
          boolean fetched = c.change == Change.FETCH && c.kind.minValue() == Long.MIN_VALUE;
          wrong += found[i] == (fetched ? values[i] : UNTOUCHED) ? 0 : 1;
        }
      }
      assertThat(others).isZero();
      assertThat(wrong).isZero();
      assertThat(expected).isNotEmpty().hasSizeLessThan(c.keys);
      assertThat(map.entries().equals(expected)).isTrue();
      assertThat(map.size()).isEqualTo(expected.size());
      assertThat(failure.soFar(InsertCounts.class))
          .contains(new InsertCounts(expected.size(), 0, 0));
      assertThat(map.reservedSlots()).isZero();
      InsertCounts rest = map.insert(keys, values, Change.KEEP, null, options);
      assertThat(rest).isEqualTo(new InsertCounts(c.keys - expected.size(), expected.size(), 0));
    }
  }
}
