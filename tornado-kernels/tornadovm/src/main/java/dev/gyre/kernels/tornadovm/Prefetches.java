package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Device;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Copies to a device that are under way beside its launches, on a thread of their own. */
final class Prefetches implements AutoCloseable {

  private static final long LOOK_MILLIS = 100;

  private final Device device;
  private final long plan;
  private final Runnable bind;
  private final BooleanSupplier abandoned;
  private final ExecutorService thread;
  private final Map<Memory, Future<?>> underWay = new ConcurrentHashMap<>();

  /**
   * None yet.
   *
   * @param plan number of TornadoVM's execution plan whose stream copies go through
   * @param bind makes the device current on the thread that calls it
   * @param abandoned whether the device does not end what it began: then nothing waits for it
   */
  Prefetches(Device device, long plan, Runnable bind, BooleanSupplier abandoned) {
    this.device = device;
    this.plan = plan;
    this.bind = bind;
    this.abandoned = abandoned;
    this.thread =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform()
                .daemon()
                .name("gyre-" + device.target().label() + "-copies-", 0)
                .factory());
  }

  long plan() {
    return plan;
  }

  /** Has a copy made after those that were started before. */
  void start(Memory memory, Runnable copy) {
    try {
      Runnable bound =
          () -> {
            bind.run();
            copy.run();
          };
      underWay.put(memory, thread.submit(bound));
    } catch (RejectedExecutionException e) {
      throw new ClosedException("launcher for " + device.name());
    }
  }

  /**
   * Waits until the copy of a memory, if one was started, has come to its end. If it failed, the
   * device does not have it, as if it had not been started.
   */
  void await(Memory memory) {
    Future<?> copy = underWay.get(memory);
    if (copy != null) {
      await(copy);
      boolean _ = underWay.remove(memory, copy);
    }
  }

  private void await(Future<?> copy) {
    boolean interrupted = false;
    boolean waiting = true;
    while (waiting && !abandoned.getAsBoolean()) {
      try {
        Object _ = copy.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        waiting = false;
      } catch (ExecutionException e) {
        // The launch that needs it tries again, and reports.
        waiting = false;
      } catch (TimeoutException e) {
        // Once more.
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Starts no more; those that were started come to their end. */
  @Override
  public void close() {
    thread.shutdown();
    underWay.values().forEach(this::await);
    underWay.clear();
  }
}
