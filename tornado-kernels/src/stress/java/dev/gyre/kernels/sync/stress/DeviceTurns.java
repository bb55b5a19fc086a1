package dev.gyre.kernels.sync.stress;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.sync.SyncLayout;

/**
 * Decides when a thread of a group arrives: in a given order, or after a delay that looks random.
 * Device functions, for words at device scope.
 *
 * <p>The order is kept by relaxed accesses only, which publish nothing: what a latch or a barrier
 * fails to publish is missed all the same.
 */
final class DeviceTurns {

  private DeviceTurns() {}

  /**
   * Waits for a thread's turn.
   *
   * @param at where the words of the group's latch or barrier begin
   * @param orders for each order of arrival the place of each thread in it
   * @param count how many orders there are; 0 for delays
   * @param step which arrival of this thread it is: says which order, or how long a delay
   * @param done arrivals before this step
   * @return {@link SyncLayout#DONE}, or {@link SyncLayout#STUCK}
   */
  static int await(
      DeviceInts words,
      long at,
      ThreadInts orders,
      int count,
      int rank,
      int groupSize,
      int step,
      int done,
      long pollLimit) {
    int outcome = SyncLayout.DONE;
    if (count > 0) {
      int turn = done + orders.get((long) (step % count) * groupSize + rank);
      int now = words.loadRelaxed(at + StressLayout.TURN);
      long polls = now == turn ? pollLimit : 0;
      while (polls < pollLimit) {
        polls = words.pause(at + StressLayout.TURN, polls);
        now = words.loadRelaxed(at + StressLayout.TURN);
        polls = now == turn ? pollLimit : polls;
      }
      outcome = now == turn ? SyncLayout.DONE : SyncLayout.STUCK;
    } else {
      delay(words, at, StressLayout.noise(groupSize, rank, step));
    }
    return outcome;
  }

  /** Looks at the turn so often. */
  static void delay(DeviceInts words, long at, int looks) {
    for (int i = 0; i < looks; i++) {
      int _ = words.loadRelaxed(at + StressLayout.TURN);
    }
  }

  /** Lets the next thread of an order have its turn. */
  static void next(DeviceInts words, long at, int count) {
    if (count > 0) {
      int _ = words.fetchAddRelaxed(at + StressLayout.TURN, 1);
      words.wakeAll(at + StressLayout.TURN);
    }
  }
}
