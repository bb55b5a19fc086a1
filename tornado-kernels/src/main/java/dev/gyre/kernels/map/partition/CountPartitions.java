package dev.gyre.kernels.map.partition;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.SharedInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.NumberTable;

/**
 * Counts the entries of each partition of a level. Each block first counts a part of one parent's
 * entries in shared memory; every parent has the same number of blocks.
 *
 * <p>A thread requests several entries before it uses the first, because memory is slow.
 *
 * @param counts an int per child, in shared memory
 * @param most number of entries above which a partition is crowded
 */
public record CountPartitions(
    NumberTable table, Entries entries, PartitionLevel level, SharedInts counts, int most)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    NumberTable table = this.table.copy();
    int blockSize = shape.blockSize();
    int own = thread % blockSize;
    int block = thread / blockSize;
    int children = level.children();
    int parts = shape.blocks() >> level.parentBits();
    int parent = block / parts;
    int first = parent * children;
    long begin = level.begin(parent);
    long length = level.isCrowded() ? 0 : level.end(parent) - begin;
    long from = begin + length * (block % parts) / parts;
    long to = begin + length * (block % parts + 1) / parts;
    for (int child = own; child < children; child += blockSize) {
      counts.set(child, 0);
    }
    Block.barrier();
    for (long i = from + own; i < to; i += 4L * blockSize) {
      long i1 = i + blockSize < to ? i + blockSize : i;
      long i2 = i + 2L * blockSize < to ? i + 2L * blockSize : i;
      long i3 = i + 3L * blockSize < to ? i + 3L * blockSize : i;
      long key = entries.key(i);
      long key1 = entries.key(i1);
      long key2 = entries.key(i2);
      long key3 = entries.key(i3);
      count(table, i, key, true);
      count(table, i1, key1, i1 > i);
      count(table, i2, key2, i2 > i);
      count(table, i3, key3, i3 > i);
    }
    Block.barrier();
    for (int child = own; child < children; child += blockSize) {
      int count = counts.get(child);
      // relaxed: the end of the launch publishes it
      int before = level.numbers().fetchAddRelaxed(level.total(first + child), count);
      if (before + count > most) {
        level.crowd();
      }
    }
  }

  private void count(NumberTable table, long i, long key, boolean is) {
    if (is && entries.takes(i)) {
      // relaxed: a barrier precedes its read
      int _ = counts.fetchAddRelaxed(level.child(table, key), 1);
    }
  }
}
