package dev.gyre.kernels.sync.stress;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.SharedDoubles;
import dev.gyre.atomics.SharedFloats;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/** Kernels whose threads wait for those of their block; for tests on every target. */
public final class BlockKernels {

  private BlockKernels() {}

  /**
   * Each thread writes, and reads what the next of its block wrote, again and again.
   *
   * @param cells two ints for each thread
   * @param sums one int for each thread
   */
  public record Rotate(ThreadInts cells, ThreadInts sums, int rounds) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      int size = shape.blockSize();
      int first = thread / size * size;
      int mine = thread - first;
      int sum = 0;
      for (int round = 0; round < rounds; round++) {
        int from = (round & 1) * shape.threads() + first;
        cells.set(from + mine, thread * 31 + round);
        Block.barrier();
        sum = sum * 7 + cells.get(from + (mine + 1) % size);
      }
      sums.set(thread, sum);
    }

    /** What a thread's sum comes to. */
    public int expected(int thread, LaunchShape shape) {
      int size = shape.blockSize();
      int neighbour = thread / size * size + (thread % size + 1) % size;
      int sum = 0;
      for (int round = 0; round < rounds; round++) {
        sum = sum * 7 + neighbour * 31 + round;
      }
      return sum;
    }
  }

  /** A barrier that only some threads of a block come to. */
  public record Divergent(ThreadInts cells) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      if (thread % 2 == 0) {
        Block.barrier();
      }
      cells.set(thread, thread);
    }
  }

  /** A barrier on a branch that whole blocks take. */
  public record ByBlocks(ThreadInts cells) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      if (thread / shape.blockSize() % 2 == 0) {
        Block.barrier();
      }
      cells.set(thread, thread);
    }
  }

  /**
   * Each block turns its values around, and adds them up, in memory that it shares.
   *
   * @param turned an int for each thread
   * @param sums four longs for each block: sums as int, long, float and double
   */
  public record Turn(
      SharedInts ints,
      SharedLongs longs,
      SharedFloats floats,
      SharedDoubles doubles,
      ThreadInts turned,
      ThreadLongs sums)
      implements Kernel {

    private static final int SUMS = 4;

    /** With shared memory for a block size. */
    public static Turn of(int blockSize, ThreadInts turned, ThreadLongs sums) {
      return new Turn(
          SharedInts.of(blockSize + 1),
          SharedLongs.of(1),
          SharedFloats.of(1),
          SharedDoubles.of(1),
          turned,
          sums);
    }

    @Override
    public void run(int thread, LaunchShape shape) {
      int size = shape.blockSize();
      int block = thread / size;
      int mine = thread - block * size;
      if (mine == 0) {
        ints.set(size, 0);
        longs.set(0, 0);
        floats.set(0, 0);
        doubles.set(0, 0);
      }
      Block.barrier();
      ints.set(mine, thread * 3);
      // relaxed: the barrier publishes all of it.
      int _ = ints.fetchAddRelaxed(size, thread);
      long _ = longs.fetchAddRelaxed(0, 5L * thread);
      float _ = floats.fetchAddRelaxed(0, mine);
      double _ = doubles.fetchMaxRelaxed(0, 0.5 * thread);
      Block.barrier();
      turned.set(thread, ints.get(size - 1 - mine));
      if (mine == 0) {
        long at = (long) SUMS * block;
        sums.set(at, ints.loadRelaxed(size));
        sums.set(at + 1, longs.loadRelaxed(0));
        sums.set(at + 2, (long) floats.loadRelaxed(0));
        sums.set(at + 3, (long) (2 * doubles.loadRelaxed(0)));
      }
    }

    /** Whether all is as it should be. */
    public boolean isRight(LaunchShape shape) {
      boolean right = true;
      int size = shape.blockSize();
      for (int block = 0; block < shape.blocks(); block++) {
        int first = block * size;
        int sum = 0;
        for (int i = 0; i < size; i++) {
          right &= turned.get(first + i) == (first + size - 1 - i) * 3;
          sum += first + i;
        }
        long at = (long) SUMS * block;
        right &= sums.get(at) == sum && sums.get(at + 1) == 5L * sum;
        right &= sums.get(at + 2) == size * (size - 1L) / 2 && sums.get(at + 3) == first + size - 1;
      }
      return right;
    }
  }
}
