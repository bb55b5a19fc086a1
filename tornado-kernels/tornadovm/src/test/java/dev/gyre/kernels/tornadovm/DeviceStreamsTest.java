package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.tornadovm.DeviceWork.Kind;
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
    return work(begins, memory, Kind.OTHER);
  }

  private DeviceWork<Integer> work(CountDownLatch begins, Memory memory, Kind kind) {
    return new DeviceWork<>(
        "work",
        List.of(memory),
        _ -> {
          begun.countDown();
          int inward = kind == Kind.COPY_IN ? 1 : 0;
          int together = inward * underWay.addAndGet(inward);
          most.accumulateAndGet(together, Math::max);
          begins.await();
          underWay.addAndGet(-inward);
          return done.incrementAndGet();
        },
        () -> {},
        kind);
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
        memories.stream().skip(1).map(memory -> work(begins, memory, Kind.COPY_IN)).toList();
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

  @Test
  void aCopyGoesBehindWhatALaunchSendsThatWasReadyBeforeIt() throws Exception {
    left.set(DeviceStreams.MOST);
    CountDownLatch compiled = new CountDownLatch(1);
    CountDownLatch ends = new CountDownLatch(1);
    try (Memory one = Memory.ofLongs(1);
        Memory other = Memory.ofLongs(1);
        Memory third = Memory.ofLongs(1)) {
      DeviceWork<Integer> launch =
          new DeviceWork<>(
              "launch",
              List.of(one),
              _ -> {
                begun.countDown();
                compiled.await();
                int before = done.get();
                streams.sent();
                ends.await();
                return before;
              },
              () -> {},
              Kind.LAUNCH);
      streams.submit(launch);
      begun.await();
      DeviceWork<Integer> copy = work(new CountDownLatch(0), other, Kind.COPY_IN);
      streams.submit(copy);
      // Another thread has looked for work by now, and left the copy where it was.
      streams.submit(work(new CountDownLatch(0), third));
      while (done.get() == 0) {
        Thread.onSpinWait();
      }
      assertThat(copy).isNotDone();
      compiled.countDown();
      assertThat(copy.get()).as("though the kernel has not ended").isEqualTo(2);
      ends.countDown();
      assertThat(launch.get()).isEqualTo(1);
    }
    streams.close();
    assertThat(streams.awaitEnd(TimeUnit.SECONDS.toMillis(30))).isTrue();
  }

  @Test
  void aLaunchThatSentNothingHoldsNoCopyBack() throws Exception {
    left.set(1);
    CountDownLatch begins = new CountDownLatch(1);
    try (Memory one = Memory.ofLongs(1);
        Memory other = Memory.ofLongs(1)) {
      DeviceWork<Integer> launch = work(begins, one, Kind.LAUNCH);
      DeviceWork<Integer> copy = work(begins, other, Kind.COPY_IN);
      streams.submit(launch);
      streams.submit(copy);
      begins.countDown();
      assertThat(List.of(launch.get(), copy.get())).containsExactly(1, 2);
    }
    streams.close();
    assertThat(streams.awaitEnd(TimeUnit.SECONDS.toMillis(30))).isTrue();
  }
}
