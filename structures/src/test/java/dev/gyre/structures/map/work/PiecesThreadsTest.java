package dev.gyre.structures.map.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which threads do pieces, and what becomes of them where the system has no more. */
@Timeout(60)
class PiecesThreadsTest {

  /** Has one thread, which is in the middle of a piece when another one is asked for. */
  private static final class OneThread extends ThreadPoolExecutor {
    private final CountDownLatch begun = new CountDownLatch(1);
    private int submitted;

    OneThread() {
      super(1, 1, 1, TimeUnit.MINUTES, new SynchronousQueue<>());
    }

    @Override
    public Future<?> submit(Runnable task) {
      submitted++;
      if (submitted > 1) {
        await(begun);
        throw new OutOfMemoryError("no thread");
      }
      return super.submit(task);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whoCallsIsNotLetGoBeforeWhatHasBegunHasEnded() {
    try (OneThread threads = new OneThread()) {
      AtomicInteger inside = new AtomicInteger();
      assertThatThrownBy(
              () ->
                  Pieces.run(
                      100,
                      1,
                      Pieces.AT_ONCE,
                      (_, _, _) -> {
                        inside.incrementAndGet();
                        threads.begun.countDown();
                        sleep();
                        inside.decrementAndGet();
                      },
                      threads))
          .isInstanceOf(OutOfMemoryError.class);
      assertThat(inside.get()).isZero();
    }
  }

  /** Loses its first task, whose future fails. */
  private static final class Losing extends ThreadPoolExecutor {
    private boolean lost;

    Losing() {
      super(1, 1, 1, TimeUnit.MINUTES, new SynchronousQueue<>());
    }

    @Override
    public Future<?> submit(Runnable task) {
      if (lost) {
        return super.submit(task);
      }
      lost = true;
      return CompletableFuture.failedFuture(new OutOfMemoryError("no heap"));
    }
  }

  @Test
  void allThreadsAreAwaitedEvenIfTheFirstFails() {
    try (Losing threads = new Losing()) {
      AtomicInteger inside = new AtomicInteger();
      CountDownLatch begun = new CountDownLatch(1);
      Thread caller = Thread.currentThread();
      assertThatThrownBy(
              () ->
                  Pieces.run(
                      3,
                      1,
                      3,
                      (_, _, _) -> {
                        if (Thread.currentThread().equals(caller)) {
                          await(begun);
                        } else {
                          inside.incrementAndGet();
                          begun.countDown();
                          sleep();
                          inside.decrementAndGet();
                        }
                      },
                      threads))
          .isInstanceOf(OutOfMemoryError.class);
      assertThat(inside.get()).isZero();
    }
  }

  @Test
  void ofWhoWasInterruptedBeforeNoOtherThreadBeginsAPiece() {
    Thread caller = Thread.currentThread();
    AtomicInteger done = new AtomicInteger();
    try (OneThread threads = new OneThread()) {
      caller.interrupt();
      Pieces.run(
          3,
          1,
          Pieces.AT_ONCE,
          (_, _, _) -> {
            assertThat(Thread.currentThread()).isEqualTo(caller);
            done.incrementAndGet();
          },
          threads);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(done.get()).isEqualTo(3);
      assertThat(threads.submitted).isZero();
    }
  }

  /** Long enough for a caller that does not wait to come back. */
  private static void sleep() {
    try {
      Thread.sleep(200);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
