package dev.gyre.structures.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.MemoryInUseException;
import dev.gyre.structures.Others;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits that end by a limit of time or an interrupt, and counts that end somewhere. */
@Timeout(60)
class LimitsTest {

  private static final Duration SHORT = Duration.ofMillis(5);
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration FOR_EVER = ChronoUnit.FOREVER.getDuration();
  private static final Duration PAST = Duration.ofSeconds(Long.MIN_VALUE);

  @Test
  void aLatchIsCountedDownByOneAndBySeveral() {
    try (Latch latch = Latch.of(5)) {
      latch.countDown();
      assertThat(latch.count()).isEqualTo(4);
      assertThat(latch.await(SHORT)).isFalse();
      assertThat(latch.await(PAST)).isFalse();
      assertThatThrownBy(() -> latch.arriveAndWait(5)).isInstanceOf(IllegalArgumentException.class);
      assertThat(latch.count()).isEqualTo(4);
      latch.arriveAndWait(4);
      assertThat(latch.count()).isZero();
      assertThat(latch.await(PAST)).isTrue();
      latch.countDown();
      latch.arriveAndWait();
      assertThat(latch.count()).as("an open latch stays as it is").isZero();
      assertThatThrownBy(() -> latch.countDown(1)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void oneArrivesAtABarrierForSeveral() {
    try (Barrier barrier = Barrier.of(5)) {
      for (int phase = 0; phase < 3; phase++) {
        Barrier.Arrival three = barrier.arrive(3);
        assertThat(three.isLast()).isFalse();
        for (int wrong : new int[] {0, -1, Integer.MIN_VALUE}) {
          assertThatThrownBy(() -> barrier.arrive(wrong))
              .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> barrier.arrive(3))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("more arrivals than this phase");
        assertThat(barrier.hasEnded(three)).isFalse();
        Barrier.Arrival two = barrier.arrive(2);
        assertThat(two.isLast()).isTrue();
        assertThatThrownBy(barrier::arrive).isInstanceOf(IllegalStateException.class);
        barrier.complete(two);
        assertThat(barrier.hasEnded(three)).isTrue();
      }
    }
  }

  @Test
  void timedWaitsEndWhenWhatTheyWaitForIsThere() {
    try (Latch latch = Latch.of(1);
        Barrier barrier = Barrier.of(2)) {
      CompletableFuture<Boolean> opened =
          CompletableFuture.supplyAsync(() -> latch.await(FOR_EVER));
      latch.countDown();
      assertThat(opened.join()).isTrue();

      Barrier.Arrival first = barrier.arrive();
      assertThat(barrier.await(first, SHORT)).isFalse();
      CompletableFuture<Boolean> ended =
          CompletableFuture.supplyAsync(() -> barrier.await(first, LONG));
      barrier.complete(barrier.arrive());
      assertThat(ended.join()).isTrue();
      assertThat(barrier.await(first, PAST)).isTrue();
    }
  }

  @Test
  void anInterruptEndsTimedWaits() {
    try (Latch latch = Latch.of(1);
        Barrier barrier = Barrier.of(2)) {
      Barrier.Arrival arrival = barrier.arrive();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> latch.await(FOR_EVER)).isInstanceOf(GyreException.class);
      assertThatThrownBy(() -> barrier.await(arrival, LONG)).isInstanceOf(GyreException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void timedWaitsRefuseTheArrivalsOfOthers() {
    try (Barrier barrier = Barrier.of(2);
        Barrier another = Barrier.of(2)) {
      Barrier.Arrival elsewhere = another.arrive();
      assertThatThrownBy(() -> barrier.await(elsewhere, SHORT))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Its mutant, acquire, loses the permit: the semaphore is of no use after that. */
  @Test
  void anInterruptLosesNoPermitOfOneWhoWaitsThroughIt() throws InterruptedException {
    try (FairSemaphore semaphore = FairSemaphore.of(0)) {
      AtomicBoolean stillInterrupted = new AtomicBoolean();
      Thread waiter =
          Thread.ofPlatform()
              .start(
                  () -> {
                    semaphore.acquireUninterruptibly();
                    stillInterrupted.set(Thread.currentThread().isInterrupted());
                  });
      waiter.interrupt();
      waiter.join(50);
      assertThat(waiter.isAlive()).isTrue();
      semaphore.release();
      waiter.join();
      assertThat(stillInterrupted).isTrue();
      semaphore.release();
      assertThat(semaphore.availablePermits()).isEqualTo(1);

      FairSemaphore lost = FairSemaphore.of(0);
      Thread.currentThread().interrupt();
      assertThatThrownBy(lost::acquire).isInstanceOf(GyreException.class);
      assertThat(Thread.interrupted()).isTrue();
      lost.release();
      assertThat(lost.availablePermits()).isZero();
      lost.close();
    }
  }

  @Test
  void limitsOfTimeBeyondAllNumbersAreNoErrors() {
    try (FairSemaphore semaphore = FairSemaphore.binary()) {
      assertThat(semaphore.tryAcquire(FOR_EVER)).isTrue();
      assertThat(semaphore.tryAcquire(PAST)).isFalse();
      semaphore.release();
      assertThat(semaphore.tryAcquire(PAST)).isTrue();
    }
  }

  @Test
  void permitsPastTheMostAreRefused() {
    try (FairSemaphore semaphore = FairSemaphore.of(Integer.MAX_VALUE - 1)) {
      assertThat(semaphore.availablePermits()).isEqualTo(Integer.MAX_VALUE - 1);
      assertThatThrownBy(() -> semaphore.release(2)).isInstanceOf(IllegalArgumentException.class);
      semaphore.release();
      assertThatThrownBy(semaphore::release).isInstanceOf(IllegalArgumentException.class);
      assertThat(semaphore.availablePermits()).isEqualTo(Integer.MAX_VALUE);
      // Tickets go on past 2^31, and so may permits.
      for (int i = 0; i < 3; i++) {
        semaphore.acquire();
      }
      assertThat(semaphore.availablePermits()).isEqualTo(Integer.MAX_VALUE - 3);
      semaphore.release(3);
      assertThat(semaphore.tryAcquire()).isTrue();
    }
  }

  @Test
  void whoDropsOutTooLateIsExpectedAllTheSame() {
    try (Barrier barrier = Barrier.of(1)) {
      Barrier.Arrival last = barrier.arrive();
      assertThatThrownBy(barrier::arriveAndDrop).isInstanceOf(IllegalStateException.class);
      barrier.complete(last);
      assertThat(barrier.arriveAndWait()).isTrue();
    }
  }

  @Test
  void whatIsClosedIsSaidToBe() {
    Latch latch = Latch.of(1);
    latch.close();
    latch.close();
    for (ThrowingCallable use :
        List.<ThrowingCallable>of(
            latch::countDown,
            latch::count,
            latch::isOpen,
            latch::await,
            () -> latch.await(SHORT),
            latch::arriveAndWait)) {
      assertThatThrownBy(use).isInstanceOf(ClosedException.class).hasMessageContaining("latch");
    }
    Barrier barrier = Barrier.of(1);
    Barrier.Arrival last = barrier.arrive();
    barrier.close();
    for (ThrowingCallable use :
        List.<ThrowingCallable>of(
            barrier::arrive,
            barrier::arriveAndDrop,
            barrier::arriveAndWait,
            () -> barrier.hasEnded(last),
            () -> barrier.await(last),
            () -> barrier.await(last, SHORT),
            () -> barrier.complete(last))) {
      assertThatThrownBy(use).isInstanceOf(ClosedException.class).hasMessageContaining("barrier");
    }
    FairSemaphore semaphore = FairSemaphore.of(1);
    semaphore.close();
    for (ThrowingCallable use :
        List.<ThrowingCallable>of(
            semaphore::acquire,
            semaphore::acquireUninterruptibly,
            semaphore::tryAcquire,
            () -> semaphore.tryAcquire(SHORT),
            semaphore::availablePermits,
            semaphore::release)) {
      assertThatThrownBy(use).isInstanceOf(ClosedException.class).hasMessageContaining("semaphore");
    }
  }

  @Test
  void whoWaitsIsToldOfTheEnd() throws InterruptedException {
    Latch latch = Latch.of(1);
    FairSemaphore semaphore = FairSemaphore.of(0);
    Barrier barrier = Barrier.of(2);
    assertThat(thrownAfter(latch::await, latch)).isInstanceOf(ClosedException.class);
    assertThat(thrownAfter(semaphore::acquireUninterruptibly, semaphore))
        .isInstanceOf(ClosedException.class);
    assertThat(thrownAfter(barrier::arriveAndWait, barrier)).isInstanceOf(ClosedException.class);
  }

  @Test
  void whoIsToldOfTheEndIsInterruptedStill() throws InterruptedException {
    FairSemaphore semaphore = FairSemaphore.of(0);
    AtomicBoolean interrupted = new AtomicBoolean();
    Runnable wait =
        () -> {
          Thread.currentThread().interrupt();
          try {
            semaphore.acquireUninterruptibly();
          } finally {
            interrupted.set(Thread.currentThread().isInterrupted());
          }
        };
    assertThat(thrownAfter(wait, semaphore)).isInstanceOf(ClosedException.class);
    assertThat(interrupted).isTrue();
  }

  /** What a thread throws that waits when that is closed. */
  private static @Nullable Throwable thrownAfter(Runnable wait, AutoCloseable awaited)
      throws InterruptedException {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread waiting =
        Thread.ofPlatform()
            .daemon()
            .uncaughtExceptionHandler((_, e) -> thrown.complete(e))
            .start(wait);
    Others.await(() -> waiting.getState() == Thread.State.TIMED_WAITING || !waiting.isAlive());
    boolean closed = false;
    while (!closed) {
      try {
        awaited.close();
        closed = true;
      } catch (MemoryInUseException e) {
        // It looks just now; closed again.
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
    return thrown.join();
  }
}
