package dev.gyre.kernels.sync;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.table.ElementType;
import dev.gyre.kernels.stress.Cells;
import dev.gyre.kernels.stress.Window;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** What threads wrote before a latch, a barrier or a semaphore is seen by those who come by it. */
public final class MeetingPublication {

  private static final DeviceInts INTS = DeviceInts.of(Cells.MEMORY);

  /** In the words of a latch, a barrier or a semaphore: what is published, plainly. */
  private static final int MESSAGE = 8;

  private static final int ANSWER = 24;

  /** Polls after which a mutant gives up. */
  private static final int FEW = 100;

  private MeetingPublication() {}

  private static long place() {
    long at = Cells.first(ElementType.INT, Cells.take());
    INTS.set(at + MESSAGE, 0);
    INTS.set(at + ANSWER, 0);
    return at;
  }

  /** A latch that one count-down opens. */
  @State
  public static class Closed {
    final long at = place();

    public Closed() {
      DeviceLatch.init(INTS, at, 1);
    }
  }

  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Open, and the message is there")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Open without the message")
  public static class Latch {
    @Actor
    public void open(Closed latch) {
      INTS.set(latch.at + MESSAGE, 1);
      DeviceLatch.countDown(INTS, latch.at, 1);
    }

    @Actor
    public void await(Closed latch, II_Result result) {
      result.r1 = DeviceLatch.await(INTS, latch.at, Long.MAX_VALUE);
      result.r2 = INTS.get(latch.at + MESSAGE);
    }
  }

  /** Counts down before the message is written. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "Open without the message")
  public static class LatchOpenedFirstMutant {
    @Actor
    public void open(Closed latch) {
      DeviceLatch.countDown(INTS, latch.at, 1);
      Window.open();
      INTS.set(latch.at + MESSAGE, 1);
    }

    @Actor
    public void await(Closed latch, II_Result result) {
      result.r1 = DeviceLatch.await(INTS, latch.at, Long.MAX_VALUE);
      result.r2 = INTS.get(latch.at + MESSAGE);
    }
  }

  /** A barrier for two threads. */
  @State
  public static class Two {
    final long at = place();

    public Two() {
      DeviceBarrier.init(INTS, at, 2);
    }

    /** Writes, meets and reads what the other wrote: 1 where all went well; 2 more for the last. */
    int meet(int mine, int theirs) {
      INTS.set(at + mine, 1);
      int token = DeviceBarrier.arrive(INTS, at);
      if (DeviceBarrier.isLast(token) == 1) {
        DeviceBarrier.complete(INTS, at);
      }
      int met = DeviceBarrier.await(INTS, at, token, Long.MAX_VALUE);
      return met * INTS.get(at + theirs) + 2 * DeviceBarrier.isLast(token);
    }

    /** As {@link #meet}, with an arrival by a load and a store. */
    int meetBadly(int mine, int theirs) {
      INTS.set(at + mine, 1);
      int token = INTS.loadAcquire(at + SyncLayout.PHASE) << 1;
      int missing = INTS.loadAcquire(at + SyncLayout.MISSING);
      Window.open();
      INTS.storeRelease(at + SyncLayout.MISSING, missing - 1);
      if (missing == 1) {
        DeviceBarrier.complete(INTS, at);
      }
      int met = DeviceBarrier.await(INTS, at, token, FEW);
      return met * INTS.get(at + theirs) + (missing == 1 ? 2 : 0);
    }
  }

  @JCStressTest
  @Outcome(
      id = {"1, 3", "3, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "They met, one was the last, and saw what the other wrote")
  @Outcome(expect = Expect.FORBIDDEN, desc = "No last one or two, or a write was missed")
  public static class Barrier {
    @Actor
    public void first(Two barrier, II_Result result) {
      result.r1 = barrier.meet(MESSAGE, ANSWER);
    }

    @Actor
    public void second(Two barrier, II_Result result) {
      result.r2 = barrier.meet(ANSWER, MESSAGE);
    }
  }

  /** Arrives without an atomic operation. */
  @JCStressTest
  @Outcome(
      id = {"1, 3", "3, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "An arrival was lost")
  public static class BarrierCheckThenActMutant {
    @Actor
    public void first(Two barrier, II_Result result) {
      result.r1 = barrier.meetBadly(MESSAGE, ANSWER);
    }

    @Actor
    public void second(Two barrier, II_Result result) {
      result.r2 = barrier.meetBadly(ANSWER, MESSAGE);
    }
  }

  /** A semaphore with one permit. */
  @State
  public static class One {
    final long at = place();

    public One() {
      DeviceSemaphore.init(INTS, at, 1);
    }

    void count() {
      INTS.set(at + MESSAGE, INTS.get(at + MESSAGE) + 1);
    }

    int enter() {
      int entered = DeviceSemaphore.acquire(INTS, at, Long.MAX_VALUE);
      count();
      DeviceSemaphore.release(INTS, at, 1);
      return entered;
    }

    /** Takes the permit by a load and a store. */
    int enterBadly() {
      int ticket = INTS.loadRelaxed(at + SyncLayout.NEXT);
      Window.open();
      INTS.storeRelaxed(at + SyncLayout.NEXT, ticket + 1);
      count();
      DeviceSemaphore.release(INTS, at, 1);
      return 1;
    }
  }

  @JCStressTest
  @Outcome(id = "1, 1, 2", expect = Expect.ACCEPTABLE, desc = "One after the other")
  @Outcome(expect = Expect.FORBIDDEN, desc = "A count was lost")
  public static class Semaphore {
    @Actor
    public void first(One semaphore, III_Result result) {
      result.r1 = semaphore.enter();
    }

    @Actor
    public void second(One semaphore, III_Result result) {
      result.r2 = semaphore.enter();
    }

    @Arbiter
    public void after(One semaphore, III_Result result) {
      result.r3 = INTS.get(semaphore.at + MESSAGE);
    }
  }

  /** Takes the permit without an atomic operation; both may have the same one. */
  @JCStressTest
  @Outcome(id = "1, 1, 2", expect = Expect.ACCEPTABLE, desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "A ticket was lost")
  public static class SemaphoreCheckThenActMutant {
    @Actor
    public void first(One semaphore, III_Result result) {
      result.r1 = semaphore.enterBadly();
    }

    @Actor
    public void second(One semaphore, III_Result result) {
      result.r2 = semaphore.enterBadly();
    }

    @Arbiter
    public void after(One semaphore, III_Result result) {
      result.r3 = INTS.get(semaphore.at + MESSAGE) * (INTS.get(semaphore.at + SyncLayout.NEXT) - 1);
    }
  }

  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "One has it")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Both have it, or neither")
  public static class TryAcquire {
    @Actor
    public void first(One semaphore, II_Result result) {
      result.r1 = DeviceSemaphore.tryAcquire(INTS, semaphore.at);
    }

    @Actor
    public void second(One semaphore, II_Result result) {
      result.r2 = DeviceSemaphore.tryAcquire(INTS, semaphore.at);
    }
  }
}
