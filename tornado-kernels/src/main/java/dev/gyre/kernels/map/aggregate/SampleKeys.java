package dev.gyre.kernels.map.aggregate;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.SharedInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Numbers;

/**
 * Checks by a sample whether some keys of a batch are frequent. It runs as one block.
 *
 * <p>Keys are frequent if many keys of the sample occur more than once. Then FREQUENT is 1, and so
 * is CROWDED: in a partitioned insert, frequent keys are too many for one partition.
 *
 * @param keys ints or longs
 * @param shared {@link #SHARED_INTS} ints in shared memory
 */
public record SampleKeys(Numbers keys, DeviceLongs counters, long from, long to, SharedInts shared)
    implements Kernel {

  /** Number of keys of a sample, a power of two, each with a place. */
  public static final int SAMPLE = 1 << 11;

  /** Number of repeated keys of a sample from which keys are frequent. */
  public static final int MANY = SAMPLE / 8;

  public static final int SHARED_INTS = SAMPLE + 1;

  @Override
  public void run(int thread, LaunchShape shape) {
    int blockSize = shape.blockSize();
    long size = to - from;
    int met = 0;
    for (int j = thread; j < SHARED_INTS; j += blockSize) {
      shared.set(j, 0);
    }
    Block.barrier();
    for (int j = thread; j < SAMPLE; j += 4 * blockSize) {
      // Several keys are requested before the first is used, because memory is slow.
      int j1 = j + blockSize < SAMPLE ? j + blockSize : j;
      int j2 = j + 2 * blockSize < SAMPLE ? j + 2 * blockSize : j;
      int j3 = j + 3 * blockSize < SAMPLE ? j + 3 * blockSize : j;
      int key = mixed(keys.get(from + size * j / SAMPLE));
      int key1 = mixed(keys.get(from + size * j1 / SAMPLE));
      int key2 = mixed(keys.get(from + size * j2 / SAMPLE));
      int key3 = mixed(keys.get(from + size * j3 / SAMPLE));
      met += note(key, true);
      met += note(key1, j1 > j);
      met += note(key2, j2 > j);
      met += note(key3, j3 > j);
    }
    // relaxed: a barrier precedes its read
    int _ = shared.fetchAddRelaxed(SAMPLE, met);
    Block.barrier();
    if (thread == 0 && shared.get(SAMPLE) >= MANY) {
      // relaxed: the end of the launch publishes them
      counters.storeRelaxed(MapCodes.FREQUENT, 1);
      counters.storeRelaxed(MapCodes.CROWDED, 1);
    }
  }

  /** Returns a key in as many bits as a place has; different keys rarely agree. */
  static int mixed(long key) {
    return (int) ((key * 0x9E37_79B9_7F4A_7C15L) >> 32);
  }

  /** Returns 1 if a key is already in its place. A key whose place has another key is ignored. */
  private int note(int key, boolean is) {
    int stored = BlockAggregate.stored(key);
    int met = 0;
    if (is) {
      int place = BlockAggregate.place(key, SAMPLE);
      // relaxed: the key contains everything
      met = shared.compareAndExchangeRelaxed(place, BlockAggregate.FREE, stored) == stored ? 1 : 0;
    }
    return met;
  }
}
