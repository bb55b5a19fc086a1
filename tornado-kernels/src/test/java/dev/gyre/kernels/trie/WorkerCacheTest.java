package dev.gyre.kernels.trie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import java.lang.reflect.Field;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class WorkerCacheTest {

  private static final int NODE = 3;
  private static final int NODE_SHIFT = 5;

  /** As if it had been met so often, but for the last time. */
  private static void meet(WorkerCache cache, long key, int times)
      throws ReflectiveOperationException {
    Field field = WorkerCache.class.getDeclaredField("entries");
    field.setAccessible(true);
    long[] entries = (long[]) field.get(cache);
    int at = 0;
    while (entries[at] != key) {
      at++;
    }
    entries[at + 1] = (long) times << Integer.SIZE | NODE;
  }

  /** An entry counts to 2^31 - 1; more would take away from the word's count. */
  @Test
  void aWordThatWasMetAsOftenAsCanBeIsCountedAnew() throws ReflectiveOperationException {
    long key = WordKey.PACKED | 7;
    long other = WordKey.PACKED | 8;
    try (Memory memory = Memory.ofLongs(1 << 10)) {
      DeviceLongs counts = DeviceLongs.of(memory);
      for (boolean one : new boolean[] {true, false}) {
        for (boolean promoted : new boolean[] {true, false}) {
          WorkerCache cache = new WorkerCache(2);
          cache.remember(key, NODE, NODE_SHIFT, counts);
          meet(cache, key, Integer.MAX_VALUE - 1);
          if (promoted) {
            cache.remember(other, NODE + 1, NODE_SHIFT, counts);
            assertThat(cache.promote(key)).isTrue();
          } else {
            assertThat(hits(cache, key, one)).isTrue();
          }
          assertThat(hits(cache, key, one)).isFalse();
          if (promoted) {
            assertThat(cache.promote(other)).isTrue();
          }
          assertThat(cache.promote(key)).isFalse();
          cache.remember(key, NODE, NODE_SHIFT, counts);
          cache.flush(NODE_SHIFT, counts, 0, 1);
          long at = TrieLayout.count(NODE, NODE_SHIFT);
          assertThat(counts.get(at)).isEqualTo(Integer.MAX_VALUE + 1L);
          counts.set(at, 0);
        }
      }
    }
  }

  @Test
  void wordsStayAndCountFromNoneAgain() {
    long key = WordKey.PACKED | 7;
    try (Memory memory = Memory.ofLongs(1 << 10)) {
      DeviceLongs counts = DeviceLongs.of(memory);
      WorkerCache cache = new WorkerCache(2);
      cache.remember(key, NODE, NODE_SHIFT, counts);
      for (int times = 1; times < 4; times++) {
        cache.flush(NODE_SHIFT, counts, 0, 1);
        assertThat(counts.get(TrieLayout.count(NODE, NODE_SHIFT))).isEqualTo(times);
        assertThat(cache.hit(key)).isTrue();
      }
    }
  }

  private static boolean hits(WorkerCache cache, long key, boolean one) {
    long[] keys = new long[3];
    Arrays.fill(keys, key);
    return one ? cache.hit(key) : cache.hits(keys, 1, 2) == 2;
  }
}
