package dev.gyre.kernels;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Meeting;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A launch on threads of the JVM: workers that take device threads by number until none is left.
 *
 * <p>It is over once no worker is inside and none that comes finds anything to do: it does not
 * matter how many could be made, nor whether those have begun. What brings it to its end needs no
 * heap, so that a launch whose kernel has used that up ends like any other that fails.
 */
final class JvmLaunch implements Launch, Meeting.Room {

  private static final int NONE = -1;

  /** Set in {@link #ended} once the launch is to stop. */
  private static final int STOPPED = Integer.MIN_VALUE;

  private final Kernel kernel;
  private final LaunchShape shape;
  private final Device device;
  private final Consumer<JvmLaunch> whenOver;

  private final AtomicInteger next = new AtomicInteger();

  /** How many device threads have ended; with {@link #STOPPED}, which those inside then see. */
  private final AtomicInteger ended = new AtomicInteger();

  private final CountDownLatch over = new CountDownLatch(1);

  // Guarded by this. A worker has a place only while it may be interrupted on our behalf.
  private final @Nullable Thread[] inside;
  private int came;
  private int left;
  private @Nullable Throwable failure;
  private @Nullable Throwable cancellation;

  JvmLaunch(
      Kernel kernel, LaunchShape shape, Device device, int workers, Consumer<JvmLaunch> whenOver) {
    this.kernel = kernel;
    this.shape = shape;
    this.device = device;
    this.inside = new Thread[workers];
    this.whenOver = whenOver;
  }

  /** Has workers made; where that fails, {@link #join} says so. */
  void startOn(Executor pool) {
    try {
      Runnable worker = this::work;
      for (int i = 0; i < inside.length; i++) {
        pool.execute(worker);
      }
    } catch (RejectedExecutionException e) {
      // Only its launcher's close() ends the pool.
      boolean _ = cancel(new ClosedException("launcher for " + device.name()));
    } catch (Throwable e) {
      // No thread for this worker and those after it: those that run must not wait for them.
      fail(e);
    }
  }

  private void work() {
    int place = enter();
    if (place != NONE) {
      try {
        Meeting.enter(this);
        int thread = next.getAndIncrement();
        while (isLeft(thread)) {
          kernel.run(thread, shape);
          countEnded();
          thread = next.getAndIncrement();
        }
      } catch (Throwable e) {
        fail(e);
      } finally {
        leave(place);
      }
    }
  }

  private boolean isLeft(int thread) {
    // Negative once the counter has wrapped around.
    return thread >= 0 && thread < shape.threads() && ended.get() >= 0;
  }

  /** Counts a device thread that has ended; not once the launch is stopped. */
  private void countEnded() {
    int seen = ended.get();
    while (seen >= 0 && !ended.compareAndSet(seen, seen + 1)) {
      seen = ended.get();
    }
  }

  /**
   * Has no device thread begin nor count any more, unless all have ended; returns whether it is so.
   */
  private boolean markStopped() {
    int seen = ended.get();
    while (seen >= 0 && seen < shape.threads() && !ended.compareAndSet(seen, seen | STOPPED)) {
      seen = ended.get();
    }
    return seen != shape.threads();
  }

  /** Device threads begin in their order, so those of the first block that has not ended do. */
  @Override
  public void requireBlock() {
    require(shape.blockSize() <= inside.length);
  }

  @Override
  public void requireGrid() {
    require(shape.threads() <= inside.length);
  }

  private void require(boolean room) {
    if (!room) {
      throw new ResidencyException(
          kernel.name(),
          device,
          shape,
          inside.length / shape.blockSize(),
          "this launch has %d workers; launched CONCURRENT, every device thread has a thread"
              .formatted(inside.length));
    }
  }

  /** Takes a place, or {@link #NONE} where there is nothing to do. */
  private synchronized int enter() {
    int place = NONE;
    if (isLeft(next.get())) {
      place = came;
      came++;
      inside[place] = Thread.currentThread();
    }
    return place;
  }

  private void leave(int place) {
    boolean last;
    synchronized (this) {
      inside[place] = null;
      left++;
      // An interrupt of ours must not reach the next launch that this thread works for.
      boolean _ = Thread.interrupted();
      last = left == came && !isLeft(next.get());
    }
    try {
      Meeting.enter(null);
    } finally {
      if (last) {
        end();
      }
    }
  }

  private void end() {
    try {
      whenOver.accept(this);
    } finally {
      over.countDown();
    }
  }

  // Only the throwable itself must not be suppressed in itself.
  @SuppressWarnings("ReferenceEquality")
  private void fail(Throwable e) {
    synchronized (this) {
      if (failure == null) {
        failure = e;
      } else if (failure != e) {
        try {
          failure.addSuppressed(e);
        } catch (OutOfMemoryError full) {
          // The first failure has to do.
        }
      }
    }
    stop();
  }

  private void stop() {
    boolean nobody;
    synchronized (this) {
      boolean _ = markStopped();
      for (int i = 0; i < came; i++) {
        Thread worker = inside[i];
        if (worker != null) {
          worker.interrupt();
        }
      }
      nobody = left == came;
    }
    if (nobody) {
      end();
    }
  }

  @Override
  public boolean cancel() {
    return cancel(null);
  }

  /** Cancels for a reason, which is the cause of what {@link #join} throws. */
  boolean cancel(@Nullable Throwable reason) {
    boolean wasRunning;
    synchronized (this) {
      // Who has all that was asked for was not cancelled, though a worker may still be leaving.
      wasRunning = !isDone() && markStopped();
      cancellation = cancellation == null && wasRunning ? reason : cancellation;
    }
    if (wasRunning) {
      stop();
    }
    return wasRunning;
  }

  @Override
  public boolean isDone() {
    return over.getCount() == 0;
  }

  @Override
  public void join() {
    boolean interrupted = false;
    boolean waiting = true;
    while (waiting) {
      try {
        over.await();
        waiting = false;
      } catch (InterruptedException e) {
        interrupted = true;
        boolean _ = cancel(e);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    throwFailure();
  }

  private synchronized void throwFailure() {
    if (failure instanceof ResidencyException refusal) {
      throw refusal;
    }
    if (failure != null) {
      throw new LaunchException(kernel.name(), device, "a device thread threw " + failure, failure);
    }
    if (ended.get() < shape.threads()) {
      throw LaunchCancelledException.of(kernel.name(), device, cancellation);
    }
  }
}
