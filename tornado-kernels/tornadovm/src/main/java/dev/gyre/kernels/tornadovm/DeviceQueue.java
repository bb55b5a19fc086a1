package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Settings;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.LaunchTimeoutException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The threads that drive a device, each with one piece of work after another, and a watch over
 * them.
 *
 * <p>Nothing stops what runs on a device. So where something does not end within the limit, the
 * device is abandoned: what has not begun is dropped, those who wait are told, all further work is
 * refused, and the thread is left to itself. What it works on must be left alone until it has come
 * back, see {@link #isStuck}.
 */
final class DeviceQueue implements AutoCloseable {

  /** What has a thread of its own. */
  enum Lane {
    /** Launches, and what keeps its order among them. */
    LAUNCHES,
    /** Copies beside launches. */
    COPIES
  }

  /** How long a kernel, or a copy, may take. */
  static final String LIMIT_PROPERTY = "gyre.launch.timeout";

  private static final Duration DEFAULT_LIMIT = Duration.ofMinutes(2);
  private static final long LOOK_MILLIS = 100;

  private record Running(String what, long since) {}

  private final Device device;
  private final Runnable bind;
  private final Duration limit = Settings.time(LIMIT_PROPERTY).orElse(DEFAULT_LIMIT);
  private final Map<Lane, ThreadPoolExecutor> lanes = new EnumMap<>(Lane.class);

  // Guarded by this, which is not held where works are dropped.
  private final Map<Thread, Running> running = new HashMap<>();
  private @Nullable String problem;
  private boolean lost;
  private boolean closed;

  /** The problem, once all that waited was dropped. */
  private volatile @Nullable String abandoned;

  /**
   * A queue for a device.
   *
   * @param bind makes the device current on the thread that calls it
   */
  DeviceQueue(Device device, Runnable bind) {
    this.device = device;
    this.bind = bind;
    for (Lane lane : Lane.values()) {
      String name =
          "gyre-%s-%s-".formatted(device.target().label(), lane.name().toLowerCase(Locale.ROOT));
      ThreadFactory threads = Thread.ofPlatform().daemon().name(name, 0).factory();
      lanes.put(
          lane,
          new ThreadPoolExecutor(
              1, 1, 0, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), threads));
    }
  }

  /**
   * Has work done after all that was submitted to that lane before.
   *
   * @param whenOver runs once it is over, or was dropped, before those who wait for it are told;
   *     not if it is refused here
   * @throws ClosedException if this was closed
   * @throws LaunchTimeoutException if the device was abandoned
   */
  <T> DeviceWork<T> submit(Lane lane, String what, Runnable whenOver, Callable<T> work) {
    DeviceWork<T> all =
        new DeviceWork<>(
            what,
            () -> {
              requireUsable(what);
              bind.run();
              return work.call();
            },
            whenOver);
    synchronized (this) {
      refuse(what, problem);
      if (closed) {
        throw closed();
      }
      lane(lane).execute(all);
    }
    return all;
  }

  @SuppressWarnings("NullAway") // There is one for each.
  private ThreadPoolExecutor lane(Lane lane) {
    return lanes.get(lane);
  }

  private ClosedException closed() {
    return new ClosedException("launcher for " + device.name());
  }

  /**
   * Does something on the device under watch; on a thread of this queue.
   *
   * @throws LaunchTimeoutException if the device was abandoned, before or meanwhile
   */
  <T> T watched(String what, Callable<T> work) throws Exception {
    requireUsable(what);
    T result = watchedInAnyCase(what, work);
    requireUsable(what);
    return result;
  }

  /** The same on a device that may be abandoned: to see that it leaves memory alone. */
  <T> T watchedInAnyCase(String what, Callable<T> work) throws Exception {
    synchronized (this) {
      running.put(Thread.currentThread(), new Running(what, System.nanoTime()));
    }
    try {
      return work.call();
    } finally {
      synchronized (this) {
        running.remove(Thread.currentThread());
      }
    }
  }

  /**
   * Waits for work, or until something runs for too long.
   *
   * @throws LaunchTimeoutException in that case, from then on
   */
  <T> T await(String what, Future<T> work) throws InterruptedException, ExecutionException {
    while (true) {
      try {
        return work.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        look();
        refuse(what, abandoned);
      }
    }
  }

  /** Waits until work is over, however it ended, or the device is abandoned; through interrupts. */
  void awaitEnd(DeviceWork<?> work) {
    boolean interrupted = false;
    boolean waiting = true;
    while (waiting && !isAbandoned()) {
      try {
        Object _ = work.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        waiting = false;
      } catch (ExecutionException e) {
        waiting = false;
      } catch (TimeoutException e) {
        look();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Abandons the device if something runs for too long. */
  void look() {
    String found;
    synchronized (this) {
      found = findOverdue();
    }
    if (found != null) {
      abandon(found, false);
    }
  }

  /** Abandons the device for good: nobody can say what it still touches. */
  void lose(String why) {
    abandon(why, true);
  }

  private @Nullable String findOverdue() {
    long now = System.nanoTime();
    String found = null;
    for (Running r : running.values()) {
      if (now - r.since() > limit.toNanos()) {
        found =
            "kernel %s did not end within %s s, and was abandoned with all that it works on; use another launcher, or give kernels more time with -D%s=TIME"
                .formatted(
                    r.what(),
                    BigDecimal.valueOf(limit.toMillis(), 3).stripTrailingZeros().toPlainString(),
                    LIMIT_PROPERTY);
      }
    }
    return found;
  }

  private void abandon(String found, boolean forGood) {
    List<Runnable> waiting;
    synchronized (this) {
      lost |= forGood;
      if (problem != null) {
        return;
      }
      problem = found;
      waiting = takeWaiting();
    }
    drop(waiting, what -> new LaunchTimeoutException(what, device, found));
    abandoned = found;
  }

  private List<Runnable> takeWaiting() {
    List<Runnable> waiting = new ArrayList<>();
    lanes.values().forEach(lane -> lane.getQueue().drainTo(waiting));
    return waiting;
  }

  private static void drop(List<Runnable> waiting, Function<String, RuntimeException> why) {
    for (Runnable each : waiting) {
      DeviceWork<?> work = (DeviceWork<?>) each;
      boolean _ = work.drop(why.apply(work.what()));
    }
  }

  private synchronized void requireUsable(String what) {
    refuse(what, problem);
  }

  private void refuse(String what, @Nullable String why) {
    if (why != null) {
      throw new LaunchTimeoutException(what, device, why);
    }
  }

  /** Whether the device is given no more work, and what waited was dropped. */
  boolean isAbandoned() {
    return abandoned != null;
  }

  /** Whether the device was abandoned, and what it was at then has not come to its end since. */
  synchronized boolean isStuck() {
    return abandoned != null && (lost || !running.isEmpty());
  }

  /** Drops what has not begun, and waits for what has, or until the device is abandoned. */
  @Override
  public void close() {
    List<Runnable> waiting;
    synchronized (this) {
      closed = true;
      waiting = takeWaiting();
      lanes.values().forEach(ThreadPoolExecutor::shutdown);
    }
    drop(waiting, _ -> closed());
    boolean interrupted = false;
    for (ThreadPoolExecutor lane : lanes.values()) {
      boolean ended = false;
      while (!ended && !isStuck()) {
        try {
          ended = lane.awaitTermination(LOOK_MILLIS, TimeUnit.MILLISECONDS);
          look();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
