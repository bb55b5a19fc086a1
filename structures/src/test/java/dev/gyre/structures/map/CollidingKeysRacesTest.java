package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.structures.Others;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What others see of keys that collide, while they are inserted. */
@Tag("race")
class CollidingKeysRacesTest {

  /** All keys begin at one place: its upper bits are these. */
  record Same(long bits) implements Hash, TextHash {
    @Override
    public long hash(long key, long seed) {
      return Unmixed.of(bits, seed);
    }

    @Override
    public long hash(Text text, long seed) {
      return Unmixed.of(bits, seed);
    }
  }

  /**
   * Keys that are inserted in the middle of a walk, and come around the end of the table into a
   * part that the walk is at, come then or with the part that they belong to.
   */
  @Test
  void aWalkMeetsKeysThatCameAroundTheEndOnce() {
    for (int run = 0; run < 25; run++) {
      try (LongLongMap map = LongLongMap.builder().capacity(4_096).hash(new Same(-1)).build()) {
        requireOnce(
            key -> map.putIfAbsent(key, key),
            seen -> map.forEach((key, _) -> seen.accept((int) key)));
      }
    }
  }

  @Test
  void soDoesOneOverTexts() {
    for (int run = 0; run < 5; run++) {
      try (TextLongMap map = TextLongMap.builder().capacity(4_096).textHash(new Same(-1)).build()) {
        requireOnce(
            key -> map.putIfAbsent(Integer.toString(key), key),
            seen -> map.forEach((key, _) -> seen.accept(Integer.parseInt(key))));
      }
    }
  }

  private static void requireOnce(IntConsumer insert, Consumer<IntConsumer> walk) {
    int there = 2_100;
    int all = there + 800;
    IntStream.range(0, there).forEach(insert);
    CompletableFuture<Void> others =
        Others.start(() -> IntStream.range(there, all).forEach(insert));
    do {
      int[] seen = new int[all];
      walk.accept(key -> seen[key]++);
      assertThat(Arrays.stream(seen).limit(there)).containsOnly(1);
      assertThat(Arrays.stream(seen).skip(there)).allMatch(times -> times <= 1);
    } while (!others.isDone());
    others.join();
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
