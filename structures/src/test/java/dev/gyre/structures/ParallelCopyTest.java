package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ParallelCopyTest {

  /** Otherwise it writes to scratch memory that the next operation uses. */
  @Test
  void noThreadIsAtWorkAfterASliceHasFailed() {
    Thread caller = Thread.currentThread();
    AtomicInteger atWork = new AtomicInteger();
    IntConsumer work =
        _ -> {
          if (Thread.currentThread().equals(caller)) {
            while (atWork.get() == 0) {
              Thread.onSpinWait();
            }
            throw new IllegalStateException("a slice failed");
          }
          atWork.incrementAndGet();
          sleep();
          atWork.decrementAndGet();
        };
    assertThat(ForkJoinPool.getCommonPoolParallelism()).isPositive();
    assertThatThrownBy(() -> ParallelCopy.slices(64, work))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a slice failed");
    assertThat(atWork).hasValue(0);
  }

  private static void sleep() {
    try {
      Thread.sleep(200);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
