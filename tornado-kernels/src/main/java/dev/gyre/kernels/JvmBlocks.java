package dev.gyre.kernels;

import dev.gyre.atomics.DivergentBarrierException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** The blocks of a launch on the JVM whose threads have begun, and have not all ended. */
final class JvmBlocks {

  private final LaunchShape shape;
  private final Map<Integer, Group> begun = new ConcurrentHashMap<>();

  JvmBlocks(LaunchShape shape) {
    this.shape = shape;
  }

  /** The block of a thread that begins; null where it is alone in it. */
  @Nullable Group begin(int thread) {
    return shape.blockSize() == 1
        ? null
        : begun.computeIfAbsent(thread / shape.blockSize(), Group::new);
  }

  /** The threads of a block. */
  final class Group {
    private final int block;

    // Guarded by this.
    private int arrived;
    private int ended;
    private CountDownLatch phase = new CountDownLatch(1);

    private Group(int block) {
      this.block = block;
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
