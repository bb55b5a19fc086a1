package dev.gyre.kernels.sync.stress;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.sync.DeviceBarrier;
import dev.gyre.kernels.sync.SyncLayout;

/**
 * Rounds of two phases each at device scope: all of a group write plainly, meet, look at what the
 * others wrote, and meet again. The last arriver of the first phase writes, too, before it
 * completes the phase.
 *
 * @param words a barrier per group
 * @param payload {@code groupSize + 1} ints per group: one per thread, one for the last arriver
 * @param orders see {@link DeviceTurns}
 * @param report see {@link StressLayout}
 * @param groupSize threads that meet
 * @param rounds how often they meet twice
 * @param orderCount orders of arrival; 0 for delays
 * @param drops 1 if threads drop, one after another through all rounds, the last of a group last
 * @param several 1 if a thread arrives for as many as its place in the group, counted from 1
 * @param pollLimit polls after which a wait gives up
 */
public record DeviceBarrierStress(
    DeviceInts words,
    ThreadInts payload,
    ThreadInts orders,
    DeviceLongs report,
    int groupSize,
    int rounds,
    int orderCount,
    int drops,
    int several,
    long pollLimit)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    meet(
        thread,
        words,
        payload,
        orders,
        report,
        groupSize,
        rounds,
        orderCount,
        drops,
        several,
        pollLimit);
  }

  /** Meets; a device function. */
  public static void meet(
      int thread,
      DeviceInts words,
      ThreadInts payload,
      ThreadInts orders,
      DeviceLongs report,
      int groupSize,
      int rounds,
      int orderCount,
      int drops,
      int several,
      long pollLimit) {
    int rank = thread % groupSize;
    long at = (long) (thread / groupSize) * SyncLayout.WORDS;
    long row = (long) (thread / groupSize) * (groupSize + 1);
    int last = groupSize - 1;
    // The last of a group stays through all rounds.
    int stays = drops == 0 ? rounds : rounds - (int) ((long) rounds * (last - rank) / groupSize);
    int leaves = drops == 0 ? -1 : stays - 1;
    int arrivals = several == 0 ? 1 : rank + 1;
    int ended = 0;
    int wrong = 0;
    int lasts = 0;
    for (int round = 0; round < stays; round++) {
      ended +=
          DeviceTurns.await(
              words, at, orders, orderCount, rank, groupSize, round, round * groupSize, pollLimit);
      payload.set(row + rank, round + 1);
      int token = DeviceBarrier.arrive(words, at, arrivals);
      DeviceTurns.next(words, at, orderCount);
      if (DeviceBarrier.isLast(token) == 1) {
        wrong += missed(payload, row, last, round, drops);
        payload.set(row + groupSize, round + 1);
        lasts += 1;
        DeviceBarrier.complete(words, at);
      }
      ended += DeviceBarrier.await(words, at, token, pollLimit);
      wrong += missed(payload, row, last, round, drops);
      wrong += payload.get(row + groupSize) == round + 1 ? 0 : 1;
      // Nobody writes before all have looked.
      if (round == leaves) {
        token = DeviceBarrier.arriveAndDrop(words, at);
      } else {
        token = DeviceBarrier.arrive(words, at, arrivals);
      }
      if (DeviceBarrier.isLast(token) == 1) {
        lasts += 1;
        DeviceBarrier.complete(words, at);
      }
      ended += DeviceBarrier.await(words, at, token, pollLimit);
    }
    long _ = report.fetchAddRelaxed(StressLayout.STUCK, 3 * stays - ended);
    long _ = report.fetchAddRelaxed(StressLayout.WRONG, wrong);
    long _ = report.fetchAddRelaxed(StressLayout.COUNTED, lasts);
  }

  /** How many words of others are not of this round: of all, or where threads drop, of the last. */
  private static int missed(ThreadInts payload, long row, int last, int round, int drops) {
    int missed = 0;
    int first = drops == 0 ? 0 : last;
    for (int other = first; other <= last; other++) {
      missed += payload.get(row + other) == round + 1 ? 0 : 1;
    }
    return missed;
  }
}
