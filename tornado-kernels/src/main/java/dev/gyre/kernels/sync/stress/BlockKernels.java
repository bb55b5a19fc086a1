package dev.gyre.kernels.sync.stress;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.ThreadInts;
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
}
