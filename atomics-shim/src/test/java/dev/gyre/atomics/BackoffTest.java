package dev.gyre.atomics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BackoffTest {

  private final Memory memory = Memory.ofLongs(8);
  private final DeviceLongs words = DeviceLongs.of(memory);

  @AfterEach
  void close() {
    memory.close();
  }

  @Test
  void returnsAtOnceWhereTheValueDiffers() {
    words.set(3, 42);
    assertThat(words.waitWhileEqualAcquire(3, 0, 0)).isEqualTo(42);
  }

  @Test
  void givesUpAfterThePollLimit() {
    assertThat(words.waitWhileEqualAcquire(3, 0, 200)).isZero();
  }

  @Test
  void seesTheChangeWhetherOrNotItIsWoken() throws InterruptedException {
    for (boolean wake : new boolean[] {true, false}) {
      words.storeRelease(0, 0);
      List<Thread> waiters = new ArrayList<>();
      AtomicLong sum = new AtomicLong();
      CountDownLatch begun = new CountDownLatch(4);
      for (int i = 0; i < 4; i++) {
        waiters.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      begun.countDown();
                      sum.addAndGet(words.waitWhileEqualAcquire(0, 0, Long.MAX_VALUE));
                    }));
      }
      begun.await();
      // Long enough for the waiters to have parked.
      Thread.sleep(20);
      words.storeRelease(0, 7);
      if (wake) {
        words.wakeAll(0);
      }
      for (Thread waiter : waiters) {
        waiter.join();
      }
      assertThat(sum.get()).isEqualTo(4 * 7);
    }
  }

  @Test
  void publishesWhatWasWrittenBefore() throws InterruptedException {
    for (int round = 1; round <= 2000; round++) {
      int expected = round;
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    words.set(1, expected);
                    words.storeRelease(2, expected);
                    words.wakeAll(2);
                  });
      assertThat(words.waitWhileEqualAcquire(2, expected - 1, Long.MAX_VALUE)).isEqualTo(expected);
      assertThat(words.get(1)).isEqualTo(expected);
      writer.join();
    }
  }

  @Test
  void interruptEndsTheWaitAndIsKept() throws InterruptedException {
    AtomicLong seen = new AtomicLong(-1);
    CountDownLatch interrupted = new CountDownLatch(1);
    Thread waiter =
        Thread.ofPlatform()
            .start(
                () -> {
                  seen.set(words.waitWhileEqualAcquire(5, 0, Long.MAX_VALUE));
                  if (Thread.currentThread().isInterrupted()) {
                    interrupted.countDown();
                  }
                });
    Thread.sleep(10);
    waiter.interrupt();
    assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(seen.get()).isZero();
  }
}
