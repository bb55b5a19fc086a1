package dev.gyre.datasets.generators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeysTest {

  private static final int COUNT = 1 << 20;

  @Test
  void uniqueKeysAreUnique() {
    for (long seed : new long[] {0, 1, -1, 1L << 40}) {
      int[] ints = Keys.unique(seed).ints(COUNT);
      long[] longs = Keys.unique(seed).longs(COUNT);
      Arrays.sort(ints);
      Arrays.sort(longs);
      for (int i = 1; i < COUNT; i++) {
        if (ints[i - 1] == ints[i] || longs[i - 1] == longs[i]) {
          fail("seed %s repeats a key", seed);
        }
      }
    }
  }

  @Test
  void uniqueIntsSpreadOverTheWholeRange() {
    int[] sixteenths = new int[16];
    for (int key : Keys.unique(3).ints(COUNT)) {
      sixteenths[key >>> 28]++;
    }
    for (int count : sixteenths) {
      assertThat((double) count).isCloseTo(COUNT / 16.0, within(6 * Math.sqrt(COUNT / 16.0)));
    }
  }

  @Test
  void uniformKeysAreInRangeAndAsLikely() {
    int[] counts = new int[10];
    for (int key : Keys.uniform(5, 10).ints(COUNT)) {
      counts[key]++;
    }
    for (int count : counts) {
      assertThat((double) count).isCloseTo(COUNT / 10.0, within(6 * Math.sqrt(COUNT / 10.0)));
    }
    assertThat(Arrays.stream(Keys.uniform(5, 1L << 62).longs(1000)))
        .allMatch(k -> k >= 0 && k < 1L << 62);
    assertThat(Arrays.stream(Keys.uniform(5, 1L << 32).ints(1000)).min().orElseThrow())
        .isNegative();
  }

  @Test
  void ranksAreThoseOfZipfKeys() {
    Keys ranks = Keys.zipfRanks(9, 1000, 1);
    Keys keys = Keys.zipf(9, 1000, 1);
    for (int i = 0; i < COUNT; i++) {
      assertThat(ranks.longAt(i)).isBetween(0L, 999L).isEqualTo(ranks.intAt(i));
      assertThat(keys.longAt(i)).isEqualTo(Keys.unique(9).longAt(ranks.longAt(i)));
    }
  }

  @Test
  void zipfKeysFollowTheLaw() {
    int distinct = 1000;
    Map<Long, Integer> counts = new HashMap<>();
    for (long key : Keys.zipf(9, distinct, 1).longs(COUNT)) {
      counts.merge(key, 1, Integer::sum);
    }
    double norm = 0;
    for (int rank = 1; rank <= distinct; rank++) {
      norm += 1.0 / rank;
    }
    assertThat(counts.size()).isLessThanOrEqualTo(distinct);
    for (int rank : new int[] {1, 2, 10, 100}) {
      double expected = COUNT / norm / rank;
      double found = counts.getOrDefault(Keys.unique(9).longAt(rank - 1), 0);
      assertThat(found).isCloseTo(expected, within(6 * Math.sqrt(expected)));
    }
  }

  @Test
  void keysAreTheSameOnEveryMachine() {
    // Number 0 of seed 0 is the published first output of SplitMix64.
    assertThat(Keys.unique(0).longAt(0)).isEqualTo(0xe220a8397b1dcdafL);
    assertThat(Keys.unique(0).longAt(1)).isEqualTo(0x6e789e6aa1b965f4L);
  }

  @Test
  void badArgumentsAreRefused() {
    assertThatThrownBy(() -> Keys.uniform(1, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Keys.uniform(1, 1L << 33).intAt(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Keys.zipf(1, 0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Keys.zipf(1, 5, -1)).isInstanceOf(IllegalArgumentException.class);
  }
}
