package dev.gyre.structures.map.sharded;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/** Groups the keys of a chunk by shard. */
final class Partition {

  private Partition() {}

  /**
   * Returns the indices of keys by shard, in rising order.
   *
   * @param home the shard of a key, or less than 0 if the key belongs to none
   */
  static int[][] of(int keys, int shards, IntUnaryOperator home) {
    int[] homes = new int[keys];
    int[] counts = new int[shards];
    for (int i = 0; i < keys; i++) {
      homes[i] = home.applyAsInt(i);
      if (homes[i] >= 0) {
        counts[homes[i]]++;
      }
    }
    int[][] indices = Arrays.stream(counts).mapToObj(int[]::new).toArray(int[][]::new);
    Arrays.fill(counts, 0);
    for (int i = 0; i < keys; i++) {
      if (homes[i] >= 0) {
        indices[homes[i]][counts[homes[i]]++] = i;
      }
    }
    return indices;
  }
}
