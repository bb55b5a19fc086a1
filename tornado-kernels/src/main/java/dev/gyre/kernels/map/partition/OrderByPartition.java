package dev.gyre.kernels.map.partition;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Lanes;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.NumberTable;

/**
 * Copies entries so that the entries of each partition of a level are together, and the partitions
 * are in order. The entries of one partition are in any order. {@link CountPartitions} has counted
 * them.
 *
 * <p>A block processes one tile of a parent's entries after another. It counts the tile's entries
 * of each child, allocates places for them after the entries that the child already has, orders the
 * tile in shared memory, and copies it from there. Neighbouring threads copy neighbouring longs, so
 * that a block writes the entries of a child as one run.
 *
 * <p>A thread requests several entries before it uses the first, because memory is slow.
 *
 * @param tile entries per tile
 * @param staged a tile of entries, in shared memory
 * @param shared ints in shared memory; see {@link #sharedInts}
 */
public record OrderByPartition(
    NumberTable table,
    Entries entries,
    Pairs ordered,
    PartitionLevel level,
    int tile,
    SharedLongs staged,
    SharedInts shared)
    implements Kernel {

  /** Bits for the number of an entry within its child in the tile; the child is above. */
  private static final int RANK_BITS = 16;

  private static final int NONE = -1;

  /**
   * Returns the number of shared ints. They are, for each child, a count, its first entry in the
   * tile and the distance from its place; a sum per thread; and for each entry of the tile its
   * child and its number within the child.
   */
  public static int sharedInts(int bits, int blockSize, int tile) {
    return (3 << bits) + blockSize + 1 + tile;
  }

  @Override
  public void run(int thread, LaunchShape shape) {
    NumberTable table = this.table.copy();
    DeviceInts numbers = level.numbers();
    int blockSize = shape.blockSize();
    int own = thread % blockSize;
    int block = thread / blockSize;
    int children = level.children();
    int longs = ordered.longs();
    int parts = shape.blocks() >> level.parentBits();
    int parent = block / parts;
    int part = block % parts;
    int first = parent * children;
    int offsets = children;
    int places = 2 * children;
    int sums = 3 * children;
    int all = sums + blockSize;
    int ranks = all + 1;
    long begin = level.begin(parent);
    long length = level.isCrowded() ? 0 : level.end(parent) - begin;
    long last = level.end(parent) - 1;
    long from = begin + length * part / parts;
    long to = begin + length * (part + 1) / parts;
    // Each child belongs to one thread.
    boolean has = own < children;
    int total = has ? numbers.get(level.total(first + own)) : 0;
    int place = (int) begin + sumBefore(sums, own, total);
    if (has && part == 0) {
      numbers.set(level.begins() + first + own, place);
    }
    if (has && part == 0 && first + own + 1 == level.partitions()) {
      numbers.set(level.begins() + first + own + 1, place + total);
    }
    for (long at = from; at < to; at += tile) {
      int size = (int) (to - at < tile ? to - at : tile);
      if (has) {
        shared.set(own, 0);
      }
      Block.barrier();
      for (int j = own; j < size; j += 4 * blockSize) {
        int j1 = j + blockSize < size ? j + blockSize : j;
        int j2 = j + 2 * blockSize < size ? j + 2 * blockSize : j;
        int j3 = j + 3 * blockSize < size ? j + 3 * blockSize : j;
        long key = entries.key(at + j);
        long key1 = entries.key(at + j1);
        long key2 = entries.key(at + j2);
        long key3 = entries.key(at + j3);
        rank(table, at, ranks, j, key, true);
        rank(table, at, ranks, j1, key1, j1 > j);
        rank(table, at, ranks, j2, key2, j2 > j);
        rank(table, at, ranks, j3, key3, j3 > j);
      }
      Block.barrier();
      int count = has ? shared.get(own) : 0;
      int offset = sumBefore(sums, own, count);
      if (has) {
        // relaxed: allocates places for this thread only
        int taken = numbers.fetchAddRelaxed(level.taken(first + own), count);
        shared.set(offsets + own, offset);
        shared.set(places + own, place + taken - offset);
      }
      if (own == blockSize - 1) {
        shared.set(all, offset + count);
      }
      Block.barrier();
      for (int j = own; j < size; j += 2 * blockSize) {
        int j1 = j + blockSize < size ? j + blockSize : j;
        long key = entries.key(at + j);
        long key1 = entries.key(at + j1);
        long value = entries.value(at + j);
        long value1 = entries.value(at + j1);
        stage(offsets, shared.get(ranks + j), key, value);
        stage(offsets, j1 > j ? shared.get(ranks + j1) : NONE, key1, value1);
      }
      Block.barrier();
      int taken = shared.get(all);
      for (int w = own; w < taken * longs; w += blockSize) {
        int j = w / longs;
        int child = level.child(table, ordered.staged(staged, j));
        // Stay within the parent, even if a key has changed since it was counted.
        long entry = Math.min(Math.max((long) shared.get(places + child) + j, begin), last);
        ordered.words().set(entry * longs + w % longs, staged.get(w));
      }
      Block.barrier();
    }
  }

  private void rank(NumberTable table, long at, int ranks, int j, long key, boolean is) {
    if (is) {
      int rank = NONE;
      if (entries.takes(at + j)) {
        int child = level.child(table, key);
        // relaxed: a barrier precedes the reads of counts
        rank = (child << RANK_BITS) + shared.fetchAddRelaxed(child, 1);
      }
      shared.set(ranks + j, rank);
    }
  }

  private void stage(int offsets, int rank, long key, long value) {
    if (rank != NONE) {
      int offset = shared.get(offsets + (rank >> RANK_BITS));
      ordered.stage(staged, offset + (rank & ((1 << RANK_BITS) - 1)), key, value);
    }
  }

  /** Returns the sum of the values of earlier threads of the block. All threads call it. */
  private int sumBefore(int sums, int own, int value) {
    int width = Lanes.width();
    int warp = own / width;
    int upTo = Lanes.prefixSum(value);
    if (own % width == width - 1) {
      shared.set(sums + warp, upTo);
    }
    Block.barrier();
    int sum = upTo - value;
    for (int w = 0; w < warp; w++) {
      sum += shared.get(sums + w);
    }
    Block.barrier();
    return sum;
  }
}
