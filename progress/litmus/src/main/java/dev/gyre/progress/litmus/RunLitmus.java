package dev.gyre.progress.litmus;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Kernel that runs instances of a litmus program once.
 *
 * <p>Threads take roles in groups: the first {@code group} threads have role 0, the next role 1,
 * and so on, cyclically. So partners are in one warp, one block, or different blocks. They meet
 * before each chunk of instances, so that partners run at the same time. No wait is longer than
 * {@code meetPolls} polls.
 *
 * @param program the program
 * @param order its memory order
 * @param cells its words, all 0, and registers; stress threads need {@link LitmusCodes#SCRATCH}
 *     further words, from {@link LitmusCodes#scratch} on
 * @param meeting one long: the number of chunks that all test threads have begun, in all launches
 * @param roles threads per instance
 * @param group number of neighbours with the same role
 * @param testThreads threads that run instances, a multiple of {@code roles * group}; the others
 *     are stress threads
 * @param chunks number of meetings; a divisor of the number of instances
 * @param meetUntil value of {@code meeting} when all test threads of this launch have started;
 *     every chunk adds as many again
 * @param meetPolls polls for which a thread waits for all to begin, before each chunk; 0 for no
 *     wait
 */
public record RunLitmus(
    Litmus program,
    Order order,
    Cells cells,
    DeviceLongs meeting,
    int roles,
    int group,
    int testThreads,
    long chunks,
    long meetUntil,
    long meetPolls)
    implements Kernel {

  public RunLitmus {
    if (testThreads % (roles * group) != 0) {
      throw new IllegalArgumentException(
          testThreads + " threads do not make groups of " + group + " with " + roles + " roles");
    }
  }

  @Override
  public void run(int thread, LaunchShape shape) {
    if (thread < testThreads) {
      int role = thread / group % roles;
      long lane = (long) (thread / (group * roles)) * group + thread % group;
      long lanes = testThreads / roles;
      long size = cells.instances() / chunks;
      for (long chunk = 0; chunk < chunks; chunk++) {
        meet(meetUntil + chunk * testThreads);
        for (long i = chunk * size + lane; i < (chunk + 1) * size; i += lanes) {
          program.play(cells, order, role, i);
        }
      }
    } else {
      stress(thread);
    }
  }

  /** Lets threads begin at about the same time, if they can run at the same time. */
  private void meet(long until) {
    if (meetPolls > 0) {
      long here = meeting.fetchAddRelaxed(0, 1) + 1;
      long polls = here >= until ? meetPolls : 0;
      while (polls < meetPolls) {
        here = meeting.loadRelaxed(0);
        polls = here >= until ? meetPolls : polls + 1;
      }
    }
  }

  /** Keeps the memory system busy while others use the cells. */
  private void stress(int thread) {
    Words words = cells.words();
    long base = LitmusCodes.scratch(cells.instances());
    int mask = LitmusCodes.SCRATCH - 1;
    for (long i = 0; i < cells.instances(); i++) {
      int _ = words.fetchAddRelaxed(base + ((thread * 61L + i * 16) & mask), 1);
      words.storeRelaxed(base + ((thread * 37L + i * 48) & mask), thread);
      int _ = words.loadRelaxed(base + ((thread + i * 32) & mask));
    }
  }
}
