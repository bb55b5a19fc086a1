package dev.gyre.progress.probe;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.probe.HandOver;
import dev.gyre.kernels.probe.MeetAll;
import dev.gyre.kernels.probe.ProgressFunctions;
import dev.gyre.kernels.probe.SpinLock;
import dev.gyre.progress.probe.ProgressResult.Outcome;
import java.util.function.Function;

/**
 * Runs progress tests in this JVM. Waits give up after a number of polls, so that launches end
 * unless a driver hangs. {@link ProgressRuns} uses a process that can be killed.
 *
 * @since 0.1.0
 */
public final class ProgressRunner {

  private static final int WARP = 32;
  private static final int BLOCK = 256;

  /** Blocks of one warp per multiprocessor, more than any runs at the same time. */
  private static final int MORE_BLOCKS_PER_UNIT = 64;

  private static final int ROUNDS = 4;

  private final Launcher launcher;
  private final boolean jvm;
  private final boolean gpu;

  /** Creates a runner. The caller closes the launcher. */
  public ProgressRunner(Launcher launcher) {
    this.launcher = launcher;
    this.jvm = launcher.device().target() == Target.JVM;
    this.gpu = launcher.shapeFor(1 << 20).blockSize() > 1;
  }

  /**
   * Returns a number of polls that takes some seconds at most. A JVM thread parks; a device thread
   * backs off for a microsecond. On a CPU, waits that give up follow each other, so that each gets
   * few polls.
   */
  private long pollLimit(ProgressTest test) {
    long polls = jvm ? 5_000 : 1 << 19;
    if (!jvm && !gpu) {
      boolean few = test.withinBlocks() || test == ProgressTest.MEET_MORE_BLOCKS_THAN_FIT;
      polls = few ? 1 << 11 : 1 << 20;
    }
    return polls;
  }

  private LaunchShape acrossBlocks(int blocksPerUnit) {
    // On a CPU the threads of a block run one after another, so blocks are single threads.
    return new LaunchShape(launcher.device().units() * blocksPerUnit, gpu ? WARP : 1);
  }

  /** Runs a test. */
  public ProgressResult run(ProgressTest test) {
    return switch (test) {
      case LOCK_IN_WARP -> lock(test, new LaunchShape(1, WARP), 1);
      case LOCK_IN_BLOCK -> lock(test, new LaunchShape(1, BLOCK), 1);
      case LOCK_ACROSS_BLOCKS -> lock(test, acrossBlocks(1), 1);
      case LOCK_ACROSS_MORE_BLOCKS_THAN_FIT -> {
        LaunchShape shape = acrossBlocks(MORE_BLOCKS_PER_UNIT);
        yield lock(test, shape, shape.blockSize());
      }
      case WAIT_FOR_LAST_OF_WARP -> handOver(test, new LaunchShape(1, WARP), 0);
      case WAIT_FOR_FIRST_OF_WARP -> handOver(test, new LaunchShape(1, WARP), 1);
      case WAIT_FOR_LAST_OF_BLOCK -> handOver(test, new LaunchShape(1, BLOCK), 0);
      case WAIT_FOR_FIRST_OF_BLOCK -> handOver(test, new LaunchShape(1, BLOCK), 1);
      case MEET_BLOCKS_THAT_FIT -> meet(test, acrossBlocks(1), LaunchMode.CONCURRENT);
      case MEET_MORE_BLOCKS_THAN_FIT -> meet(test, acrossBlocks(MORE_BLOCKS_PER_UNIT), mode());
    };
  }

  /** On the JVM, threads that wait for later threads need separate Java threads. */
  private LaunchMode mode() {
    return jvm ? LaunchMode.CONCURRENT : LaunchMode.STRIDED;
  }

  private ProgressResult lock(ProgressTest test, LaunchShape shape, int every) {
    boolean fits = test != ProgressTest.LOCK_ACROSS_MORE_BLOCKS_THAN_FIT;
    int takers = shape.threads() / every;
    return run(
        test,
        words -> new SpinLock(words, every, ROUNDS, pollLimit(test)),
        shape,
        fits ? mode() : LaunchMode.STRIDED,
        takers * ROUNDS);
  }

  private ProgressResult handOver(ProgressTest test, LaunchShape shape, int reverse) {
    return run(
        test,
        words -> new HandOver(words, shape.threads() - 1, reverse, pollLimit(test)),
        shape,
        mode(),
        0);
  }

  private ProgressResult meet(ProgressTest test, LaunchShape shape, LaunchMode mode) {
    return run(
        test,
        words -> new MeetAll(words, shape.blockSize(), shape.blocks(), pollLimit(test)),
        shape,
        mode,
        0);
  }

  private ProgressResult run(
      ProgressTest test,
      Function<DeviceInts, Kernel> kernel,
      LaunchShape shape,
      LaunchMode mode,
      int expected) {
    long start = System.nanoTime();
    try (Memory memory = Memory.ofInts(ProgressFunctions.WORDS)) {
      launcher.start(kernel.apply(DeviceInts.of(memory)), shape, mode).join();
      launcher.readBack(memory);
      ThreadInts words = ThreadInts.of(memory);
      int stuck = words.get(ProgressFunctions.STUCK);
      int counted = words.get(ProgressFunctions.COUNTER);
      Outcome outcome = stuck > 0 ? Outcome.STUCK : Outcome.ENDED;
      if (counted + (expected > 0 ? stuck : 0) != expected) {
        outcome = Outcome.BROKEN;
      }
      return new ProgressResult(test, outcome, shape.threads(), stuck, secondsSince(start), "");
    } catch (LaunchException e) {
      return new ProgressResult(
          test,
          Outcome.FAILED,
          shape.threads(),
          0,
          secondsSince(start),
          String.valueOf(e.getMessage()));
    }
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
