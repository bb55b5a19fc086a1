package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A million keys for which there is no room, into a table of a hundred million that is full: each
 * costs a few probes, not a walk through the table.
 */
class FullTableTest {

  private static final int BLOCK = 1 << 20;

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  @Tag("slow")
  void aMillionIntoAHundredMillion() {
    fillAndOverfill(100_000_000);
  }

  /** Takes 8 GiB: {@code -Dgyre.large=true -Dgyre.memory.limit=12000000000}. */
  @Test
  @EnabledIfSystemProperty(named = "gyre.large", matches = "true")
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  void aMillionIntoAThousandMillion() {
    fillAndOverfill(1_000_000_000);
  }

  private static void fillAndOverfill(int capacity) {
    int[] keys = new int[BLOCK];
    try (IntIntMap map = IntIntMap.builder().fixedCapacity(capacity).loadFactor(1.0).build()) {
      long start = System.nanoTime();
      for (int at = 0; at < capacity; at += BLOCK) {
        int count = Math.min(BLOCK, capacity - at);
        int[] block = count == BLOCK ? keys : new int[count];
        number(block, at);
        assertThat(map.insert(block, block).inserted()).isEqualTo(count);
      }
      long filling = System.nanoTime() - start;
      number(keys, capacity);
      start = System.nanoTime();
      InsertCounts counts = map.insert(keys, keys);
      long refusing = System.nanoTime() - start;
      assertThat(counts).isEqualTo(new InsertCounts(0, 0, BLOCK));
      number(keys, 0);
      assertThat(map.insert(keys, keys)).isEqualTo(new InsertCounts(0, BLOCK, 0));
      assertThat(map.size()).isEqualTo(capacity);
      // A walk per key would take a million times as long as one.
      assertThat(refusing).isLessThan(10 * filling + TimeUnit.SECONDS.toNanos(10));
    }
  }

  private static void number(int[] keys, int from) {
    for (int i = 0; i < keys.length; i++) {
      keys[i] = from + i;
    }
  }
}
