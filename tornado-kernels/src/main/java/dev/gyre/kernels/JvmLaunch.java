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
 * Launch on threads of the JVM: workers take device threads by number until none is left.
 *
 * <p><b>Progress.</b> The launch has ended when no worker is inside and an arriving worker would
 * find nothing to do. It does not depend on how many workers could be created or have started.
 * Ending a launch needs no heap, so that a launch whose kernel exhausted the heap fails like any
 * other.
 */
final class JvmLaunch implements Launch {

  /** Bit in {@link #ended} that stops the launch. */
  private static final int STOPPED = Integer.MIN_VALUE;

  private final Kernel kernel;
  private final LaunchShape shape;
  private final Device device;
  private final Consumer<JvmLaunch> whenOver;
  private final JvmBlocks blocks;

  private final AtomicInteger next = new AtomicInteger();

  /**
   * Number of device threads that have ended, with {@link #STOPPED}, which the workers inside see.
   */
  private final AtomicInteger ended = new AtomicInteger();

  /** Number of workers that wait for threads of their blocks. */
  private final AtomicInteger waiting = new AtomicInteger();

  private final CountDownLatch over = new CountDownLatch(1);
  private final Span span = Span.kernel();
  private final JvmFailure failure = new JvmFailure();

  /** Created by the launcher, and taken in order. */
  private final Worker[] workers;

  /** Number of workers that were started, or that an executor is about to start. */
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

  /** Ends a wait at a barrier when the launch is stopped. */
  private static final class StoppedException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;
  }

  /** Thread of the JVM that runs one device thread after another. */
  private final class Worker implements Meeting.Launch, Runnable {

    /** Guarded by the launch: set only while this launch may interrupt it. */
    private @Nullable Thread thread;

    /** Guarded by the launch: whether it was interrupted. */
    private boolean notified;

    /** Whether this is the calling thread, whose own interrupts cancel the launch. */
    private final boolean calls;

    private Meeting.@Nullable Launch before;
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
     * Cancels if the caller is interrupted: the interrupt may have ended a wait, and then the
     * device thread must not count as ended.
     */
    private void cancelIfInterrupted() {
      if (calls && Thread.currentThread().isInterrupted() && !wasNotified(this)) {
        boolean _ = cancel(interruption());
      }
    }

    /** Returns an exception, or null if no heap is left for it. */
    private static @Nullable Throwable interruption() {
      try {
        return new InterruptedException();
      } catch (OutOfMemoryError e) {
        return null;
      }
    }

    /** Repeats the interrupt of this launch: a nested launch has ended and may have consumed it. */
    private void interruptAgain() {
      synchronized (JvmLaunch.this) {
        if (ended.get() < 0) {
          interrupt(this);
        }
      }
    }

    /**
     * Device threads begin in order, so that the threads of the first block that has not ended have
     * begun.
     */
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

  /** Starts workers on other threads. If that fails, {@link #join} reports it. */
  void startOn(Executor threads) {
    synchronized (this) {
      pool = threads;
      coming = workers.length;
    }
    startOthers();
  }

  /**
   * Starts workers and runs one on the calling thread, until the launch has ended. Work that ends
   * before other threads wake up does not wait for them.
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

  /** Starts further workers, until all are started or no work is left. */
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
      // Only close() of the launcher ends the pool.
      boolean _ = cancel(new ClosedException("launcher for " + device.name()));
    } catch (Throwable e) {
      // No thread is available for this and later workers: running workers must not wait for them.
      fail(e, kernel);
    }
  }

  /**
   * Starts a worker in place of one that waits for threads of its block, which may not have begun,
   * so that the number of working threads stays the same.
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

  /** Counts a device thread that has ended, unless the launch is stopped. */
  private void countEnded() {
    int seen = ended.get();
    while (seen >= 0 && !ended.compareAndSet(seen, seen + 1)) {
      seen = ended.get();
    }
  }

  /** Stops the launch, unless all device threads have ended; returns whether it is stopped. */
  private boolean markStopped() {
    int seen = ended.get();
    while (seen >= 0 && seen < shape.threads() && !ended.compareAndSet(seen, seen | STOPPED)) {
      seen = ended.get();
    }
    return seen != shape.threads();
  }

  private void require(boolean isMet) {
    if (!isMet) {
      throw new ResidencyException(
          kernel.name(),
          device,
          shape,
          workers.length / shape.blockSize(),
          "this launch has %d workers; launched CONCURRENT, every device thread has a thread"
              .formatted(workers.length));
    }
  }

  /** Enters a worker if there is work; it then leaves by {@link #leave}. */
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
      // The interrupt of this launch must not affect later work of the thread.
      boolean _ = (worker.notified || !worker.calls) && Thread.interrupted();
      last = isLast(!isLeft(next.get()));
    }
    try {
      var _ = Meeting.enter(worker.before);
      Meeting.Launch outer = worker.before;
      while (outer instanceof Worker around) {
        around.interruptAgain();
        outer = around.before;
      }
    } finally {
      if (last) {
        end();
      }
    }
  }

  /** Returns whether this worker ends the launch: no worker is inside, and no other one ends it. */
  private synchronized boolean isLast(boolean nothingLeft) {
    boolean last = nothingLeft && left == came && !ends;
    ends |= last;
    return last;
  }

  private void end() {
    try {
      blocks.close();
      // A lambda has no name for the message; its caller knows what it is.
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
      worker.notified = true;
      thread.interrupt();
    }
  }

  private synchronized boolean wasNotified(Worker worker) {
    return worker.notified;
  }

  @Override
  public boolean cancel() {
    return cancel(null);
  }

  /** Cancels with a reason, which is the cause of the exception of {@link #join}. */
  boolean cancel(@Nullable Throwable reason) {
    boolean wasRunning;
    synchronized (this) {
      // A launch whose device threads have all ended is not cancelled, even if a worker is still
      // leaving.
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
        // Without heap, treat an interrupt as a failure: the workers must end in any case.
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
