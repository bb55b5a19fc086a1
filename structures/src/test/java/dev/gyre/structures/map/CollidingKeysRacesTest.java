package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.map.Hash;
import dev.gyre.structures.Others;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What others see of keys that collide, while they are inserted. */
class CollidingKeysRacesTest {

  /** All keys begin at one place: its upper bits are these. */
  record Same(long bits) implements Hash {
    @Override
    public long hash(long key, long seed) {
      return bits;
    }
  }

  /**
   * Keys that are inserted in the middle of a walk, and come around the end of the table into a
   * part that the walk is at, come then or with the part that they belong to.
   */
  @Test
  void aWalkMeetsKeysThatCameAroundTheEndOnce() {
    int there = 2_100;
    int all = there + 800;
    List<Long> twiceOrMissed = new ArrayList<>();
    for (int run = 0; run < 25; run++) {
      try (LongLongMap map = LongLongMap.builder().capacity(4_096).hash(new Same(-1)).build()) {
        insert(map, 0, there);
        CompletableFuture<Void> others = Others.start(() -> insert(map, there, all));
        do {
          int[] seen = new int[all];
          map.forEach((key, _) -> seen[(int) key]++);
          for (int key = 0; key < all; key++) {
            if (seen[key] > 1 || (seen[key] == 0 && key < there)) {
              twiceOrMissed.add((long) key);
            }
          }
        } while (!others.isDone());
        others.join();
      }
    }
    assertThat(twiceOrMissed).isEmpty();
  }

  private static void insert(LongLongMap map, int from, int to) {
    for (int key = from; key < to; key++) {
      var _ = map.putIfAbsent(key, key);
    }
  }

  /** Also a key 0, which is published by itself, behind keys which are not published yet. */
  @Test
  void whatWasFoundAloneIsFoundInBulk() {
    long[] keys = new long[256];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = i < 20 ? i + 1 : i == 20 ? 0 : i;
    }
    AtomicInteger round = new AtomicInteger();
    int missed = 0;
    try (LongLongMap map = LongLongMap.builder().capacity(1_024).hash(new Same(0)).build()) {
      CompletableFuture<Void> others =
          Others.start(
              () -> {
                for (int i = 0; i < 1_000; i++) {
                  map.clear();
                  round.incrementAndGet();
                  var _ = map.insert(keys, keys);
                  round.incrementAndGet();
                }
              });
      do {
        int now = round.get();
        boolean alone = map.containsKey(0);
        boolean inBulk = map.find(new long[1], new long[1]).found() == 1;
        // Inserted, and not taken out again.
        missed += now % 2 == 1 && round.get() == now && alone && !inBulk ? 1 : 0;
      } while (!others.isDone());
      others.join();
    }
    assertThat(missed).isZero();
  }
}
