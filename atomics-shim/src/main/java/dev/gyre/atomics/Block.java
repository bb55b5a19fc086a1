package dev.gyre.atomics;

/** What the threads of a block do together; for device functions. */
public final class Block {

  private Block() {}

  /**
   * Waits until all threads of the block are here; they see then what any of them wrote before.
   *
   * <p>All of them must come by, as often: a barrier on a branch that some take and others do not
   * is refused where that can be seen, and undefined on a device where it cannot. So let conditions
   * around it be the same for the whole block, as those of {@code thread / blockSize} are. On the
   * JVM each waiting thread of a block has a thread of its own; where one has ended and others
   * wait, the launch fails with a {@link DivergentBarrierException}. Outside of a launch, a thread
   * is alone in its block.
   *
   * <p>It is the target's native one, and needs no memory, other than a barrier that counts.
   */
  public static void barrier() {
    Meeting.Room room = Meeting.room();
    if (room != null) {
      room.awaitBlock();
    }
  }
}
