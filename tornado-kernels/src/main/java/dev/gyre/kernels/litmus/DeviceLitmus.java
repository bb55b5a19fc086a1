package dev.gyre.kernels.litmus;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadInts;

/** Runs many instances of one litmus program. */
public final class DeviceLitmus {

  private DeviceLitmus() {}

  /**
   * Runs the instances. Threads take roles in groups: the first {@code group} threads have role 0,
   * the next role 1, and so on, round and round; so partners are in one warp, one block, or
   * different blocks. They meet before each chunk of instances, so that partners do the same at the
   * same time. Nobody waits for longer than {@code meetPolls} polls. See {@link RunDeviceLitmus}.
   */
  public static void run(
      int thread,
      DeviceInts words,
      ThreadInts results,
      DeviceLongs meeting,
      int code,
      int roles,
      int group,
      int testThreads,
      long instances,
      long chunks,
      int pad,
      long meetUntil,
      long meetPolls,
      long stressRounds) {
    if (thread < testThreads) {
      int role = thread / group % roles;
      long lane = (long) (thread / (group * roles)) * group + thread % group;
      long lanes = testThreads / roles;
      long size = instances / chunks;
      for (long chunk = 0; chunk < chunks; chunk++) {
        LitmusFunctions.meet(meeting, meetUntil + chunk * testThreads, meetPolls);
        long from = chunk * size;
        long to = from + size;
        DeviceMessages.messagePassing(
            code, role, lane, lanes, from, to, instances, pad, words, results);
        DeviceMessages.coherentReads(
            code, role, lane, lanes, from, to, instances, pad, words, results);
        DeviceBuffering.storeBuffering(
            code, role, lane, lanes, from, to, instances, pad, words, results);
        DeviceBuffering.loadBuffering(
            code, role, lane, lanes, from, to, instances, pad, words, results);
        DeviceBuffering.independentReads(
            code, role, lane, lanes, from, to, instances, pad, words, results);
        DeviceClaims.publication(code, role, lane, lanes, from, to, instances, pad, words, results);
        DeviceClaims.testAndSet(code, role, lane, lanes, from, to, instances, pad, words, results);
      }
    } else {
      stress(thread, words, 2 * instances * LitmusCodes.MAX_PAD, stressRounds);
    }
  }

  /** Keeps the memory system busy beside the cells. */
  private static void stress(int thread, DeviceInts words, long base, long rounds) {
    int mask = LitmusCodes.SCRATCH - 1;
    for (long i = 0; i < rounds; i++) {
      long at = base + ((thread * 61L + i * 16) & mask);
      int _ = words.fetchAddRelaxed(at, 1);
      words.storeRelaxed(base + ((thread * 37L + i * 48) & mask), thread);
      int _ = words.loadRelaxed(base + ((thread + i * 32) & mask));
    }
  }
}
