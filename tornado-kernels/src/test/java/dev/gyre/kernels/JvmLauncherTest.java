package dev.gyre.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class JvmLauncherTest {

  private final JvmLauncher launcher = JvmLauncher.ofWorkers(3);
  private Memory memory;
  private DeviceInts words;

  @BeforeEach
  void allocate() {
    memory = Memory.ofInts(4096);
    words = DeviceInts.of(memory);
  }

  @AfterEach
  void close() {
    launcher.close();
    memory.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 64, 1000})
  void everyDeviceThreadRunsOnce(int threads) {
    for (LaunchMode mode : LaunchMode.values()) {
      memory.segment().fill((byte) 0);
      launcher
          .start(
              (thread, shape) -> words.fetchAddRelaxed(thread, 1 + shape.threads()),
              LaunchShape.ofThreads(threads),
              mode)
          .join();
      for (int i = 0; i < 4096; i++) {
        assertThat(words.get(i)).isEqualTo(i < threads ? 1 + threads : 0);
      }
    }
  }

  @Test
  void stridedUsesNoMoreThreadsThanWorkers() {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    launcher.run(
        (thread, shape) -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          Thread.onSpinWait();
          running.decrementAndGet();
        },
        LaunchShape.ofThreads(2000));
    assertThat(most.get()).isBetween(1, 3);
  }

  @Test
  void concurrentThreadsMayWaitForOneAnother() {
    int threads = 50;
    CyclicBarrier barrier = new CyclicBarrier(threads);
    launcher
        .start(
            (thread, shape) -> {
              try {
                barrier.await();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            },
            new LaunchShape(10, 5),
            LaunchMode.CONCURRENT)
        .join();
    assertThat(barrier.isBroken()).isFalse();
  }

  @Test
  void whatTheKernelWroteIsSeenAfterJoin() {
    for (int round = 1; round < 500; round++) {
      int value = round;
      launcher.run((thread, shape) -> words.set(thread, value), LaunchShape.ofThreads(8));
      for (int i = 0; i < 8; i++) {
        assertThat(words.get(i)).isEqualTo(value);
      }
    }
  }

  @Test
  void anErrorOfADeviceThreadReachesTheCaller() {
    assertThatThrownBy(
            () ->
                launcher.run(
                    (thread, shape) -> {
                      if (thread == 5) {
                        words.get(-1);
                      }
                    },
                    LaunchShape.ofThreads(8)))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("jvm")
        .hasCauseInstanceOf(IndexOutOfBoundsException.class);
    // The launcher is as good as before.
    launcher.run((thread, shape) -> words.set(0, 1), LaunchShape.ofThreads(1));
    assertThat(words.get(0)).isEqualTo(1);
  }

  @Test
  void errorsOfSeveralDeviceThreadsAreAllKept() {
    CyclicBarrier all = new CyclicBarrier(3);
    assertThatThrownBy(
            () ->
                launcher.run(
                    (thread, shape) -> {
                      try {
                        all.await();
                      } catch (Exception e) {
                        throw new IllegalStateException(e);
                      }
                      throw new UnsupportedOperationException("thread " + thread);
                    },
                    LaunchShape.ofThreads(3)))
        .satisfies(
            e -> assertThat(Objects.requireNonNull(e.getCause()).getSuppressed()).hasSize(2));
  }

  @Test
  void cancelEndsWaitsAndLeavesTheLauncherUsable() throws Exception {
    CountDownLatch begun = new CountDownLatch(3);
    Launch launch =
        launcher.start(
            (thread, shape) -> {
              begun.countDown();
              // Nobody ever changes this word.
              words.waitWhileEqualAcquire(0, 0, Long.MAX_VALUE);
            },
            LaunchShape.ofThreads(100),
            LaunchMode.STRIDED);
    assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(launch.isDone()).isFalse();
    assertThat(launch.cancel()).isTrue();
    assertThatThrownBy(launch::join).isInstanceOf(LaunchCancelledException.class);
    assertThat(launch.isDone()).isTrue();
    assertThat(launch.cancel()).isFalse();
    for (int i = 0; i < 100; i++) {
      launcher.run(
          (thread, shape) -> {
            if (Thread.currentThread().isInterrupted()) {
              throw new IllegalStateException("an interrupt of the launch before");
            }
          },
          LaunchShape.ofThreads(3));
    }
  }

  @Test
  void interruptingTheCallerCancelsTheLaunch() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicInteger outcome = new AtomicInteger();
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    launcher.run(
                        (thread, shape) -> {
                          begun.countDown();
                          words.waitWhileEqualAcquire(0, 0, Long.MAX_VALUE);
                        },
                        LaunchShape.ofThreads(1));
                  } catch (LaunchCancelledException e) {
                    outcome.set(Thread.currentThread().isInterrupted() ? 1 : 2);
                  }
                });
    begun.await();
    caller.interrupt();
    caller.join();
    assertThat(outcome.get()).isEqualTo(1);
  }

  @Test
  void closeCancelsAndRefusesFurtherLaunches() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Launch launch =
        launcher.start(
            (thread, shape) -> {
              begun.countDown();
              words.waitWhileEqualAcquire(0, 0, Long.MAX_VALUE);
            },
            LaunchShape.ofThreads(1),
            LaunchMode.STRIDED);
    begun.await();
    launcher.close();
    launcher.close();
    assertThatThrownBy(launch::join).isInstanceOf(LaunchCancelledException.class);
    assertThatThrownBy(() -> launcher.run((thread, shape) -> {}, LaunchShape.ofThreads(1)))
        .isInstanceOf(ClosedException.class);
  }

  @Test
  void absurdShapesAreRefused() {
    assertThatThrownBy(() -> LaunchShape.ofThreads(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new LaunchShape(1 << 20, 1 << 20))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> JvmLauncher.ofWorkers(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> launcher.shapeFor(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> launcher.blocksAtOnce((thread, shape) -> {}, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                launcher.start(
                    (thread, shape) -> {}, LaunchShape.ofThreads(1 << 20), LaunchMode.CONCURRENT))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("at most");
  }

  @Test
  void shapesKeepAllWorkersBusy() {
    assertThat(launcher.shapeFor(1).threads()).isEqualTo(1);
    assertThat(launcher.shapeFor(1L << 40).threads()).isGreaterThanOrEqualTo(3);
    assertThat(new LaunchShape(3, 4).threads()).isEqualTo(12);
  }
}
