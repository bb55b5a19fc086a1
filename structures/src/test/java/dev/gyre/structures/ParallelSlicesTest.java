package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ParallelSlicesTest {

  /** Memory that a task uses must not be freed because of the failure of another. */
  @Test
  void afterAFailureNoTaskRuns() {
    for (Throwable failure : List.of(new IllegalStateException("1"), new OutOfMemoryError("1"))) {
      AtomicInteger running = new AtomicInteger();
      CountDownLatch begun = new CountDownLatch(1);
      Throwable thrown =
          catchThrowable(
              () ->
                  ParallelCopy.slices(
                      64,
                      task -> {
                        int _ = running.incrementAndGet();
                        try {
                          run(task, begun, failure);
                        } finally {
                          int _ = running.decrementAndGet();
                        }
                      }));
      assertThat(running).hasValue(0);
      assertThat(thrown).isSameAs(failure);
    }
  }

  private static void run(int task, CountDownLatch begun, Throwable failure) {
    try {
      // The first task is slow.
      if (task == 0) {
        begun.countDown();
        TimeUnit.MILLISECONDS.sleep(200);
        return;
      }
      boolean _ = begun.await(100, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    switch (failure) {
      case Error error -> throw error;
      case RuntimeException exception -> throw exception;
      default -> throw new AssertionError(failure);
    }
  }
}
