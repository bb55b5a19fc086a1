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
 * The threads that drive a device, each with a {@link DeviceStream}, and the order of what they do:
 * works that touch one memory run one after another, as they were submitted; others may overlap.
 *
 * <p>A work becomes ready when all that came before it on one of its memories is over. Copies to
 * the device share one bus: they are held back while others are under way, and while a launch that
 * was ready before them has not sent the little that it needs, which would wait behind them. A
 * thread that has nothing to do looks for a short time, as the next step of a chain is often about
 * to come, and to be woken takes longer than a small launch; then it waits.
 */
final class DeviceStreams {

  /** Most works at the same time: copies both ways, kernels, and some more that get ready. */
  static final int MOST = 8;

  /** Most copies to the device at the same time: more would share the bus, and all come late. */
  static final int MOST_INWARD = 2;

  private static final long LOOK_NANOS = 50_000;

  private final Supplier<DeviceStream> opener;
  private final ThreadFactory threads;

  // Guarded by this.
  private final Deque<DeviceWork<?>> ready = new ArrayDeque<>();
  private final Map<Memory, DeviceWork<?>> latest = new HashMap<>();
  private final Set<DeviceWork<?>> all = new LinkedHashSet<>();
  private int alive;

  /** Copies to the device that are under way. */
  private int inward;

  /** Launches that are ready, or have begun, and have not sent what they need. */
  private final Set<DeviceWork<?>> unsent = new LinkedHashSet<>();

  /** Threads that look for work, or are about to. */
  private int looking;

  private int asleep;

  /** Whether something is ready and not held back; written under the lock. */
  private volatile boolean hasReady;

  private volatile boolean closed;

  /**
   * No threads yet.
   *
   * @param opener makes a stream for the thread that calls it
   */
  DeviceStreams(ThreadFactory threads, Supplier<DeviceStream> opener) {
    this.opener = opener;
    this.threads = threads;
  }

  /**
   * Has work done after all that was submitted before and touches one of its memories.
   *
   * @throws Error if there is no thread, and none can be started; the work is as never submitted
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

  /** Starts a thread; where that fails, those that there are do the work, later. */
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
      // Before who waits is told, so that what follows finds this thread and needs no other.
      over(work);
      work.tell();
      work = next();
    }
  }

  /** The stream of a thread, from its first work on that needs it. */
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

  /** What the launch of this thread sends before its kernels is under way. */
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

  /** What is to be done next; null where nothing will be. */
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
          // Nobody has a reason to; it looks again.
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

  /** The first that is ready and not held back. */
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

  /** All that is not over, in the order in which it was submitted. */
  synchronized List<DeviceWork<?>> unfinished() {
    return List.copyOf(all);
  }

  /** Has threads end when nothing is ready any more; those that still work may make more ready. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** Waits for so long, at most, until no thread is left after {@link #close}. */
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
