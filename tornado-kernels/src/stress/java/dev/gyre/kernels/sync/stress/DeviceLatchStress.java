package dev.gyre.kernels.sync.stress;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.sync.DeviceLatch;
import dev.gyre.kernels.sync.SyncLayout;

/**
 * A latch per round at device scope: all of a group write plainly and count down; every set of them
 * waits in turn, and looks at what the others wrote.
 *
 * @param words a latch per group and round
 * @param payload an int per thread, group and round
 * @param orders see {@link DeviceTurns}
 * @param report see {@link StressLayout}
 * @param groupSize threads that count down
 * @param rounds latches of a group
 * @param orderCount orders of arrival; 0 for delays
 * @param pollLimit polls after which a wait gives up
 */
public record DeviceLatchStress(
    DeviceInts words,
    ThreadInts payload,
    ThreadInts orders,
    DeviceLongs report,
    int groupSize,
    int rounds,
    int orderCount,
    long pollLimit)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    meet(thread, words, payload, orders, report, groupSize, rounds, orderCount, pollLimit);
  }

  /** Counts down, and waits at some of the latches; a device function. */
  public static void meet(
      int thread,
      DeviceInts words,
      ThreadInts payload,
      ThreadInts orders,
      DeviceLongs report,
      int groupSize,
      int rounds,
      int orderCount,
      long pollLimit) {
    int rank = thread % groupSize;
    int first = thread / groupSize * rounds;
    int ended = 0;
    int wrong = 0;
    int waits = 0;
    for (int round = 0; round < rounds; round++) {
      long at = (long) (first + round) * SyncLayout.WORDS;
      long row = (long) (first + round) * groupSize;
      ended +=
          DeviceTurns.await(words, at, orders, orderCount, rank, groupSize, round, 0, pollLimit);
      payload.set(row + rank, round + 1);
      DeviceLatch.countDown(words, at, 1);
      DeviceTurns.next(words, at, orderCount);
      // Each order of arrival comes with each set of threads that wait.
      int set = orderCount > 0 ? round / orderCount : StressLayout.noise(round, 0, 0);
      if ((set >> (rank & 7) & 1) == 0) {
        waits += 1;
        ended += DeviceLatch.await(words, at, pollLimit);
        for (int other = 0; other < groupSize; other++) {
          wrong += payload.get(row + other) == round + 1 ? 0 : 1;
        }
      }
    }
    long _ = report.fetchAddRelaxed(StressLayout.STUCK, rounds + waits - ended);
    long _ = report.fetchAddRelaxed(StressLayout.WRONG, wrong);
    long _ = report.fetchAddRelaxed(StressLayout.COUNTED, waits);
  }
}
