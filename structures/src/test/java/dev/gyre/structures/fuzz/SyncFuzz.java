package dev.gyre.structures.fuzz;

import dev.gyre.structures.Checks;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Latches, barriers and semaphores of a scope against three numbers; and where threads meet by
 * them, what they then see of each other.
 *
 * @param <A> arrivals at a barrier
 */
record SyncFuzz<A>(String name, Supplier<? extends SyncAdapter<A>> doors) implements FuzzTarget {

  @Override
  public List<String> operations() {
    return FuzzTarget.words(
        "latch barrier semaphore latch barrier semaphore count meet guard refused interrupted");
  }

  @Override
  public Run start(long seed, FuzzSetting setting) {
    return new SyncRun<>(doors.get(), setting.threads());
  }

  private static final class SyncRun<A> implements Run {

    /** Meetings of one step, at most. */
    private static final int MOST = 50;

    private final SyncAdapter<A> door;
    private final int threads;
    private int left;
    private int expected = 1;
    private int missing = 1;
    private int permits;

    /** At the phase that goes on. */
    private final Deque<A> arrivals = new ArrayDeque<>();

    SyncRun(SyncAdapter<A> door, int threads) {
      this.door = door;
      this.threads = threads;
      begin(0);
    }

    private void begin(long bits) {
      left = (int) (bits & 7);
      door.newLatch(left);
      expected = 1 + (int) (bits >>> 3 & 7);
      missing = expected;
      arrivals.clear();
      door.newBarrier(expected);
      permits = (int) (bits >>> 6 & 3);
      door.newSemaphore(permits);
    }

    @Override
    public void step(FuzzStep step) {
      switch (step.operation()) {
        case "latch" -> Arrays.stream(step.values()).forEach(this::latch);
        case "barrier" -> Arrays.stream(step.values()).forEach(this::barrier);
        case "semaphore" -> Arrays.stream(step.values()).forEach(this::semaphore);
        case "count" -> count(meetings(step));
        case "meet" -> meet(meetings(step));
        case "guard" -> guard(meetings(step));
        case "refused" -> door.refused(left, permits);
        default -> {
          door.interrupted();
          begin(step.first());
        }
      }
    }

    private static int meetings(FuzzStep step) {
      return Math.min(MOST, step.keys().length);
    }

    private void latch(long bits) {
      int n = 1 + (int) (bits >>> 3 & 3);
      if (left == 0) {
        Checks.same("an open latch is waited for", true, door.awaitOpen(false));
        left = (int) (bits >>> 5 & 15);
        door.newLatch(left);
      } else if (n <= left && (bits & 7) != 0) {
        if (n == left && (bits & 1) == 0) {
          door.countDownAndWait(n);
        } else {
          door.countDown(n);
        }
        left -= n;
      }
      Checks.same("isOpen", left == 0, door.isOpen());
      if ((bits >>> 9 & 7) == 0) {
        Checks.same("awaited", left == 0, door.awaitOpen(true));
      }
    }

    private void barrier(long bits) {
      if (missing == 1 && (bits & 1) == 0) {
        door.arriveAndWait();
        ended();
      } else {
        boolean drop = expected > 1 && (bits >>> 1 & 7) == 0;
        int together = drop || (bits >>> 16 & 3) != 0 ? 1 : missing;
        A arrival = drop ? door.arriveAndDrop() : door.arrive(together);
        expected -= drop ? 1 : 0;
        missing -= together;
        Checks.same("isLast", missing == 0, door.isLast(arrival));
        arrivals.add(arrival);
        Checks.same("hasEnded", false, door.hasEnded(arrival));
        if ((bits >>> 4 & 7) == 0) {
          Checks.same("awaited", false, door.awaitEnd(arrival, true));
        }
        if (missing == 0) {
          door.complete(arrival);
          ended();
        }
      }
      if ((bits >>> 7 & 31) == 0) {
        expected = 1 + (int) (bits >>> 12 & 7);
        missing = expected;
        arrivals.clear();
        door.newBarrier(expected);
      }
    }

    private void ended() {
      for (A arrival : arrivals) {
        Checks.same("hasEnded", true, door.hasEnded(arrival));
        Checks.same("awaited", true, door.awaitEnd(arrival, false));
      }
      arrivals.clear();
      missing = expected;
    }

    private void semaphore(long bits) {
      if ((bits & 3) == 0) {
        int n = 1 + (int) (bits >>> 2 & 3);
        door.release(n);
        permits += n;
      } else if ((bits & 3) == 1 && permits > 0) {
        door.acquire(bits >>> 2);
        permits--;
      } else {
        Checks.same("tryAcquire", permits > 0, door.tryAcquire());
        permits -= permits > 0 ? 1 : 0;
      }
    }

    /** Threads count a latch down; who waits sees what they wrote. */
    private void count(int rounds) {
      int[] written = new int[threads];
      for (int round = 1; round <= rounds; round += 10) {
        int now = round;
        door.newLatch(2 * threads);
        FuzzThreads.run(
            threads,
            thread -> {
              written[thread] = now;
              door.countDown(1);
              door.countDownAndWait(1);
              Checks.same("written", now, written[(thread + 1) % threads]);
            });
      }
      begin(0);
    }

    /** Threads that write and meet, and then see what the others wrote. */
    private void meet(int rounds) {
      int[] written = new int[threads];
      AtomicInteger wrong = new AtomicInteger();
      door.newBarrier(threads);
      FuzzThreads.run(
          threads,
          thread -> {
            for (int round = 1; round <= rounds; round++) {
              written[thread] = round;
              door.arriveAndWait();
              int of = (thread + round) % threads;
              // Counted, so that nobody waits for a thread that failed.
              int _ = wrong.addAndGet(written[of] == round ? 0 : 1);
              A arrival = door.arrive(1);
              if (door.isLast(arrival)) {
                door.complete(arrival);
              }
              int _ = wrong.addAndGet(door.awaitEnd(arrival, false) ? 0 : 1);
            }
          });
      Checks.same("seen of other threads too early or late", 0, wrong.get());
      begin(0);
    }

    /** Threads that count without atomic operations, one at a time. */
    private void guard(int rounds) {
      int[] count = new int[1];
      door.newSemaphore(1);
      FuzzThreads.run(
          threads,
          thread -> {
            for (int round = 0; round < rounds; round++) {
              if ((round & 3) != 0 || !door.tryAcquire()) {
                door.acquire(thread + round);
              }
              count[0]++;
              door.release(1);
            }
          });
      Checks.same("counted, one at a time", threads * rounds, count[0]);
      begin(0);
    }

    @Override
    public void close() {
      door.close();
    }
  }
}
