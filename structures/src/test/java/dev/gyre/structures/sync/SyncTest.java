package dev.gyre.structures.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SystemInts;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.sync.DeviceLatch;
import dev.gyre.kernels.sync.SyncLayout;
import dev.gyre.kernels.sync.SystemBarrier;
import dev.gyre.kernels.sync.SystemLatch;
import dev.gyre.structures.TargetUnderTest;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SyncTest {

  private static final int PHASES = 10_000;
  private static final int LATE_ROUNDS = 2_000;

  private final JvmLauncher launcher = JvmLauncher.create();

  @AfterEach
  void close() {
    launcher.close();
  }

  private void together(int threads, Kernel kernel) {
    launcher.start(kernel, LaunchShape.ofThreads(threads), LaunchMode.CONCURRENT).join();
  }

  /** All orders of the numbers from 0 to n - 1. */
  private static List<List<Integer>> orders(int n) {
    List<List<Integer>> orders = List.of(List.of());
    for (int next = 0; next < n; next++) {
      List<List<Integer>> longer = new ArrayList<>();
      for (List<Integer> order : orders) {
        for (int at = 0; at <= order.size(); at++) {
          List<Integer> with = new ArrayList<>(order);
          with.add(at, next);
          longer.add(with);
        }
      }
      orders = longer;
    }
    return orders;
  }

  private static int look(Barrier barrier, Barrier.Arrival arrival) {
    return SystemBarrier.await(SystemInts.of(barrier.memory()), 0, arrival.token(), 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void aPhaseEndsWithTheLastArrivalWhateverTheOrder(int threads) {
    try (Barrier barrier = Barrier.of(threads)) {
      for (List<Integer> order : orders(threads)) {
        Barrier.Arrival[] arrivals = new Barrier.Arrival[threads];
        for (int i = 0; i < threads; i++) {
          int thread = order.get(i);
          arrivals[thread] = barrier.arrive();
          assertThat(arrivals[thread].isLast()).isEqualTo(i == threads - 1);
          for (int before = 0; before <= i; before++) {
            assertThat(look(barrier, arrivals[order.get(before)])).isEqualTo(SyncLayout.STUCK);
          }
        }
        barrier.complete(arrivals[order.getLast()]);
        for (Barrier.Arrival arrival : arrivals) {
          assertThat(look(barrier, arrival)).isEqualTo(SyncLayout.DONE);
        }
      }
    }
  }

  /** With every set of droppers and every order, the threads that stay go on without them. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void whoDropsIsNotWaitedForInLaterPhases(int threads) {
    for (int droppers = 0; droppers < (1 << threads) - 1; droppers++) {
      for (List<Integer> order : orders(threads)) {
        try (Barrier barrier = Barrier.of(threads)) {
          Barrier.Arrival last = null;
          for (int thread : order) {
            boolean drops = (droppers >> thread & 1) != 0;
            last = drops ? barrier.arriveAndDrop() : barrier.arrive();
          }
          barrier.complete(java.util.Objects.requireNonNull(last));
          int left = threads - Integer.bitCount(droppers);
          for (int phase = 0; phase < 2; phase++) {
            Barrier.Arrival arrival = barrier.arrive();
            for (int i = 1; i < left; i++) {
              assertThat(arrival.isLast()).isFalse();
              arrival = barrier.arrive();
            }
            assertThat(arrival.isLast()).isTrue();
            barrier.complete(arrival);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void tenThousandPhasesLoseNoWrite(int threads) {
    try (Barrier barrier = Barrier.of(threads);
        Memory memory = Memory.ofInts(threads)) {
      ThreadInts words = ThreadInts.of(memory);
      AtomicInteger wrong = new AtomicInteger();
      AtomicInteger lasts = new AtomicInteger();
      together(
          threads,
          (thread, _) -> {
            for (int phase = 1; phase <= PHASES; phase++) {
              words.set(thread, phase); // plain: the barrier publishes it
              lasts.addAndGet(barrier.arriveAndWait() ? 1 : 0);
              int seen = words.get((thread + 1) % threads);
              if (seen != phase) {
                wrong.incrementAndGet();
              }
              barrier.arriveAndWait(); // nobody writes before all have read
            }
          });
      assertThat(wrong).hasValue(0);
      assertThat(lasts).hasValue(PHASES);
    }
  }

  /** The broken variant: without a barrier the neighbour's word is another one's. */
  @Test
  void withoutTheBarrierWritesAreMissed() {
    try (Memory memory = Memory.ofInts(2)) {
      ThreadInts words = ThreadInts.of(memory);
      AtomicInteger wrong = new AtomicInteger();
      together(
          2,
          (thread, _) -> {
            for (int phase = 1; phase <= PHASES; phase++) {
              words.set(thread, phase);
              if (words.get(1 - thread) != phase) {
                wrong.incrementAndGet();
              }
            }
          });
      assertThat(wrong.get()).isPositive();
    }
  }

  @Test
  void threadsDropOneByOneAndTheRestGoOn() {
    int threads = 4;
    try (Barrier barrier = Barrier.of(threads)) {
      AtomicInteger lasts = new AtomicInteger();
      together(
          threads,
          (thread, _) -> {
            for (int phase = 0; phase < 100 * thread; phase++) {
              lasts.addAndGet(barrier.arriveAndWait() ? 1 : 0);
            }
            Barrier.Arrival drop = barrier.arriveAndDrop();
            if (drop.isLast()) {
              lasts.incrementAndGet();
              barrier.complete(drop);
            }
          });
      assertThat(lasts).hasValue(100 * (threads - 1) + 1);
    }
  }

  @Test
  void aTokenIsWaitedForAfterWorkInBetween() {
    try (Barrier barrier = Barrier.of(2)) {
      AtomicInteger worked = new AtomicInteger();
      together(
          2,
          (_, _) -> {
            for (int phase = 0; phase < 1_000; phase++) {
              Barrier.Arrival early = barrier.arrive();
              worked.incrementAndGet();
              if (early.isLast()) {
                barrier.complete(early);
              }
              barrier.await(early);
            }
          });
      assertThat(worked).hasValue(2_000);
    }
  }

  @Test
  void aLatchOpensOnceAllHaveCountedDown() {
    for (int threads = 1; threads <= 4; threads++) {
      try (Latch latch = Latch.of(threads);
          Memory memory = Memory.ofInts(threads)) {
        ThreadInts words = ThreadInts.of(memory);
        AtomicInteger wrong = new AtomicInteger();
        int count = threads;
        together(
            threads,
            (thread, _) -> {
              words.set(thread, 7);
              latch.arriveAndWait();
              for (int i = 0; i < count; i++) {
                wrong.addAndGet(words.get(i) == 7 ? 0 : 1);
              }
            });
        assertThat(wrong).hasValue(0);
        assertThat(latch.isOpen()).isTrue();
        assertThatThrownBy(() -> latch.countDown(1)).isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  @Test
  void aLatchCountsDownBySeveral() {
    try (Latch latch = Latch.of(5)) {
      latch.countDown(2);
      assertThat(latch.isOpen()).isFalse();
      latch.countDown(3);
      latch.await();
      assertThat(latch.isOpen()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void noMoreThanThePermitsAreInside(int permits) {
    try (FairSemaphore semaphore = FairSemaphore.of(permits)) {
      AtomicInteger inside = new AtomicInteger();
      AtomicInteger most = new AtomicInteger();
      together(
          4,
          (_, _) -> {
            for (int i = 0; i < 2_000; i++) {
              semaphore.acquire();
              most.accumulateAndGet(inside.incrementAndGet(), Math::max);
              inside.decrementAndGet();
              semaphore.release(1);
            }
          });
      assertThat(most.get()).isBetween(1, permits);
      for (int i = 0; i < permits; i++) {
        assertThat(semaphore.tryAcquire()).isTrue();
      }
      assertThat(semaphore.tryAcquire()).isFalse();
    }
  }

  /** Of permits that several threads release at the same time none is lost. */
  @Test
  void allPermitsThatAreReleasedAreThere() {
    int each = 200_000;
    try (FairSemaphore semaphore = FairSemaphore.of(0)) {
      together(
          2,
          (_, _) -> {
            for (int i = 0; i < each; i++) {
              semaphore.release(1);
            }
          });
      int taken = 0;
      while (semaphore.tryAcquire()) {
        taken++;
      }
      assertThat(taken).isEqualTo(2 * each);
    }
  }

  /**
   * Counts with a load and a store under a lock, or what is given as one.
   *
   * @param between what a thread does that has read and not yet written
   * @return what was counted in all
   */
  private int count(int threads, int times, Runnable enter, Runnable between, Runnable leave) {
    try (Memory memory = Memory.ofInts(1)) {
      ThreadInts counter = ThreadInts.of(memory);
      together(
          threads,
          (_, _) -> {
            for (int i = 0; i < times; i++) {
              enter.run();
              int before = counter.get(0);
              between.run();
              counter.set(0, before + 1);
              leave.run();
            }
          });
      return counter.get(0);
    }
  }

  /** A binary semaphore is a lock, and publishes what was written under it. */
  @Test
  void aBinarySemaphoreIsALock() {
    try (FairSemaphore lock = FairSemaphore.binary()) {
      assertThat(count(3, 5_000, lock::acquire, Thread::yield, lock::release)).isEqualTo(15_000);
    }
  }

  /**
   * The broken variant: nobody is kept out, and both threads have read before one of them writes.
   */
  @Test
  void withoutTheSemaphoreCountsAreLost() {
    CyclicBarrier bothHaveRead = new CyclicBarrier(2);
    Runnable meet =
        () -> {
          try {
            bothHaveRead.await();
          } catch (InterruptedException | BrokenBarrierException e) {
            throw new AssertionError(e);
          }
        };
    assertThat(count(2, 1_000, () -> {}, meet, () -> {})).isLessThan(2_000);
  }

  /**
   * The program of CCCL's issue 450: thread 0 lets go of the lock and takes it again until another
   * thread, which waits for the lock first, has had its turn. An unfair semaphore may hang.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8})
  void whoLetsGoAndAsksAgainStarvesNobody(int threads) {
    for (int round = 0; round < 50; round++) {
      try (FairSemaphore lock = FairSemaphore.binary()) {
        AtomicInteger mask = new AtomicInteger();
        together(
            threads,
            (thread, _) -> {
              lock.acquire();
              boolean again = true;
              while (again) {
                lock.release(1);
                again = mask.getAndAdd(thread) == 0;
                lock.acquire();
              }
              lock.release(1);
            });
        assertThat(mask.get()).isPositive();
      }
    }
  }

  /** However acquisitions and releases of several permits fall, nobody is left behind. */
  @Test
  void nobodyIsLeftBehindByReleasesOfSeveral() {
    try (FairSemaphore semaphore = FairSemaphore.of(0)) {
      int waiters = 6;
      int rounds = 500;
      together(
          waiters + 1,
          (thread, _) -> {
            SplittableRandom random = new SplittableRandom(450);
            int left = thread < waiters ? rounds : waiters * rounds;
            while (left > 0) {
              int n = 1;
              if (thread < waiters) {
                semaphore.acquire();
              } else {
                n = Math.min(left, random.nextInt(1, 5));
                semaphore.release(n);
              }
              left -= n;
            }
          });
      assertThat(semaphore.tryAcquire()).isFalse();
    }
  }

  @Test
  void entryIsInTheOrderOfTickets() {
    try (FairSemaphore semaphore = FairSemaphore.of(1)) {
      int threads = 4;
      int rounds = 300;
      int[] entered = new int[threads];
      AtomicInteger spread = new AtomicInteger();
      Barrier barrier = Barrier.of(threads);
      together(
          threads,
          (thread, _) -> {
            barrier.arriveAndWait();
            for (int i = 0; i < rounds; i++) {
              semaphore.acquire();
              entered[thread]++;
              semaphore.release(1);
              barrier.arriveAndWait();
              spread.accumulateAndGet(Math.abs(entered[thread] - (i + 1)), Math::max);
            }
          });
      barrier.close();
      assertThat(entered).containsOnly(rounds);
      assertThat(spread).hasValue(0);
    }
  }

  /** Who asks with a limit of time comes after those who wait, and gives up without a trace. */
  @Test
  void aLimitOfTimeEnds() {
    try (FairSemaphore semaphore = FairSemaphore.binary()) {
      assertThat(semaphore.tryAcquire(Duration.ofMillis(1))).isTrue();
      assertThat(semaphore.tryAcquire(Duration.ofMillis(20))).isFalse();
      semaphore.release(1);
      assertThat(semaphore.tryAcquire(Duration.ofMillis(1))).isTrue();
      together(
          2,
          (thread, _) -> {
            if (thread == 0) {
              assertThat(semaphore.tryAcquire(Duration.ofMinutes(1))).isTrue();
            } else {
              semaphore.release(1);
            }
          });
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> semaphore.tryAcquire(ChronoUnit.FOREVER.getDuration()))
          .isInstanceOf(GyreException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void moreArrivalsThanExpectedAreRefused() {
    try (Barrier barrier = Barrier.of(1)) {
      Barrier.Arrival last = barrier.arrive();
      assertThat(barrier.hasEnded(last)).isFalse();
      assertThatThrownBy(barrier::arrive).isInstanceOf(IllegalStateException.class);
      barrier.complete(last);
      assertThat(barrier.hasEnded(last)).isTrue();
      Barrier.Arrival drop = barrier.arriveAndDrop();
      barrier.complete(drop);
      assertThatThrownBy(barrier::arrive).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aPhaseIsCompletedOnceByItsLastArriverHere() {
    try (Barrier barrier = Barrier.of(2);
        Barrier another = Barrier.of(1)) {
      var _ = barrier.arrive();
      Barrier.Arrival last = barrier.arrive();
      Barrier.Arrival elsewhere = another.arrive();
      assertThatThrownBy(() -> barrier.complete(elsewhere))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> barrier.await(elsewhere))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> barrier.hasEnded(elsewhere))
          .isInstanceOf(IllegalArgumentException.class);
      barrier.complete(last);
      // Again, in the next phase, it would take back this arrival.
      Barrier.Arrival next = barrier.arrive();
      assertThatThrownBy(() -> barrier.complete(last)).isInstanceOf(IllegalArgumentException.class);
      assertThat(barrier.arrive().isLast()).isTrue();
      assertThat(barrier.hasEnded(next)).isFalse();
    }
  }

  /** More count-downs than the count, at once: as many as there are too many are refused. */
  @Tag("slow")
  @Test
  void threadsThatErrAtOnceAreRefusedAndTheLatchStaysOpen() {
    int threads = 4;
    try (Barrier start = Barrier.of(threads)) {
      AtomicInteger refused = new AtomicInteger();
      for (int round = 0; round < LATE_ROUNDS; round++) {
        try (Latch latch = Latch.of(1)) {
          together(
              threads,
              (_, _) -> {
                start.arriveAndWait();
                refused.addAndGet(
                    refuses(
                        () -> {
                          latch.countDown(1);
                          return latch;
                        }));
              });
          assertThat(latch.isOpen()).isTrue();
        }
      }
      assertThat(refused).hasValue(LATE_ROUNDS * (threads - 1));
    }
  }

  /** As of a CountDownLatch. */
  @Tag("slow")
  @Test
  void countDownsByOneBeyondTheCountDoNothing() {
    int threads = 4;
    try (Barrier start = Barrier.of(threads)) {
      for (int round = 0; round < LATE_ROUNDS; round++) {
        try (Latch latch = Latch.of(threads / 2)) {
          together(
              threads,
              (_, _) -> {
                start.arriveAndWait();
                latch.countDown();
              });
          assertThat(latch.count()).isZero();
        }
      }
    }
  }

  record CountDown(DeviceInts words, int times) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = 0; i < times; i++) {
        DeviceLatch.countDown(words, 0);
      }
    }
  }

  /** The same by device functions. */
  @Test
  void aKernelCountsDownToZeroAndNotBelow() {
    try (Memory memory = Memory.ofInts(SyncLayout.WORDS);
        JvmLauncher jvm = JvmLauncher.ofWorkers(4)) {
      Launcher device = TargetUnderTest.device();
      Launcher launcher = device == null ? jvm : device;
      DeviceInts words = DeviceInts.of(memory);
      for (int count : new int[] {0, 1, 63, 64, 65, 1_000}) {
        DeviceLatch.init(words, 0, count);
        launcher.hostWrote(memory);
        launcher.run(new CountDown(words, 4), LaunchShape.ofThreads(16));
        launcher.readBack(memory);
        assertThat(words.get(SyncLayout.COUNT)).isEqualTo(Math.max(0, count - 64));
      }
    }
  }

  @Tag("slow")
  @Test
  void arrivalsThatAreTooManyAtOnceAreRefused() {
    int threads = 4;
    try (Barrier start = Barrier.of(threads)) {
      AtomicInteger refused = new AtomicInteger();
      for (int round = 0; round < LATE_ROUNDS; round++) {
        try (Barrier barrier = Barrier.of(2)) {
          together(
              threads,
              (thread, _) -> {
                start.arriveAndWait();
                refused.addAndGet(
                    refuses(() -> thread % 2 == 0 ? barrier.arrive() : barrier.arriveAndDrop()));
              });
        }
      }
      assertThat(refused).hasValue(LATE_ROUNDS * (threads - 2));
    }
  }

  /** The broken variant: what checks and then counts, in two steps, lets late threads pass. */
  @Test
  void checkedInTwoStepsTheLatchIsShutAgain() {
    int threads = 4;
    try (Barrier checked = Barrier.of(threads);
        Latch latch = Latch.of(1)) {
      SystemInts words = SystemInts.of(latch.memory());
      together(
          threads,
          (_, _) -> {
            boolean isShut = words.loadRelaxed(SyncLayout.COUNT) >= 1;
            // So that no thread is late by luck alone.
            checked.arriveAndWait();
            if (isShut) {
              SystemLatch.countDown(words, 0, 1);
            }
          });
      assertThat(latch.isOpen()).isFalse();
    }
  }

  private static int refuses(Supplier<?> action) {
    try {
      Object _ = action.get();
      return 0;
    } catch (IllegalArgumentException | IllegalStateException e) {
      return 1;
    }
  }

  @Test
  void badCountsAreRefused() {
    assertThatThrownBy(() -> Barrier.of(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Latch.of(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> FairSemaphore.of(-1)).isInstanceOf(IllegalArgumentException.class);
    try (Barrier barrier = Barrier.of(2);
        FairSemaphore semaphore = FairSemaphore.binary()) {
      Barrier.Arrival first = barrier.arrive();
      assertThatThrownBy(() -> barrier.complete(first))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> semaphore.release(0)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
