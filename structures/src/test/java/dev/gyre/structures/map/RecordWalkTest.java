package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code RecordMap.forEach} reads a part of the table at a time. */
@Timeout(120)
class RecordWalkTest {

  private static final int ENTRIES = 200_000;

  record Key(long first, int second) {}

  record Value(long sum, double mean) {}

  private static Key key(long i) {
    return new Key(i, (int) -i);
  }

  private static void fill(RecordMap<Key, Value> map, long from, long to) {
    LongStream.range(from, to).forEach(i -> map.put(key(i), new Value(i, i / 2.0)));
  }

  @Test
  void eachEntryComesOnceAlsoWhereTheMapGrows() {
    try (var map = RecordMap.create(Key.class, Value.class)) {
      fill(map, 0, 5_000);
      Map<Key, Value> seen = new HashMap<>();
      map.forEach(
          (key, value) -> {
            assertThat(seen.put(key, value)).isNull();
            if (seen.size() == 10) {
              fill(map, 5_000, 30_000);
            }
          });
      LongStream.range(0, 5_000)
          .forEach(i -> assertThat(seen.get(key(i))).isEqualTo(new Value(i, i / 2.0)));
    }
  }

  /**
   * What is inserted behind the part that is read is met: all entries were not collected before the
   * first call.
   */
  @Test
  void theFirstCallComesBeforeAllEntriesAreRead() {
    try (var map =
        RecordMap.builder(RecordSchema.of(Key.class, Value.class)).capacity(2 * ENTRIES).build()) {
      fill(map, 0, ENTRIES);
      Set<Key> late = new HashSet<>();
      AtomicInteger calls = new AtomicInteger();
      map.forEach(
          (key, _) -> {
            if (calls.getAndIncrement() == 0) {
              fill(map, ENTRIES, ENTRIES + 1_000);
            } else if (key.first() >= ENTRIES) {
              late.add(key);
            }
          });
      assertThat(late).hasSizeGreaterThan(900);
    }
  }
}
