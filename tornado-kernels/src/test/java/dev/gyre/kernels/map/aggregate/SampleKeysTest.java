package dev.gyre.kernels.map.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SharedInts;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Numbers;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Keys are frequent where just as many of a sample as are many were met before, and not below. */
class SampleKeysTest {

  private static final int FREQUENT_KEY = 7;

  private final Memory counterMemory = Memory.ofLongs(MapCodes.COUNTERS);
  private final DeviceLongs counters = DeviceLongs.of(counterMemory);
  private final Memory keyMemory = Memory.ofLongs(SampleKeys.SAMPLE);
  private final Memory sharedMemory = Memory.ofInts(SampleKeys.SHARED_INTS);

  @AfterEach
  void close() {
    counterMemory.close();
    keyMemory.close();
    sharedMemory.close();
  }

  private static int place(long key) {
    return BlockAggregate.place(SampleKeys.mixed(key), SampleKeys.SAMPLE);
  }

  /** All keys are looked at once; the first and the last are frequent, whose place is their own. */
  private void giveKeys(int met) {
    int own = place(FREQUENT_KEY);
    long[] keys =
        LongStream.iterate(FREQUENT_KEY + 1, k -> k + 1)
            .filter(k -> place(k) != own)
            .limit(SampleKeys.SAMPLE)
            .toArray();
    for (int i = 0; i <= met; i++) {
      keys[i % 2 == 0 ? i / 2 : keys.length - 1 - i / 2] = FREQUENT_KEY;
    }
    DeviceLongs given = DeviceLongs.of(keyMemory);
    for (int i = 0; i < keys.length; i++) {
      given.set(i, keys[i]);
    }
  }

  private SampleKeys sample(SharedInts shared) {
    counters.set(MapCodes.FREQUENT, 0);
    counters.set(MapCodes.CROWDED, 0);
    Numbers keys = Numbers.of(DeviceLongs.of(keyMemory));
    return new SampleKeys(keys, counters, 0, SampleKeys.SAMPLE, shared);
  }

  private void requireFrequent(boolean are) {
    assertThat(counters.get(MapCodes.FREQUENT)).isEqualTo(are ? 1 : 0);
    assertThat(counters.get(MapCodes.CROWDED)).isEqualTo(are ? 1 : 0);
  }

  /** By one thread, and by five, of which some have fewer keys in their last turn. */
  @Test
  void keysAreFrequentFromSoManyOnThatWereMetBefore() {
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(1)) {
      for (int threads : new int[] {1, 5}) {
        for (int met : new int[] {SampleKeys.MANY - 1, SampleKeys.MANY}) {
          giveKeys(met);
          launcher.run(sample(SharedInts.of(SampleKeys.SHARED_INTS)), new LaunchShape(1, threads));
          requireFrequent(met == SampleKeys.MANY);
        }
      }
    }
  }

  /** What a block shares is not set to anything when it begins. */
  @Test
  void whatTheBlockBeforeSharedIsNotCounted() {
    SharedInts shared = SharedInts.of(SampleKeys.SHARED_INTS).in(sharedMemory);
    giveKeys(SampleKeys.MANY);
    sample(shared).run(0, LaunchShape.ofThreads(1));
    requireFrequent(true);
    giveKeys(0);
    sample(shared).run(0, LaunchShape.ofThreads(1));
    requireFrequent(false);
  }
}
