package dev.gyre.kernels;

import dev.gyre.atomics.Meeting;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A launch on threads of the JVM: workers that take device threads by number until none is left.
 */
final class JvmLaunch implements Launch, Meeting.Room {

  private final Kernel kernel;
  private final LaunchShape shape;
  private final Device device;
  private final int workers;
  private final Consumer<JvmLaunch> whenEnded;

  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();
  private final CountDownLatch left;

  // Guarded by this. A worker is in the set only while it may be interrupted on our behalf.
  private final Set<Thread> running = new HashSet<>();
  private boolean cancelled;
  private @Nullable Throwable failure;

  JvmLaunch(
      Kernel kernel, LaunchShape shape, Device device, int workers, Consumer<JvmLaunch> whenEnded) {
    this.kernel = kernel;
    this.shape = shape;
    this.device = device;
    this.workers = workers;
    this.whenEnded = whenEnded;
    this.left = new CountDownLatch(workers);
  }

  void startOn(Executor pool) {
    int started = 0;
    try {
      for (; started < workers; started++) {
        pool.execute(this::work);
      }
    } catch (OutOfMemoryError | RejectedExecutionException e) {
      // No thread could be made for this worker and those after it: those that run must not wait
      // for them.
      fail(e);
      for (; started < workers; started++) {
        workerEnded();
      }
    }
  }

  private void work() {
    if (enter()) {
      Meeting.enter(this);
      try {
        int thread = next.getAndIncrement();
        // Negative once the counter has wrapped around.
        while (thread >= 0 && thread < shape.threads() && !isCancelled()) {
          kernel.run(thread, shape);
          if (!isCancelled()) {
            ended.getAndIncrement();
          }
          thread = next.getAndIncrement();
        }
      } catch (Throwable e) {
        fail(e);
      } finally {
        Meeting.enter(null);
        leave();
      }
    }
    workerEnded();
  }

  /** Device threads begin in their order, so those of the first block that has not ended do. */
  @Override
  public void requireBlock() {
    require(shape.blockSize() <= workers);
  }

  @Override
  public void requireGrid() {
    require(shape.threads() <= workers);
  }

  private void require(boolean room) {
    if (!room) {
      throw new ResidencyException(
          kernel.name(),
          device,
          shape,
          workers / shape.blockSize(),
          "this launch has %d workers; launched CONCURRENT, every device thread has a thread"
              .formatted(workers));
    }
  }

  private synchronized boolean enter() {
    return !cancelled && running.add(Thread.currentThread());
  }

  private synchronized void leave() {
    running.remove(Thread.currentThread());
    // An interrupt of ours must not reach the next launch that this thread works for.
    boolean _ = Thread.interrupted();
  }

  private void workerEnded() {
    left.countDown();
    if (left.getCount() == 0) {
      whenEnded.accept(this);
    }
  }

  private synchronized boolean isCancelled() {
    return cancelled;
  }

  // Only the throwable itself must not be suppressed in itself.
  @SuppressWarnings("ReferenceEquality")
  private synchronized void fail(Throwable e) {
    if (failure == null) {
      failure = e;
    } else if (failure != e) {
      failure.addSuppressed(e);
    }
    stop();
  }

  private synchronized void stop() {
    cancelled = true;
    running.forEach(Thread::interrupt);
  }

  @Override
  public synchronized boolean cancel() {
    boolean wasRunning = !isDone();
    if (wasRunning) {
      stop();
    }
    return wasRunning;
  }

  @Override
  public boolean isDone() {
    return left.getCount() == 0;
  }

  @Override
  public void join() {
    InterruptedException interruption = null;
    boolean waiting = true;
    while (waiting) {
      try {
        left.await();
        waiting = false;
      } catch (InterruptedException e) {
        interruption = e;
        stop();
      }
    }
    if (interruption != null) {
      Thread.currentThread().interrupt();
    }
    Throwable thrown;
    synchronized (this) {
      thrown = failure;
    }
    if (thrown instanceof ResidencyException refusal) {
      throw refusal;
    }
    if (thrown != null) {
      throw new LaunchException(kernel.name(), device, "a device thread threw " + thrown, thrown);
    }
    if (ended.get() < shape.threads()) {
      throw new LaunchCancelledException(kernel.name(), device, interruption);
    }
  }
}
