package dev.gyre.bench.sync;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.structures.sync.Barrier;
import dev.gyre.structures.sync.FairSemaphore;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Time of a phase of a barrier, and of an entry into a semaphore with one permit and out of it:
 * threads that begin together go through {@value #ROUNDS} of them.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@OperationsPerInvocation(SyncBenchmark.ROUNDS)
public class SyncBenchmark {

  static final int ROUNDS = 10_000;

  @Param({"1", "2"})
  public int threads;

  private final JvmLauncher launcher = JvmLauncher.create();

  private interface Step {
    void take() throws Exception;
  }

  private void runAll(Step step) {
    launcher
        .start(
            (_, _) -> {
              try {
                for (int round = 0; round < ROUNDS; round++) {
                  step.take();
                }
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            },
            LaunchShape.ofThreads(threads),
            LaunchMode.CONCURRENT)
        .join();
  }

  @TearDown
  public void close() {
    launcher.close();
  }

  @Benchmark
  public void barrier() {
    try (Barrier barrier = Barrier.of(threads)) {
      runAll(barrier::arriveAndWait);
    }
  }

  @Benchmark
  public void cyclicBarrier() {
    runAll(new CyclicBarrier(threads)::await);
  }

  @Benchmark
  public void phaser() {
    runAll(new Phaser(threads)::arriveAndAwaitAdvance);
  }

  @Benchmark
  public void fairSemaphore() {
    try (FairSemaphore semaphore = FairSemaphore.binary()) {
      runAll(
          () -> {
            semaphore.acquire();
            semaphore.release(1);
          });
    }
  }

  @Benchmark
  public void fairSemaphoreOfJdk() {
    semaphoreOfJdk(true);
  }

  @Benchmark
  public void unfairSemaphoreOfJdk() {
    semaphoreOfJdk(false);
  }

  private void semaphoreOfJdk(boolean fair) {
    Semaphore semaphore = new Semaphore(1, fair);
    runAll(
        () -> {
          semaphore.acquire();
          semaphore.release();
        });
  }
}
