package dev.gyre.kernels.litmus;

import dev.gyre.atomics.BlockInts;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadInts;

/** What litmus tests of all scopes share: meeting, counting outcomes, and a mismatch of scopes. */
public final class LitmusFunctions {

  private LitmusFunctions() {}

  /** Lets threads begin at about the same time, if they run at the same time. */
  static void meet(DeviceLongs meeting, long meetUntil, long meetPolls) {
    if (meetPolls > 0) {
      long here = meeting.fetchAddRelaxed(0, 1) + 1;
      long polls = here >= meetUntil ? meetPolls : 0;
      while (polls < meetPolls) {
        here = meeting.loadRelaxed(0);
        polls = here >= meetUntil ? meetPolls : polls + 1;
      }
    }
  }

  /**
   * Message passing in which the flag is raised at block scope and read at device scope: a data
   * race where the threads are of different blocks, as in the example of the CUDA C++ memory model.
   * See {@link RunMismatch}.
   */
  public static void mismatch(
      int thread,
      BlockInts near,
      DeviceInts far,
      ThreadInts results,
      int group,
      int testThreads,
      long n,
      int pad) {
    if (thread < testThreads) {
      int role = thread / group % 2;
      long lane = (long) (thread / (group * 2)) * group + thread % group;
      for (long i = lane; i < n; i += testThreads / 2) {
        if (role == 0) {
          near.storeRelaxed(i * pad, 1);
          near.storeRelease((n + i) * pad, 1);
        }
        if (role == 1) {
          int flag = far.loadAcquire((n + i) * pad);
          int word = far.loadRelaxed(i * pad);
          results.set(i, flag);
          results.set(n + i, word);
        }
      }
    }
  }

  /** Adds each instance to the bin of its outcome, and makes its words and registers 0 again. */
  public static void tally(
      int thread,
      int threads,
      ThreadInts cells,
      ThreadInts results,
      DeviceLongs bins,
      long instances,
      int pad) {
    long row = (long) (thread & (LitmusCodes.BIN_ROWS - 1)) * LitmusCodes.OUTCOMES;
    for (long i = thread; i < instances; i += threads) {
      int outcome = 0;
      for (int r = 0; r < LitmusCodes.REGISTERS; r++) {
        outcome |= (results.get(r * instances + i) & 3) << (2 * r);
        results.set(r * instances + i, 0);
      }
      long _ = bins.fetchAddRelaxed(row + outcome, 1);
      cells.set(i * pad, 0);
      cells.set((instances + i) * pad, 0);
    }
  }
}
