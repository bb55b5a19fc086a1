package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.tornadovm.DeviceWork.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads that drive a device, each with a {@link DeviceStream}, and the order of their works.
 *
 * <p><b>Order.</b> Works with a common memory run one after another, as they were submitted; others
 * may overlap. A work becomes ready when all earlier works with one of its memories have ended.
 *
 * <p><b>Transfers.</b> Copies to the device share one bus. They are held back while others run, and
 * while an earlier ready launch has not sent the little that it needs, which would have to wait for
 * them.
 *
 * <p><b>Waiting.</b> An idle thread polls for a short time before it waits, because the next step
 * of a chain often follows soon, and a wake-up takes longer than a small launch.
 */
final class DeviceStreams {

  /**
   * Largest number of concurrent works: copies in both directions, kernels, and some in
   * preparation.
   */
  static final int MOST = 8;

  /**
   * Largest number of concurrent copies to the device: more would share the bus, and all would be
   * late.
   */
  static final int MOST_INWARD = 2;

  private static final long LOOK_NANOS = 50_000;

  private final Supplier<DeviceStream> opener;
  private final ThreadFactory threads;

  // Guarded by this.
  private final Deque<DeviceWork<?>> ready = new ArrayDeque<>();
  private final Map<Memory, DeviceWork<?>> latest = new HashMap<>();
  private final Set<DeviceWork<?>> all = new LinkedHashSet<>();
  private int alive;

  /** Number of running copies to the device. */
  private int inward;

  /** Launches that are ready or running, and have not sent what they need. */
  private final Set<DeviceWork<?>> unsent = new LinkedHashSet<>();

  /** Number of threads that poll for work, or are about to. */
  private int looking;

  private int asleep;

  /** Whether work is ready and not held back; written under the lock. */
  private volatile boolean hasReady;

  private volatile boolean closed;

  /**
   * Creates an object without threads.
   *
   * @param opener opens a stream for the calling thread
   */
  DeviceStreams(ThreadFactory threads, Supplier<DeviceStream> opener) {
    this.opener = opener;
    this.threads = threads;
  }

  /**
   * Submits work, which runs after all earlier work with one of its memories.
   *
   * @throws Error if there is no thread and none can be started; the work is then not submitted
   */
  synchronized void submit(DeviceWork<?> work) {
    var _ = all.add(work);
    for (Memory memory : work.memories()) {
      DeviceWork<?> before = latest.put(memory, work);
      if (before != null) {
        before.after.add(work);
        work.before++;
      }
    }
    if (work.before == 0) {
      try {
        makeReady(work);
      } catch (RuntimeException | Error e) {
        forget(work);
        throw e;
      }
    }
  }

  private void forget(DeviceWork<?> work) {
    var _ = ready.remove(work);
    var _ = unsent.remove(work);
    hasReady = first() != null;
    var _ = all.remove(work);
    work.memories().forEach(memory -> latest.remove(memory, work));
  }

  private void makeReady(DeviceWork<?> work) {
    switch (work.kind()) {
      case COPY_IN -> work.first.addAll(unsent);
      case LAUNCH -> unsent.add(work);
      case OTHER -> {}
    }
    ready.add(work);
    hasReady = first() != null;
    wake();
  }

  private void wake() {
    if (ready.size() > looking + asleep && alive < MOST) {
      startThread();
    } else if (ready.size() > looking) {
      notify();
    }
  }

  /** Starts a thread; if that fails, existing threads do the work later. */
  private void startThread() {
    alive++;
    looking++;
    try {
      threads.newThread(this::drive).start();
    } catch (RuntimeException | Error e) {
      alive--;
      looking--;
      if (alive == 0) {
        throw e;
      }
    }
  }

  private void drive() {
    Opened stream = new Opened(opener);
    DeviceWork<?> work = next();
    while (work != null) {
      work.run(stream);
      // Before waiting threads are notified, so that their next work finds this thread and needs no
      // other.
      over(work);
      work.finish();
      work = next();
    }
  }

  /** Stream of a thread, opened for its first work that needs it. */
  private static final class Opened implements Supplier<DeviceStream> {
    private final Supplier<DeviceStream> opener;
    private @Nullable DeviceStream stream;

    Opened(Supplier<DeviceStream> opener) {
      this.opener = opener;
    }

    @Override
    public DeviceStream get() {
      DeviceStream opened = stream == null ? opener.get() : stream;
      stream = opened;
      return opened;
    }
  }

  private synchronized void over(DeviceWork<?> work) {
    var _ = all.remove(work);
    looking++;
    inward -= work.kind() == Kind.COPY_IN ? 1 : 0;
    sent(work);
    work.memories().forEach(memory -> latest.remove(memory, work));
    for (DeviceWork<?> next : work.after) {
      next.before--;
      if (next.before == 0) {
        makeReady(next);
      }
    }
  }

  /** Notes that what the launch of this thread sends before its kernels is being sent. */
  synchronized void sent() {
    unsent.stream()
        .filter(work -> Thread.currentThread().equals(work.runner))
        .findAny()
        .ifPresent(this::sent);
    if (hasReady) {
      wake();
    }
  }

  private void sent(DeviceWork<?> launch) {
    if (unsent.remove(launch)) {
      ready.forEach(copy -> copy.first.remove(launch));
    }
    hasReady = first() != null;
  }

  /** Returns the next work; null if there will be none. */
  private @Nullable DeviceWork<?> next() {
    long until = System.nanoTime() + LOOK_NANOS;
    while (!hasReady && !closed && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    synchronized (this) {
      looking--;
      asleep++;
      while (first() == null && !closed) {
        try {
          wait();
        } catch (InterruptedException e) {
          // No code interrupts it on purpose; it polls again.
        }
      }
      asleep--;
      DeviceWork<?> work = take();
      if (work == null) {
        alive--;
        notifyAll();
      }
      return work;
    }
  }

  /** Returns the first work that is ready and not held back. */
  private @Nullable DeviceWork<?> first() {
    for (DeviceWork<?> work : ready) {
      if (work.kind() != Kind.COPY_IN || (inward < MOST_INWARD && work.first.isEmpty())) {
        return work;
      }
    }
    return null;
  }

  private @Nullable DeviceWork<?> take() {
    DeviceWork<?> work = first();
    if (work != null) {
      var _ = ready.remove(work);
      work.runner = Thread.currentThread();
      inward += work.kind() == Kind.COPY_IN ? 1 : 0;
      hasReady = first() != null;
    }
    return work;
  }

  /** Returns all works that have not ended, in the order of submission. */
  synchronized List<DeviceWork<?>> unfinished() {
    return List.copyOf(all);
  }

  /** Ends threads when no work is ready any more; running threads may make more work ready. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** Waits until no thread is left after {@link #close}, up to a time limit. */
  synchronized boolean awaitEnd(long millis) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    long left = millis;
    while (alive > 0 && left > 0) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
    }
    return alive == 0;
  }
}
