package dev.gyre.structures;

import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * What tests have other threads do. Each has a thread of its own: where there are two cores the
 * common pool has one thread, so that what is to go on side by side would go one after another.
 */
public final class Others {

  private Others() {}

  /** Starts something that others may wait for. */
  public static CompletableFuture<Void> start(Runnable task) {
    return CompletableFuture.runAsync(task, run -> Thread.ofPlatform().daemon().start(run));
  }

  /** Whether a thread is parked. */
  public static boolean waits(Thread thread) {
    Thread.State state = thread.getState();
    return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
  }

  /** Waits until something is so; an interrupt, as by JUnit's limits of time, is a failure. */
  public static void await(BooleanSupplier isSo) {
    while (!isSo.getAsBoolean()) {
      try {
        Thread.sleep(0, 100_000);
      } catch (InterruptedException e) {
        throw new AssertionError("what is waited for does not come", e);
      }
    }
  }
}
