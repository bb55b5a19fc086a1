package dev.gyre.kernels.sync.stress;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.sync.DeviceSemaphore;
import dev.gyre.kernels.sync.SyncLayout;

/**
 * Threads that enter a semaphore at device scope over and over, by waiting and by trying, and count
 * who else is inside; with one permit they count plainly what they do there.
 *
 * @param words a semaphore per group
 * @param payload a plain counter per group
 * @param report see {@link StressLayout}
 * @param groupSize threads that share a semaphore
 * @param rounds how often each enters
 * @param permits how many may be inside
 * @param pollLimit polls after which a wait gives up
 */
public record DeviceSemaphoreStress(
    DeviceInts words,
    ThreadInts payload,
    DeviceLongs report,
    int groupSize,
    int rounds,
    int permits,
    long pollLimit)
    implements Kernel {

  /** How often a thread tries before it waits. */
  private static final int TRIES = 4;

  @Override
  public void run(int thread, LaunchShape shape) {
    enter(thread, words, payload, report, groupSize, rounds, permits, pollLimit);
  }

  /** Enters and leaves; a device function. */
  public static void enter(
      int thread,
      DeviceInts words,
      ThreadInts payload,
      DeviceLongs report,
      int groupSize,
      int rounds,
      int permits,
      long pollLimit) {
    int group = thread / groupSize;
    int rank = thread % groupSize;
    long at = (long) group * SyncLayout.WORDS;
    int entered = 0;
    int wrong = 0;
    for (int round = 0; round < rounds; round++) {
      int tries = (rank + round) % 2 * TRIES;
      int taken = 0;
      while (tries > 0) {
        taken = DeviceSemaphore.tryAcquire(words, at);
        tries = taken == 1 ? 0 : tries - 1;
      }
      if (taken == 0) {
        taken = DeviceSemaphore.acquire(words, at, pollLimit);
      }
      if (taken == SyncLayout.DONE) {
        entered += 1;
        int inside = words.fetchAddRelaxed(at + StressLayout.INSIDE, 1);
        wrong += inside < permits ? 0 : 1;
        if (permits == 1) {
          payload.set(group, payload.get(group) + 1);
        }
        DeviceTurns.delay(words, at, StressLayout.noise(1, rank, round) & 15);
        int _ = words.fetchSubRelaxed(at + StressLayout.INSIDE, 1);
        DeviceSemaphore.release(words, at, 1);
      }
    }
    long _ = report.fetchAddRelaxed(StressLayout.STUCK, rounds - entered);
    long _ = report.fetchAddRelaxed(StressLayout.WRONG, wrong);
    long _ = report.fetchAddRelaxed(StressLayout.COUNTED, entered);
  }
}
