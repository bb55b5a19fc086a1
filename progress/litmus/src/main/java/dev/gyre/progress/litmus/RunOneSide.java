package dev.gyre.progress.litmus;

import dev.gyre.atomics.SystemInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Kernel for one side of the instances of a litmus program whose other side runs elsewhere at the
 * same time: the host and a device, in memory that both access in place.
 *
 * <p>There is a thread per role, which meets the others before each instance, without
 * read-modify-write operations.
 *
 * @param program the program
 * @param order its memory order
 * @param cells its words, all 0, and registers
 * @param begun per role, every {@link #STEP} ints, the number of instances that it has begun
 * @param roles threads per instance, on both sides together
 * @param host role of the host
 * @param here 1 on the side of the host, which has one thread, otherwise 0
 * @param meetPolls polls for which a thread waits for the others; half as many after each wait that
 *     gave up
 * @param delay largest number of reads of its own word before the thread of the host begins
 */
public record RunOneSide(
    Litmus program,
    Order order,
    Cells cells,
    SystemInts begun,
    int roles,
    int host,
    int here,
    long meetPolls,
    int delay)
    implements Kernel {

  /** Ints from the word of one role to that of the next in {@code begun}. */
  public static final int STEP = 32;

  /** Largest number of ints of {@code begun}. */
  public static final int INTS = 4 * STEP;

  @Override
  public void run(int thread, LaunchShape shape) {
    int role = thread;
    if (thread >= host) {
      role = thread + 1;
    }
    if (here == 1) {
      role = host;
    }
    if (role < roles) {
      play(role);
    }
  }

  private void play(int role) {
    long pollLimit = meetPolls;
    for (long i = 0; i < cells.instances(); i++) {
      pollLimit = meet(role, (int) i + 1, pollLimit);
      wait(role, i);
      program.play(cells, order, role, i);
    }
  }

  /** Waits until the others have begun as many instances; returns the limit of the next wait. */
  private long meet(int role, int until, long pollLimit) {
    begun.storeRelaxed((long) role * STEP, until);
    long polls = 0;
    int missing = roles;
    while (polls <= pollLimit) {
      missing = 0;
      for (int other = 0; other < roles; other++) {
        missing += begun.loadRelaxed((long) other * STEP) < until ? 1 : 0;
      }
      polls = missing == 0 ? pollLimit + 1 : polls + 1;
    }
    return missing == 0 ? meetPolls : pollLimit / 2;
  }

  /** Delays the host, which is faster: sometimes it begins with the others, sometimes later. */
  private void wait(int role, long instance) {
    int looks = here == 1 ? (int) (instance * 61 % delay) : 0;
    for (int look = 0; look < looks; look++) {
      int _ = begun.loadRelaxed((long) role * STEP);
    }
  }
}
