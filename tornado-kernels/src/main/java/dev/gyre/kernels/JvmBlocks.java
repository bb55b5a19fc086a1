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

/** The blocks of a launch on the JVM whose threads have begun, and have not all ended. */
final class JvmBlocks {

  private final LaunchShape shape;
  private final Map<Integer, Group> begun = new ConcurrentHashMap<>();

  private final Kernel kernel;

  /** The kernel's tree, where blocks share memory. */
  private final @Nullable KernelTree sharing;

  // Guarded by this.
  private final Deque<Kernel> free = new ArrayDeque<>();
  private final List<Memory> memories = new ArrayList<>();

  JvmBlocks(Kernel kernel, LaunchShape shape) {
    this.kernel = kernel;
    this.shape = shape;
    this.sharing = KernelTree.sharing(kernel);
  }

  /** A kernel with shared memory that no other block has at the same time. */
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

  /** Gives the shared memory back; no thread works any more. */
  synchronized void close() {
    for (int i = 0; i < memories.size(); i++) {
      memories.get(i).close();
    }
  }

  /** The block of a thread that begins; null where it is alone in it, and shares nothing. */
  @Nullable Group begin(int thread) {
    return shape.blockSize() == 1 && sharing == null
        ? null
        : begun.computeIfAbsent(thread / shape.blockSize(), Group::new);
  }

  /** The threads of a block. */
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

    /** What its threads run. */
    Kernel kernel() {
      return own;
    }

    /**
     * A thread has come to a barrier.
     *
     * @return what it is to wait for; null where it was the last to come
     * @throws DivergentBarrierException if others have ended that should come
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
     * A thread has ended.
     *
     * @throws DivergentBarrierException if others wait for it
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
