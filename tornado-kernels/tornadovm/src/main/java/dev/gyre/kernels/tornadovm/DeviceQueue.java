package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.Settings;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.LaunchTimeoutException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Queue of a device with a watchdog; {@link DeviceStreams} has the order.
 *
 * <p>Nothing can stop work on a device. If it does not end within the limit, the device is
 * abandoned: work that has not begun is dropped, waiting threads are notified, further work is
 * refused, and the threads are left alone. The memories of running work must not be touched until
 * the device has come back; see {@link #isStuck}.
 */
final class DeviceQueue implements AutoCloseable {

  /** Setting: time limit of a kernel or a copy. */
  static final String LIMIT_PROPERTY = "gyre.launch.timeout";

  private static final Duration DEFAULT_LIMIT = Duration.ofMinutes(2);
  private static final long LOOK_MILLIS = 100;

  /** Time for which a waiting thread polls before it sleeps. */
  private static final long SPIN_NANOS = 50_000;

  /** Running work. */
  private static final class Running {
    final String what;
    final long since = System.nanoTime();

    /**
     * Number of works that ran at the same time, including this one: all may have shared the
     * device.
     */
    int together;

    Running(String what) {
      this.what = what;
    }
  }

  private final Device device;
  private final Duration limit = Settings.time(LIMIT_PROPERTY).orElse(DEFAULT_LIMIT);
  private final DeviceStreams streams;

  /** Kernels whose blocks wait for each other run alone. */
  private final ReadWriteLock kernels = new ReentrantReadWriteLock(true);

  // Guarded by this object, which is not locked while works are dropped.
  private final Map<Thread, Running> running = new HashMap<>();
  private @Nullable String problem;
  private boolean lost;
  private boolean closed;

  /** The problem, after all waiting work was dropped. */
  private volatile @Nullable String abandoned;

  /**
   * Creates a queue for a device.
   *
   * @param opener opens a stream of the device for the calling thread
   */
  DeviceQueue(Device device, Supplier<DeviceStream> opener) {
    this.device = device;
    String name = "gyre-%s-launches-".formatted(device.target().label());
    this.streams = new DeviceStreams(Thread.ofPlatform().daemon().name(name, 0).factory(), opener);
  }

  /**
   * Submits work, which runs after all earlier work with one of its memories.
   *
   * @param whenOver runs when the work has ended or was dropped, before waiting threads are
   *     notified; not if it is refused here
   * @throws ClosedException if this is closed
   * @throws LaunchTimeoutException if the device was abandoned
   */
  <T> DeviceWork<T> submit(
      String what,
      List<Memory> memories,
      Runnable whenOver,
      DeviceWork.Kind kind,
      DeviceWork.InStream<T> work) {
    DeviceWork<T> all =
        new DeviceWork<>(
            what,
            memories,
            stream -> {
              requireUsable(what);
              return work.run(stream);
            },
            whenOver,
            kind);
    synchronized (this) {
      refuse(what, problem);
      requireOpen();
      streams.submit(all);
    }
    return all;
  }

  /** Notes that what a launch sends before its kernels is being sent; on its thread. */
  void sent() {
    streams.sent();
  }

  /** Throws if this is closed or abandoned. */
  synchronized void requireOpen() {
    if (closed) {
      throw closed();
    }
  }

  private ClosedException closed() {
    return new ClosedException("launcher for " + device.name());
  }

  /**
   * Runs a kernel under watch; on a thread of this queue.
   *
   * @param alone whether no other kernel may run, because its blocks wait for each other and must
   *     all be resident
   * @throws LaunchTimeoutException if the device was abandoned, before or meanwhile
   */
  <T> T kernel(String what, boolean alone, Callable<T> run) throws Exception {
    Lock turn = alone ? kernels.writeLock() : kernels.readLock();
    if (alone) {
      // It may have to wait for others, and none must wait for it.
      sent();
    }
    while (!turn.tryLock(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      requireUsable(what);
    }
    try {
      return watched(what, run);
    } finally {
      turn.unlock();
    }
  }

  /**
   * Runs work on the device under watch; on a thread of this queue.
   *
   * @throws LaunchTimeoutException if the device was abandoned, before or meanwhile
   */
  <T> T watched(String what, Callable<T> work) throws Exception {
    requireUsable(what);
    T result = watchedInAnyCase(what, work);
    requireUsable(what);
    return result;
  }

  /** Runs work on a device that may be abandoned, to check that it no longer uses memory. */
  <T> T watchedInAnyCase(String what, Callable<T> work) throws Exception {
    synchronized (this) {
      running.put(Thread.currentThread(), new Running(what));
      int together = running.size();
      running.values().forEach(r -> r.together = Math.max(r.together, together));
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
   * Waits for work, or until something runs for too long; an interrupt does not end the wait, and
   * its status is kept.
   *
   * @param whenInterrupted receives each interrupt
   * @throws LaunchTimeoutException if something runs for too long, and from then on
   */
  <T> T await(String what, Future<T> work, Consumer<InterruptedException> whenInterrupted)
      throws ExecutionException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return await(what, work);
        } catch (InterruptedException e) {
          interrupted = true;
          whenInterrupted.accept(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private <T> T await(String what, Future<T> work) throws InterruptedException, ExecutionException {
    long until = System.nanoTime() + SPIN_NANOS;
    while (!work.isDone() && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    while (true) {
      try {
        return work.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        look();
        refuse(what, abandoned);
      }
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

  /** Abandons the device for good: it is unknown what it still uses. */
  void lose(String why) {
    abandon(why, true);
  }

  /** Abandons a device that has stopped: its memories may be freed. */
  void giveUp(String why) {
    abandon(why, false);
  }

  private @Nullable String findOverdue() {
    long now = System.nanoTime();
    String found = null;
    for (Running r : running.values()) {
      if (now - r.since > limit.toNanos() * r.together) {
        found =
            "kernel %s did not end within %s s, and was abandoned with all that it works on; use another launcher, or give kernels more time with -D%s=TIME"
                .formatted(
                    r.what,
                    BigDecimal.valueOf(limit.toMillis(), 3).stripTrailingZeros().toPlainString(),
                    LIMIT_PROPERTY);
      }
    }
    return found;
  }

  private void abandon(String found, boolean forGood) {
    List<DeviceWork<?>> waiting;
    synchronized (this) {
      lost |= forGood;
      if (problem != null) {
        return;
      }
      problem = found;
      waiting = streams.unfinished();
    }
    drop(waiting, what -> new LaunchTimeoutException(what, device, found));
    abandoned = found;
  }

  /** Drops work that has not begun. */
  private static void drop(List<DeviceWork<?>> works, Function<String, RuntimeException> why) {
    for (DeviceWork<?> work : works) {
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

  /** Returns whether the device was abandoned and its running work has not ended since. */
  synchronized boolean isStuck() {
    return abandoned != null && (lost || !running.isEmpty());
  }

  /**
   * Drops work that has not begun, and waits for running work, or until the device is abandoned.
   */
  @Override
  public void close() {
    List<DeviceWork<?>> waiting;
    synchronized (this) {
      closed = true;
      waiting = streams.unfinished();
    }
    drop(waiting, _ -> closed());
    streams.close();
    boolean interrupted = false;
    boolean ended = false;
    while (!ended && !isStuck()) {
      try {
        ended = streams.awaitEnd(LOOK_MILLIS);
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
