package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Settings;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.LaunchTimeoutException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The thread that drives a device, with one piece of work after another, and a watch over it.
 *
 * <p>Nothing stops what runs on a device. So where a kernel does not end within the limit, those
 * who wait are told, all further work is refused, and the thread is left to itself.
 */
final class DeviceQueue implements AutoCloseable {

  /** How long a kernel may run. */
  static final String LIMIT_PROPERTY = "gyre.launch.timeout";

  private static final Duration DEFAULT_LIMIT = Duration.ofSeconds(120);
  private static final long LOOK_MILLIS = 100;

  private record Running(String kernel, long since) {}

  private final Device device;
  private final Runnable bind;
  private final ExecutorService thread;
  private final Duration limit = Settings.time(LIMIT_PROPERTY).orElse(DEFAULT_LIMIT);
  private volatile @Nullable Running running;
  private volatile @Nullable String abandoned;

  /**
   * A queue for a device.
   *
   * @param bind makes the device current on the thread that calls it
   */
  DeviceQueue(Device device, Runnable bind) {
    this.device = device;
    this.bind = bind;
    this.thread =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform()
                .daemon()
                .name("gyre-" + device.target().label() + "-", 0)
                .factory());
  }

  /** Has work done after all that was submitted before. */
  <T> Future<T> submit(String what, Callable<T> work) {
    requireUsable(what);
    try {
      return thread.submit(
          () -> {
            bind.run();
            return work.call();
          });
    } catch (RejectedExecutionException e) {
      throw new ClosedException("launcher for " + device.name());
    }
  }

  /** Runs a kernel under watch; on this queue's thread. */
  <T> T watched(String kernel, Callable<T> work) throws Exception {
    running = new Running(kernel, System.nanoTime());
    try {
      return work.call();
    } finally {
      running = null;
    }
  }

  /**
   * Waits for work, or until a kernel runs for too long.
   *
   * @throws LaunchTimeoutException in that case, from then on
   */
  <T> T await(String what, Future<T> work) throws InterruptedException, ExecutionException {
    while (true) {
      try {
        return work.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        look();
        requireUsable(what);
      }
    }
  }

  private void look() {
    Running now = running;
    if (now != null && System.nanoTime() - now.since() > limit.toNanos()) {
      abandoned = now.kernel();
    }
  }

  private void requireUsable(String what) {
    String stuck = abandoned;
    if (stuck != null) {
      throw new LaunchTimeoutException(
          what,
          device,
          "kernel %s did not end within %s s, and was abandoned with all that it works on; use another launcher, or give kernels more time with -D%s=TIME"
              .formatted(
                  stuck,
                  BigDecimal.valueOf(limit.toMillis(), 3).stripTrailingZeros().toPlainString(),
                  LIMIT_PROPERTY));
    }
  }

  /** Whether a kernel was left to itself, with the device memory that it works on. */
  boolean isAbandoned() {
    return abandoned != null;
  }

  /** Cancels what has not begun, and waits for what has, or until that is abandoned. */
  @Override
  public void close() {
    List<Runnable> waiting = thread.shutdownNow();
    for (Runnable w : waiting) {
      if (w instanceof Future<?> f) {
        f.cancel(false);
      }
    }
    boolean interrupted = false;
    boolean ended = false;
    while (!ended && !isAbandoned()) {
      try {
        ended = thread.awaitTermination(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        look();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
