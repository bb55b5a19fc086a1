package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of work where the system gives no more threads; needs no device. */
@Timeout(60)
class DeviceStreamsTest {

  private static final String NONE = "no more threads";

  private final AtomicInteger left = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final Memory parameters = Memory.ofLongs(1);

  private final DeviceStreams streams =
      new DeviceStreams(
          work -> {
            if (left.getAndDecrement() <= 0) {
              throw new OutOfMemoryError(NONE);
            }
            return Thread.ofPlatform().daemon().unstarted(work);
          },
          () -> new DeviceStream(0, List.of(parameters), _ -> {}));

  @AfterEach
  void free() {
    parameters.close();
  }

  private DeviceWork<Integer> work(CountDownLatch begins, Memory memory) {
    return new DeviceWork<>(
        "work",
        List.of(memory),
        _ -> {
          begun.countDown();
          begins.await();
          return done.incrementAndGet();
        },
        () -> {});
  }

  @Test
  void workThatNoThreadCanDoIsAsNeverSubmitted() throws Exception {
    CountDownLatch atOnce = new CountDownLatch(0);
    try (Memory memory = Memory.ofLongs(1)) {
      DeviceWork<Integer> refused = work(atOnce, memory);
      assertThatThrownBy(() -> streams.submit(refused))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessage(NONE);
      assertThat(streams.unfinished()).isEmpty();
      left.set(1);
      // On the same memory: it waits for nothing.
      DeviceWork<Integer> next = work(atOnce, memory);
      streams.submit(next);
      assertThat(next.get()).isEqualTo(1);
      assertThat(refused).isNotDone();
    }
    streams.close();
    assertThat(streams.awaitEnd(TimeUnit.SECONDS.toMillis(30))).isTrue();
    assertThat(done).hasValue(1);
  }

  @Test
  void theThreadsThatThereAreDoWhatAnotherOneWasToDo() throws Exception {
    left.set(1);
    CountDownLatch begins = new CountDownLatch(1);
    try (Memory one = Memory.ofLongs(1);
        Memory other = Memory.ofLongs(1)) {
      DeviceWork<Integer> first = work(begins, one);
      DeviceWork<Integer> second = work(begins, other);
      streams.submit(first);
      begun.await();
      streams.submit(second);
      assertThat(left.get()).as("a second thread was asked for").isNegative();
      begins.countDown();
      assertThat(List.of(first.get(), second.get())).containsExactly(1, 2);
    }
    streams.close();
    assertThat(streams.awaitEnd(TimeUnit.SECONDS.toMillis(30))).isTrue();
  }
}
