package dev.gyre.kernels.sync.stress;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.sync.DeviceSemaphore;
import dev.gyre.kernels.sync.SyncLayout;

/**
 * The program of CCCL's issue 450, at device scope: thread 0 of a group lets go of a binary
 * semaphore and takes it again, until another thread has had its turn, which for that must get the
 * semaphore. Where it is not fair, this may never end.
 *
 * @param words a semaphore with one permit per group and round
 * @param report see {@link StressLayout}
 * @param groupSize threads that share a semaphore
 * @param rounds semaphores of a group
 * @param turns how often a thread lets go before it gives up
 * @param pollLimit polls after which a wait gives up
 */
public record DeviceStarvation(
    DeviceInts words, DeviceLongs report, int groupSize, int rounds, int turns, long pollLimit)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    share(thread, words, report, groupSize, rounds, turns, pollLimit);
  }

  /** Shares; a device function. */
  public static void share(
      int thread,
      DeviceInts words,
      DeviceLongs report,
      int groupSize,
      int rounds,
      int turns,
      long pollLimit) {
    int rank = thread % groupSize;
    int first = thread / groupSize * rounds;
    int missing = 0;
    int alone = 0;
    for (int round = 0; round < rounds; round++) {
      long at = (long) (first + round) * SyncLayout.WORDS;
      int left = DeviceSemaphore.acquire(words, at, pollLimit) * turns;
      missing += left == 0 ? 1 : 0;
      while (left > 0) {
        DeviceSemaphore.release(words, at, 1);
        // relaxed: who enters later learns of it by the semaphore.
        int others = words.fetchAddRelaxed(at + StressLayout.TURN, rank);
        int entered = DeviceSemaphore.acquire(words, at, pollLimit);
        missing += 1 - entered;
        int last = others + rank == 0 ? left : 0;
        alone += last == 1 ? 1 : 0;
        left = others == 0 ? (left - 1) * entered : 0;
      }
      DeviceSemaphore.release(words, at, 1);
    }
    long _ = report.fetchAddRelaxed(StressLayout.STUCK, missing);
    long _ = report.fetchAddRelaxed(StressLayout.WRONG, alone);
    long _ = report.fetchAddRelaxed(StressLayout.COUNTED, rounds);
  }
}
