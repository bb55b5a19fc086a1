package dev.gyre.atomics;

/**
 * Barrier of the threads of a block, for device functions.
 *
 * @since 0.1.0
 */
public final class Block {

  private Block() {}

  /**
   * Waits until all threads of the block have called it. Each thread then sees what the others
   * wrote before.
   *
   * <p>All threads of a block must call it equally often. A condition around a call must have the
   * same value for the whole block, as a condition on {@code thread / blockSize} has. The device
   * compiler refuses a kernel if it finds a call on a branch that only some threads take. If it
   * does not find the call, the behaviour on a device is undefined.
   *
   * <p>On the JVM each waiting thread of a block has a Java thread of its own. If a thread of the
   * block ends while others wait, the launch fails with a {@link DivergentBarrierException}.
   * Outside of a launch, a thread is alone in its block and does not wait.
   *
   * <p>On a device this is the native barrier, which needs no memory.
   */
  public static void barrier() {
    Meeting.Launch launch = Meeting.launch();
    if (launch != null) {
      launch.awaitBlock();
    }
  }
}
