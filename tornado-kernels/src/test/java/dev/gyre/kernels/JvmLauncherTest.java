package dev.gyre.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Meeting;
import dev.gyre.atomics.Memory;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
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
  void whoCallsIsOneOfTheWorkersUnlessItIsVirtual() throws Exception {
    Set<Thread> seen = ConcurrentHashMap.newKeySet();
    Kernel notes = (thread, shape) -> seen.add(Thread.currentThread());
    launcher.run(notes, LaunchShape.ofThreads(1));
    assertThat(seen).containsExactly(Thread.currentThread());
    seen.clear();
    Thread caller = Thread.ofVirtual().start(() -> launcher.run(notes, LaunchShape.ofThreads(1)));
    caller.join();
    assertThat(seen).hasSize(1).doesNotContain(caller);
  }

  /** The last of two: others are woken while it works, and find something to do. */
  @Test
  void whoCallsWorksBesideOthers() {
    CyclicBarrier both = new CyclicBarrier(2);
    Set<Thread> seen = ConcurrentHashMap.newKeySet();
    launcher.run(
        (thread, shape) -> {
          seen.add(Thread.currentThread());
          try {
            both.await(10, TimeUnit.SECONDS);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        },
        LaunchShape.ofThreads(2));
    assertThat(seen).hasSize(2).contains(Thread.currentThread());
  }

  @Test
  void whoCallsIsNotLeftInterruptedByAnotherThatFailed() {
    Thread caller = Thread.currentThread();
    CountDownLatch waits = new CountDownLatch(1);
    assertThatThrownBy(
            () ->
                launcher.run(
                    (thread, shape) -> {
                      if (Thread.currentThread().equals(caller)) {
                        waits.countDown();
                        words.waitWhileEqualAcquire(0, 0, Long.MAX_VALUE);
                      } else {
                        awaitOrGiveUp(waits);
                        throw new IllegalStateException("another");
                      }
                    },
                    LaunchShape.ofThreads(2)))
        .hasRootCauseMessage("another");
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void aLaunchWithinOneLeavesTheOuterOneAsItWas() {
    AtomicInteger met = new AtomicInteger();
    assertThatThrownBy(
            () ->
                launcher.run(
                    (thread, shape) -> {
                      launcher.run((t, s) -> {}, LaunchShape.ofThreads(1));
                      if (!Thread.currentThread().isInterrupted()) {
                        met.incrementAndGet();
                      }
                      Meeting.ofDevice();
                    },
                    LaunchShape.ofThreads(4)))
        .isInstanceOf(ResidencyException.class);
    assertThat(met.get()).isPositive();
  }

  /** The inner one fails, the outer one is cancelled, and the same thread is to hear of both. */
  @Test
  void whatALaunchWithinOneWasToldIsNotTakenFromTheOuterOne() throws Exception {
    AtomicReference<Thread> both = new AtomicReference<>();
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch notified = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    Kernel inner =
        (thread, shape) -> {
          if (!Thread.currentThread().equals(both.get())) {
            awaitOrGiveUp(inside);
            throw new IllegalStateException("another");
          }
          inside.countDown();
          try {
            Thread.sleep(10_000);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          notified.countDown();
          while (cancelled.getCount() > 0) {
            Thread.onSpinWait();
          }
        };
    Launch outer =
        launcher.start(
            (thread, shape) -> {
              both.set(Thread.currentThread());
              try {
                launcher.run(inner, LaunchShape.ofThreads(2));
              } catch (LaunchException e) {
                words.waitWhileEqualAcquire(0, 0, Long.MAX_VALUE);
              }
            },
            LaunchShape.ofThreads(1),
            LaunchMode.STRIDED);
    awaitOrGiveUp(notified);
    assertThat(outer.cancel()).isTrue();
    cancelled.countDown();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!outer.isDone() && System.nanoTime() - end < 0) {
      Thread.sleep(1);
    }
    assertThat(outer.isDone()).isTrue();
    assertThatThrownBy(outer::join).isInstanceOf(LaunchCancelledException.class);
  }

  private static void awaitOrGiveUp(CountDownLatch latch) {
    try {
      if (!latch.await(10, TimeUnit.SECONDS)) {
        throw new IllegalStateException("nobody came");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
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
  void anInterruptCancelsWhatIsLeftOfAChain() {
    Thread caller = Thread.currentThread();
    List<String> ran = new ArrayList<>();
    Kernel interrupts =
        (thread, shape) -> {
          ran.add("first");
          caller.interrupt();
        };
    Kernel waits = (thread, shape) -> words.waitWhileEqualAcquire(0, 0, Long.MAX_VALUE);
    Kernel last = (thread, shape) -> ran.add("last");
    List<ChainLink> links =
        Stream.of(interrupts, waits, last)
            .map(kernel -> new ChainLink(kernel, LaunchShape.ofThreads(1)))
            .toList();
    assertThatThrownBy(() -> launcher.runChain(links))
        .isInstanceOf(LaunchCancelledException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(ran).containsExactly("first");
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
    assertThatThrownBy(launch::join)
        .isInstanceOf(ClosedException.class)
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .hasOnlyElementsOfType(LaunchCancelledException.class));
    assertThatThrownBy(() -> launcher.run((thread, shape) -> {}, LaunchShape.ofThreads(1)))
        .isInstanceOf(ClosedException.class);
  }

  @Test
  void whatIsCancelledByCloseSaysThatTheLauncherWasClosed() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
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
                  } catch (RuntimeException e) {
                    thrown.set(e);
                  }
                });
    begun.await();
    launcher.close();
    caller.join();
    assertThat(thrown.get()).isInstanceOf(ClosedException.class);
  }

  @Test
  void closeBesideStartLetsItRunOrSaysSo() throws Exception {
    for (int round = 0; round < 1_000; round++) {
      JvmLauncher closing = JvmLauncher.ofWorkers(3);
      Thread closer = Thread.ofPlatform().start(closing::close);
      try {
        closing.run((thread, shape) -> {}, LaunchShape.ofThreads(100));
      } catch (ClosedException e) {
        // The other end that is allowed.
      }
      closer.join();
    }
  }

  /** A launch of four device threads, whose kernel counts them in the first word. */
  private JvmLaunch counting() {
    return new JvmLaunch(
        (thread, shape) -> words.fetchAddRelaxed(0, 1),
        LaunchShape.ofThreads(4),
        launcher.device(),
        3,
        _ -> {});
  }

  @Test
  void aPoolThatWasClosedMeanwhileCancels() {
    JvmLaunch launch = counting();
    launch.startOn(
        _ -> {
          throw new RejectedExecutionException("closed");
        });
    assertThat(launch.isDone()).isTrue();
    assertThatThrownBy(launch::join).isInstanceOf(ClosedException.class);
  }

  @Test
  void aLaunchIsOverThoughWhoIsToldOfItThrows() {
    JvmLaunch launch =
        new JvmLaunch(
            (thread, shape) -> {},
            LaunchShape.ofThreads(4),
            launcher.device(),
            3,
            _ -> {
              throw new IllegalStateException("of the listener");
            });
    launch.startOn(
        worker -> {
          try {
            worker.run();
          } catch (IllegalStateException e) {
            // Would end a thread of the pool.
          }
        });
    assertThat(launch.isDone()).isTrue();
    launch.join();
  }

  @Test
  void whatHasRunToItsEndIsNotCancelled() {
    List<Boolean> cancelled = new ArrayList<>();
    JvmLaunch whole =
        new JvmLaunch(
            (thread, shape) -> {},
            LaunchShape.ofThreads(4),
            launcher.device(),
            3,
            // All have ended, and the last worker is about to say so.
            launch -> cancelled.add(launch.cancel()));
    whole.startOn(Runnable::run);
    assertThat(cancelled).containsExactly(false);
    whole.join();
  }

  @Test
  void whatIsCancelledInItsLastDeviceThreadIsNotWhole() {
    List<Boolean> cancelled = new ArrayList<>();
    JvmLaunch[] launch = new JvmLaunch[1];
    launch[0] =
        new JvmLaunch(
            (thread, shape) -> {
              if (thread == 3) {
                cancelled.add(launch[0].cancel());
                // A worker that is interrupted goes on, if it waits for nothing.
                boolean _ = Thread.interrupted();
              }
            },
            LaunchShape.ofThreads(4),
            launcher.device(),
            3,
            _ -> {});
    launch[0].startOn(Runnable::run);
    assertThat(cancelled).containsExactly(true);
    assertThat(launch[0].cancel()).isFalse();
    assertThatThrownBy(launch[0]::join).isInstanceOf(LaunchCancelledException.class);
  }

  @ParameterizedTest
  @ValueSource(classes = {OutOfMemoryError.class, StackOverflowError.class})
  void aLaunchEndsWhereNoThreadCanBeMade(Class<? extends Error> type) throws Exception {
    Error error = type.getConstructor().newInstance();
    JvmLaunch launch = counting();
    launch.startOn(
        _ -> {
          throw error;
        });
    assertThat(launch.isDone()).isTrue();
    assertThatThrownBy(launch::join).isInstanceOf(LaunchException.class).hasCause(error);
    assertThat(words.get(0)).isZero();
  }

  @Test
  void aLaunchIsNotOverWhileAWorkerIsInside() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    List<Runnable> refused = new CopyOnWriteArrayList<>();
    JvmLaunch[] launch = new JvmLaunch[1];
    AtomicReference<Boolean> overInside = new AtomicReference<>();
    launch[0] =
        new JvmLaunch(
            (thread, shape) -> {
              inside.countDown();
              try {
                Thread.sleep(60_000);
              } catch (InterruptedException e) {
                overInside.set(launch[0].isDone());
              }
            },
            LaunchShape.ofThreads(4),
            launcher.device(),
            3,
            _ -> {});
    List<Thread> threads = new CopyOnWriteArrayList<>();
    // Workers start others, too.
    AtomicInteger taken = new AtomicInteger();
    launch[0].startOn(
        worker -> {
          if (taken.getAndIncrement() < 2) {
            Thread thread = new Thread(worker);
            threads.add(thread);
            thread.start();
          } else {
            // The pool takes the last worker once another one is inside, and says that it did not.
            awaitOrGiveUp(inside);
            refused.add(worker);
            throw new StackOverflowError();
          }
        });
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(overInside.get()).isFalse();
    assertThat(launch[0].isDone()).isTrue();
    // Who comes late finds nothing to do.
    refused.forEach(Runnable::run);
    assertThatThrownBy(() -> launch[0].join()).hasCauseInstanceOf(StackOverflowError.class);
  }

  @Test
  void aLaunchThatIsCancelledWhileItEndsDoesSoOnce() {
    AtomicInteger ends = new AtomicInteger();
    JvmLaunch launch =
        new JvmLaunch(
            (thread, shape) -> {
              throw new IllegalStateException("one");
            },
            LaunchShape.ofThreads(1),
            launcher.device(),
            1,
            it -> {
              if (ends.incrementAndGet() < 3) {
                boolean _ = it.cancel();
              }
            });
    launch.startOn(Runnable::run);
    assertThatThrownBy(launch::join).hasRootCauseMessage("one");
    assertThat(ends).hasValue(1);
  }

  /**
   * A kernel of four device threads, of which one uses up the heap and then all throw; ends once
   * join has come back, with whatever there is room for. Its JVM is one that never collects
   * garbage: what is used up stays so.
   */
  public static final class EatenHeap {

    private static volatile boolean eaten;
    private static @Nullable Object all;

    private EatenHeap() {}

    public static void main(String[] args) {
      RuntimeException[] prepared = new RuntimeException[4];
      Arrays.setAll(prepared, i -> new RuntimeException("thread " + i));
      JvmLauncher.ofWorkers(4)
          .start(
              (thread, shape) -> {
                if (thread == 3) {
                  eat();
                }
                while (!eaten) {
                  Thread.onSpinWait();
                }
                throw prepared[thread];
              },
              LaunchShape.ofThreads(4),
              LaunchMode.CONCURRENT)
          .join();
    }

    private static void eat() {
      int size = 1 << 16;
      while (size > 0) {
        try {
          @Nullable Object[] more = new @Nullable Object[size];
          more[0] = all;
          all = more;
        } catch (OutOfMemoryError e) {
          size /= 2;
        }
      }
      eaten = true;
    }
  }

  /**
   * One of two device threads uses up the heap, is interrupted and throws; run comes back when the
   * other one has ended, else this does not end.
   */
  public static final class EatenAndInterrupted {

    private static volatile boolean inside;

    private EatenAndInterrupted() {}

    public static void main(String[] args) {
      RuntimeException prepared = new RuntimeException("who calls");
      Thread caller = Thread.currentThread();
      try {
        JvmLauncher.ofWorkers(2)
            .run(
                (thread, shape) -> {
                  if (Thread.currentThread().equals(caller)) {
                    while (!inside) {
                      Thread.onSpinWait();
                    }
                    EatenHeap.eat();
                    caller.interrupt();
                    throw prepared;
                  }
                  inside = true;
                  while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                  }
                  long end = System.nanoTime() + 100_000_000;
                  while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                  }
                  inside = false;
                },
                LaunchShape.ofThreads(2));
      } finally {
        while (inside) {
          // It never ends: the thread that was not notified, and that was not waited for.
          inside = true;
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {EatenHeap.class, EatenAndInterrupted.class})
  void launchesComeBackWhereTheHeapIsUsedUp(Class<?> program) throws Exception {
    String path =
        Stream.of(EatenHeap.class, JvmLauncher.class, Memory.class, Nullable.class)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
            .distinct()
            .collect(Collectors.joining(File.pathSeparator));
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:+UseEpsilonGC",
                "-XX:-ExitOnOutOfMemoryError",
                "-cp",
                path,
                program.getName())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertThat(java.waitFor(30, TimeUnit.SECONDS)).as("join came back").isTrue();
    } finally {
      java.destroyForcibly();
    }
  }

  @Test
  void absurdShapesAreRefused() {
    assertThatThrownBy(() -> LaunchShape.ofThreads(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new LaunchShape(1 << 20, 1 << 20))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> JvmLauncher.ofWorkers(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> JvmLauncher.ofWorkers(JvmLauncher.MAX_WORKERS + 1))
        .isInstanceOf(IllegalArgumentException.class);
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
  @Tag("slow")
  void asManyWorkersAsThereMayBeAreNotRefused() {
    try (JvmLauncher most = JvmLauncher.ofWorkers(JvmLauncher.MAX_WORKERS)) {
      LaunchShape shape = LaunchShape.ofThreads(JvmLauncher.MAX_WORKERS);
      most.run((thread, _) -> words.fetchAddRelaxed(0, 1), shape);
      assertThat(words.get(0)).isEqualTo(JvmLauncher.MAX_WORKERS);
    }
  }

  @Test
  void shapesKeepAllWorkersBusy() {
    assertThat(launcher.shapeFor(1).threads()).isEqualTo(1);
    assertThat(launcher.shapeFor(1L << 40).threads()).isGreaterThanOrEqualTo(3);
    assertThat(new LaunchShape(3, 4).threads()).isEqualTo(12);
  }
}
