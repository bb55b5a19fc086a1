package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The order of works, also where the system gives no more threads; needs no device. */
@Timeout(60)
class DeviceStreamsTest {

  private static final String NONE = "no more threads";

  private final AtomicInteger left = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger underWay = new AtomicInteger();

  /** Most copies to the device at the same time. */
  private final AtomicInteger most = new AtomicInteger();

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
    return work(begins, memory, false);
  }

  private DeviceWork<Integer> work(CountDownLatch begins, Memory memory, boolean inward) {
    return new DeviceWork<>(
        "work",
        List.of(memory),
        _ -> {
          begun.countDown();
          int together = inward ? underWay.incrementAndGet() : 0;
          most.accumulateAndGet(together, Math::max);
          begins.await();
          underWay.addAndGet(inward ? -1 : 0);
          return done.incrementAndGet();
        },
        () -> {},
        inward);
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

  @Test
  void copiesToTheDeviceAreHeldBackWhileOthersAreUnderWay() throws Exception {
    left.set(DeviceStreams.MOST);
    CountDownLatch begins = new CountDownLatch(1);
    List<Memory> memories =
        Stream.generate(() -> Memory.ofLongs(1)).limit(DeviceStreams.MOST_INWARD + 3).toList();
    List<DeviceWork<Integer>> copies =
        memories.stream().skip(1).map(memory -> work(begins, memory, true)).toList();
    copies.forEach(streams::submit);
    DeviceWork<Integer> kernel = work(new CountDownLatch(0), memories.getFirst());
    streams.submit(kernel);
    // What is submitted behind them does not wait; of those that do, none was done.
    assertThat(kernel.get()).isEqualTo(1);
    assertThat(copies).noneMatch(DeviceWork::isDone);
    assertThat(most).hasValueLessThanOrEqualTo(DeviceStreams.MOST_INWARD);
    // Those that are held back are done, though nothing more is taken.
    streams.close();
    begins.countDown();
    for (DeviceWork<Integer> copy : copies) {
      assertThat(copy.get()).isPositive();
    }
    assertThat(streams.awaitEnd(TimeUnit.SECONDS.toMillis(30))).isTrue();
    assertThat(most).hasValue(DeviceStreams.MOST_INWARD);
    memories.forEach(Memory::close);
  }
}
