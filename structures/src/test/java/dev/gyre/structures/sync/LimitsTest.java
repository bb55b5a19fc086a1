package dev.gyre.structures.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.GyreException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
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
      assertThatThrownBy(latch::countDown).isInstanceOf(IllegalArgumentException.class);
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

  /** Its twin, acquire, loses the permit: the semaphore is of no use after that. */
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
}
