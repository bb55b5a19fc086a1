package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.sync.DeviceBarrier;
import dev.gyre.kernels.sync.SyncLayout;

/** Latch, barrier and lock with a flaw each, that their tests must find; and without one. */
final class BrokenSync {

  /** No flaw: the control. */
  static final int NONE = 0;

  /** Barrier: the token is taken after the arrival, when the phase may have ended. */
  static final int LATE_TOKEN = 1;

  /** Barrier: the next phase begins before its arrivals are reset. */
  static final int LATE_RESET = 2;

  /** Latch, lock: counted by a load and a store. */
  static final int CHECK_THEN_ACT = 3;

  /** Latch, barrier: nothing is published. x86 does it all the same. */
  static final int RELAXED = 4;

  private BrokenSync() {}

  /** Where threads meet between two steps that are wrongly apart, so that the flaw shows. */
  private static final int WINDOW = 48;

  private static final int SECOND_WINDOW = 52;

  /** Tries of a lock, after which a thread gives up. */
  private static final long ATTEMPTS = 1 << 26;

  /** Waits until all came by, each once. */
  private static void meet(DeviceInts words, long window, int all, long pollLimit) {
    int _ = words.fetchAddRelaxed(window, 1);
    words.wakeAll(window);
    int _ = await(words, window, all, 1, pollLimit);
  }

  /** Waits until a word is another one than a value, or is it; ends with a relaxed load. */
  private static int await(DeviceInts words, long at, int value, int equal, long pollLimit) {
    int now = words.loadRelaxed(at) == value ? 1 : 0;
    long polls = now == equal ? pollLimit : 0;
    while (polls < pollLimit) {
      polls = words.pause(at, polls);
      now = words.loadRelaxed(at) == value ? 1 : 0;
      polls = now == equal ? pollLimit : polls;
    }
    return now == equal ? SyncLayout.DONE : SyncLayout.STUCK;
  }

  /** Rounds of one phase: write, meet, look at what the neighbour wrote. */
  record Barrier(
      DeviceInts words,
      ThreadInts payload,
      DeviceLongs failed,
      int flaw,
      int rounds,
      long pollLimit)
      implements Kernel {

    @Override
    public void run(int thread, LaunchShape shape) {
      meet(thread, shape.threads(), words, payload, failed, flaw, rounds, pollLimit);
    }

    static void meet(
        int thread,
        int threads,
        DeviceInts words,
        ThreadInts payload,
        DeviceLongs failed,
        int flaw,
        int rounds,
        long pollLimit) {
      int wrong = 0;
      int round = 0;
      while (round < rounds) {
        payload.set(thread, round + 1);
        int token = words.loadRelaxed(SyncLayout.PHASE) << 1;
        int missing = 0;
        if (flaw == RELAXED) {
          missing = words.fetchSubRelaxed(SyncLayout.MISSING, 1);
        } else {
          missing = words.fetchSubAcqRel(SyncLayout.MISSING, 1);
        }
        if (flaw == LATE_TOKEN) {
          // In between the other one arrives, and the phase ends.
          int _ =
              BrokenSync.await(
                  words, SyncLayout.PHASE, token >> 1, missing == 1 ? 1 : 0, pollLimit);
          token = words.loadRelaxed(SyncLayout.PHASE) << 1;
        }
        if (missing == 1) {
          complete(words, flaw, pollLimit);
        }
        if (flaw == RELAXED) {
          wrong = 1 - BrokenSync.await(words, SyncLayout.PHASE, token >> 1, 0, pollLimit);
        } else {
          wrong = 1 - DeviceBarrier.await(words, 0, token, pollLimit);
        }
        // The neighbour may be a round ahead.
        wrong += payload.get((thread + 1) % threads) < round + 1 ? 1 : 0;
        round = wrong == 0 ? round + 1 : rounds;
      }
      long _ = failed.fetchAddRelaxed(0, wrong);
    }

    private static void complete(DeviceInts words, int flaw, long pollLimit) {
      int expected = words.loadRelaxed(SyncLayout.EXPECTED);
      int phase = words.loadRelaxed(SyncLayout.PHASE) + 1;
      if (flaw == LATE_RESET) {
        words.storeRelease(SyncLayout.PHASE, phase);
        words.wakeAll(SyncLayout.PHASE);
        // In between the other one arrives again.
        int _ = BrokenSync.await(words, SyncLayout.MISSING, 0, 0, pollLimit);
        words.storeRelaxed(SyncLayout.MISSING, expected);
      } else {
        words.storeRelaxed(SyncLayout.MISSING, expected);
        if (flaw == RELAXED) {
          words.storeRelaxed(SyncLayout.PHASE, phase);
        } else {
          words.storeRelease(SyncLayout.PHASE, phase);
        }
      }
      words.wakeAll(SyncLayout.PHASE);
    }
  }

  /** A latch per round: write, count down, wait, look at what the neighbour wrote. */
  record Latch(
      DeviceInts words,
      ThreadInts payload,
      DeviceLongs failed,
      int flaw,
      int rounds,
      long pollLimit)
      implements Kernel {

    @Override
    public void run(int thread, LaunchShape shape) {
      meet(thread, shape.threads(), words, payload, failed, flaw, rounds, pollLimit);
    }

    static void meet(
        int thread,
        int threads,
        DeviceInts words,
        ThreadInts payload,
        DeviceLongs failed,
        int flaw,
        int rounds,
        long pollLimit) {
      int wrong = 0;
      int round = 0;
      while (round < rounds) {
        long at = (long) round * SyncLayout.WORDS;
        payload.set((long) round * threads + thread, 1);
        if (flaw == CHECK_THEN_ACT) {
          int left = words.loadAcquire(at);
          if (round == 0) {
            BrokenSync.meet(words, WINDOW, threads, pollLimit);
          }
          words.storeRelease(at, left - 1);
        }
        if (flaw == NONE) {
          int _ = words.fetchSubAcqRel(at, 1);
        }
        if (flaw == RELAXED) {
          int _ = words.fetchSubRelaxed(at, 1);
        }
        words.wakeAll(at);
        wrong = 1 - BrokenSync.await(words, at, 0, 1, pollLimit);
        if (flaw != RELAXED) {
          // acquire: pairs with the release of those who counted down.
          int _ = words.loadAcquire(at);
        }
        wrong += 1 - payload.get((long) round * threads + (thread + 1) % threads);
        round = wrong == 0 ? round + 1 : rounds;
      }
      long _ = failed.fetchAddRelaxed(0, wrong);
    }
  }

  /** A lock that is tried until it is had, and a plain counter under it. */
  record Lock(DeviceInts words, ThreadInts payload, int flaw, int rounds, long pollLimit)
      implements Kernel {

    @Override
    public void run(int thread, LaunchShape shape) {
      count(shape.threads(), words, payload, flaw, rounds, pollLimit);
    }

    static void count(
        int threads, DeviceInts words, ThreadInts payload, int flaw, int rounds, long pollLimit) {
      // Nobody begins before all are there.
      int _ = words.fetchAddRelaxed(SyncLayout.PHASE, 1);
      words.wakeAll(SyncLayout.PHASE);
      int met = BrokenSync.await(words, SyncLayout.PHASE, threads, 1, pollLimit);
      int counted = 0;
      long polls = met == SyncLayout.DONE ? 0 : ATTEMPTS;
      while (polls < ATTEMPTS) {
        // acquire: pairs with the release of the one before.
        boolean had = words.loadAcquire(0) == 0;
        if (flaw == CHECK_THEN_ACT) {
          if (polls == 0) {
            BrokenSync.meet(words, WINDOW, threads, pollLimit);
          }
          if (had) {
            words.storeRelaxed(0, 1);
          }
        } else {
          had = words.compareAndSetAcqRel(0, 0, 1);
        }
        if (had) {
          int before = payload.get(0);
          if (flaw == CHECK_THEN_ACT) {
            if (counted == 0) {
              BrokenSync.meet(words, SECOND_WINDOW, threads, pollLimit);
            }
          }
          payload.set(0, before + 1);
          words.storeRelease(0, 0);
          counted += 1;
        }
        polls = counted == rounds ? ATTEMPTS : polls + 1;
      }
    }
  }
}
