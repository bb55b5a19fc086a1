package dev.gyre.kernels;

import dev.gyre.atomics.DivergentBarrierException;
import dev.gyre.atomics.Memory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Blocks of a launch on the JVM that have started and not ended. */
final class JvmBlocks {

  private final LaunchShape shape;
  private final Map<Integer, Group> begun = new ConcurrentHashMap<>();

  private final Kernel kernel;

  /** The kernel's tree, if blocks share memory. */
  private final @Nullable KernelTree sharing;

  // Guarded by this.
  private final Deque<Kernel> free = new ArrayDeque<>();
  private final List<Memory> memories = new ArrayList<>();

  JvmBlocks(Kernel kernel, LaunchShape shape) {
    this.kernel = kernel;
    this.shape = shape;
    this.sharing = KernelTree.sharing(kernel);
  }

  /** Returns a kernel with shared memory that no other block uses at the same time. */
  private synchronized Kernel take() {
    if (sharing == null) {
      return kernel;
    }
    Kernel own = free.poll();
    return own != null ? own : sharing.inBlock(shared -> shared.in(memory(shared.byteSize())));
  }

  private Memory memory(long bytes) {
    Memory memory = Memory.ofBytes(bytes);
    memories.add(memory);
    return memory;
  }

  private synchronized void giveBack(Kernel own) {
    if (sharing != null) {
      free.push(own);
    }
  }

  /** Frees the shared memory; no thread runs any more. */
  synchronized void close() {
    for (int i = 0; i < memories.size(); i++) {
      memories.get(i).close();
    }
  }

  /**
   * Returns the block of a starting thread; null if the block has one thread and shares nothing.
   */
  @Nullable Group begin(int thread) {
    return shape.blockSize() == 1 && sharing == null
        ? null
        : begun.computeIfAbsent(thread / shape.blockSize(), Group::new);
  }

  /** Threads of a block. */
  final class Group {
    private final int block;
    private final Kernel own = take();

    // Guarded by this.
    private int arrived;
    private int ended;
    private CountDownLatch phase = new CountDownLatch(1);

    private Group(int block) {
      this.block = block;
    }

    /** Returns the kernel of its threads. */
    Kernel kernel() {
      return own;
    }

    /**
     * Notes that a thread has arrived at a barrier.
     *
     * @return what the thread waits for; null if it arrived last
     * @throws DivergentBarrierException if threads that should arrive have ended
     */
    synchronized @Nullable CountDownLatch arrive() {
      CountDownLatch before = phase;
      arrived++;
      if (arrived < shape.blockSize()) {
        requireOthers();
        return before;
      }
      arrived = 0;
      phase = new CountDownLatch(1);
      before.countDown();
      return null;
    }

    /**
     * Notes that a thread has ended.
     *
     * @throws DivergentBarrierException if other threads wait for it
     */
    synchronized void end() {
      ended++;
      if (ended == shape.blockSize()) {
        begun.remove(block);
        giveBack(own);
      }
      requireOthers();
    }

    private void requireOthers() {
      if (arrived > 0 && arrived + ended == shape.blockSize()) {
        throw new DivergentBarrierException(block, arrived, shape.blockSize());
      }
    }
  }
}
