package dev.gyre.kernels;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Meeting;
import dev.gyre.kernels.events.Span;
import java.io.Serial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
final class JvmLaunch implements Launch {

  /** Set in {@link #ended} once the launch is to stop. */
  private static final int STOPPED = Integer.MIN_VALUE;

  private final Kernel kernel;
  private final LaunchShape shape;
  private final Device device;
  private final Consumer<JvmLaunch> whenOver;
  private final JvmBlocks blocks;

  private final AtomicInteger next = new AtomicInteger();

  /** How many device threads have ended; with {@link #STOPPED}, which those inside then see. */
  private final AtomicInteger ended = new AtomicInteger();

  /** How many workers wait for threads of their blocks. */
  private final AtomicInteger waiting = new AtomicInteger();

  private final CountDownLatch over = new CountDownLatch(1);
  private final Span span = Span.kernel();
  private final JvmFailure failure = new JvmFailure();

  /** Made by the launcher, and taken in their order. */
  private final Worker[] workers;

  /** How many of them were started, or have an executor that is about to. */
  private final AtomicInteger started = new AtomicInteger();

  // Guarded by this.
  private final List<Worker> helpers = new ArrayList<>();
  private @Nullable Executor pool;
  private int coming;
  private int came;
  private int left;
  private boolean ends;
  private @Nullable Throwable cancellation;

  JvmLaunch(
      Kernel kernel, LaunchShape shape, Device device, int workers, Consumer<JvmLaunch> whenOver) {
    this.kernel = kernel;
    this.shape = shape;
    this.device = device;
    this.whenOver = whenOver;
    this.blocks = new JvmBlocks(kernel, shape);
    this.workers = new Worker[workers];
    Arrays.setAll(this.workers, i -> new Worker(false));
  }

  /** A wait at a barrier ended with the launch. */
  private static final class StoppedException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;
  }

  /** A thread of the JVM that runs one device thread after another. */
  private final class Worker implements Meeting.Room, Runnable {

    /** Guarded by the launch: there only while it may be interrupted on our behalf. */
    private @Nullable Thread thread;

    /** Guarded by the launch: whether it was. */
    private boolean told;

    /** Whether this is the thread that called, whose own interrupts cancel the launch. */
    private final boolean calls;

    private Meeting.@Nullable Room before;
    private JvmBlocks.@Nullable Group group;

    Worker(boolean calls) {
      this.calls = calls;
    }

    @Override
    public void run() {
      startOthers();
      if (enter(this)) {
        try {
          before = Meeting.enter(this);
          int number = next.getAndIncrement();
          while (isLeft(number)) {
            work(number);
            number = next.getAndIncrement();
          }
        } catch (Throwable e) {
          cancelIfInterrupted();
          if (ended.get() >= 0 || !(e instanceof StoppedException)) {
            fail(e, group == null ? kernel : group.kernel());
          }
        } finally {
          leave(this);
        }
      }
    }

    private void work(int number) {
      JvmBlocks.Group mine = blocks.begin(number);
      group = mine;
      (mine == null ? kernel : mine.kernel()).run(number, shape);
      cancelIfInterrupted();
      countEnded();
      if (mine != null) {
        mine.end();
      }
    }

    /**
     * An interrupt of who calls may have ended a wait, so that its device thread is not to count.
     */
    private void cancelIfInterrupted() {
      if (calls && Thread.currentThread().isInterrupted() && !wasTold(this)) {
        boolean _ = cancel(interruption());
      }
    }

    /** Null where there is no heap left for one. */
    private static @Nullable Throwable interruption() {
      try {
        return new InterruptedException();
      } catch (OutOfMemoryError e) {
        return null;
      }
    }

    /** A launch within this one has ended, and may have taken an interrupt of ours for its own. */
    private void tellAgain() {
      synchronized (JvmLaunch.this) {
        if (ended.get() < 0) {
          interrupt(this);
        }
      }
    }

    /** Device threads begin in their order, so those of the first block that has not ended do. */
    @Override
    public void requireBlock() {
      require(shape.blockSize() <= workers.length);
    }

    @Override
    public void requireGrid() {
      require(shape.threads() <= workers.length);
    }

    @Override
    public void awaitBlock() {
      CountDownLatch phase = group == null ? null : group.arrive();
      if (phase != null) {
        replace();
        try {
          phase.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new StoppedException();
        } finally {
          waiting.decrementAndGet();
        }
      }
    }
  }

  /** Has workers made; where that fails, {@link #join} says so. */
  void startOn(Executor threads) {
    synchronized (this) {
      pool = threads;
      coming = workers.length;
    }
    startOthers();
  }

  /**
   * The same, the calling thread being one of them, until it has ended: work that is done before
   * others have woken up need not wait for them.
   */
  void runOn(Executor threads) {
    Thread caller = Thread.currentThread();
    // A virtual thread that waits in a kernel keeps its carrier.
    if (caller.isVirtual() || caller.isInterrupted()) {
      startOn(threads);
    } else {
      workers[0] = new Worker(true);
      synchronized (this) {
        pool = threads;
        coming = workers.length;
      }
      started.set(1);
      workers[0].run();
    }
    join();
  }

  /** Who is there starts others, until all are or there is nothing left to do. */
  private void startOthers() {
    Executor threads = executor();
    while (threads != null && started.get() < workers.length && isLeft(next.get())) {
      int number = started.getAndIncrement();
      if (number < workers.length) {
        start(threads, workers[number]);
      }
    }
  }

  private synchronized @Nullable Executor executor() {
    return pool;
  }

  private void start(Executor threads, Worker worker) {
    try {
      threads.execute(worker);
    } catch (RejectedExecutionException e) {
      // Only its launcher's close() ends the pool.
      boolean _ = cancel(new ClosedException("launcher for " + device.name()));
    } catch (Throwable e) {
      // No thread for this worker and those after it: those that run must not wait for them.
      fail(e, kernel);
    }
  }

  /**
   * Has another worker take the place of one that waits for threads of its block, which may not
   * have begun, so that as many work as before.
   */
  private void replace() {
    waiting.incrementAndGet();
    if (!isLeft(next.get())) {
      return;
    }
    Worker helper = null;
    Executor threads;
    synchronized (this) {
      threads = pool;
      boolean free =
          coming + came - left - waiting.get() < Math.min(workers.length, device.units());
      if (free && isLeft(next.get())) {
        helper = new Worker(false);
        helpers.add(helper);
        coming++;
      }
    }
    if (helper != null && threads != null) {
      start(threads, helper);
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

  private void require(boolean room) {
    if (!room) {
      throw new ResidencyException(
          kernel.name(),
          device,
          shape,
          workers.length / shape.blockSize(),
          "this launch has %d workers; launched CONCURRENT, every device thread has a thread"
              .formatted(workers.length));
    }
  }

  /** Whether there is something to do; who comes in then goes out by {@link #leave}. */
  private synchronized boolean enter(Worker worker) {
    coming--;
    boolean some = isLeft(next.get());
    if (some) {
      came++;
      worker.thread = Thread.currentThread();
    } else {
      helpers.remove(worker);
    }
    return some;
  }

  private void leave(Worker worker) {
    boolean last;
    synchronized (this) {
      worker.thread = null;
      helpers.remove(worker);
      left++;
      // An interrupt of ours must not reach what this thread does next.
      boolean _ = (worker.told || !worker.calls) && Thread.interrupted();
      last = isLast(!isLeft(next.get()));
    }
    try {
      var _ = Meeting.enter(worker.before);
      Meeting.Room outer = worker.before;
      while (outer instanceof Worker around) {
        around.tellAgain();
        outer = around.before;
      }
    } finally {
      if (last) {
        end();
      }
    }
  }

  /** Whether who asks brings the launch to its end: nobody is inside, and nobody else does. */
  private synchronized boolean isLast(boolean nothingLeft) {
    boolean last = nothingLeft && left == came && !ends;
    ends |= last;
    return last;
  }

  private void end() {
    try {
      blocks.close();
      // A lambda has no name; who runs one says by himself what it is.
      if (kernel instanceof Record || !kernel.getClass().isHidden()) {
        span.ran(kernel.name(), device.target().label(), shape.threads(), 0);
      }
    } finally {
      try {
        whenOver.accept(this);
      } finally {
        over.countDown();
      }
    }
  }

  private void fail(Throwable e, Kernel ran) {
    failure.add(e, ran);
    stop();
  }

  private void stop() {
    boolean nobody;
    synchronized (this) {
      boolean _ = markStopped();
      for (Worker worker : workers) {
        interrupt(worker);
      }
      for (int i = 0; i < helpers.size(); i++) {
        interrupt(helpers.get(i));
      }
      nobody = isLast(true);
    }
    if (nobody) {
      end();
    }
  }

  private static void interrupt(Worker worker) {
    Thread thread = worker.thread;
    if (thread != null && !(worker.calls && thread.isInterrupted())) {
      worker.told = true;
      thread.interrupt();
    }
  }

  private synchronized boolean wasTold(Worker worker) {
    return worker.told;
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
      } catch (InterruptedException | OutOfMemoryError e) {
        // Without heap an interrupt is the latter; the workers have to end all the same.
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
    failure.throwIfAny(kernel, device);
    if (ended.get() < shape.threads()) {
      throw LaunchCancelledException.of(kernel.name(), device, cancellation);
    }
  }
}
