package dev.gyre.kernels;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Internal;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Launcher that runs kernels on threads of this JVM.
 *
 * <p>In {@linkplain LaunchMode#STRIDED strided} mode, each of a fixed number of workers repeatedly
 * runs the next device thread. In {@linkplain LaunchMode#CONCURRENT concurrent} mode, every device
 * thread has its own platform thread. Virtual threads are not used: a virtual thread that spins
 * would keep the carrier thread that another one needs.
 *
 * <p>A kernel with strategies runs in {@linkplain SpecializedCode specialised code} if possible.
 * Thread-safe. Close each launcher; it owns the threads.
 *
 * @since 0.1.0
 */
public final class JvmLauncher implements Launcher {

  /** Largest number of workers, and of device threads of a concurrent launch. */
  public static final int MAX_WORKERS = 1 << 14;

  /** Device threads per worker, enough that uneven pieces of work do not leave workers idle. */
  private static final int THREADS_PER_WORKER = 8;

  private static final AtomicInteger POOLS = new AtomicInteger();

  private final Device device;
  private final ExecutorService pool;
  private final Set<JvmLaunch> running = new HashSet<>();
  private boolean closed;

  private JvmLauncher(int workers) {
    this.device =
        new Device(
            Target.JVM,
            "Java " + Runtime.version().feature() + ", " + System.getProperty("os.arch"),
            workers);
    String pool = "gyre-" + POOLS.incrementAndGet() + "-";
    ThreadFactory threads = Thread.ofPlatform().daemon().name(pool, 0).factory();
    this.pool = Executors.newCachedThreadPool(threads);
  }

  /** Returns a launcher with a worker for every core that the JVM may use. */
  public static JvmLauncher create() {
    return ofWorkers(Runtime.getRuntime().availableProcessors());
  }

  /**
   * Returns a launcher with a number of workers.
   *
   * @throws IllegalArgumentException if {@code workers} is not from 1 to {@value #MAX_WORKERS}
   */
  public static JvmLauncher ofWorkers(int workers) {
    return new JvmLauncher(requireWorkers(workers));
  }

  /**
   * Returns a number of workers.
   *
   * @throws IllegalArgumentException if it is not from 1 to {@value #MAX_WORKERS}
   */
  @Internal
  public static int requireWorkers(int workers) {
    if (workers < 1 || workers > MAX_WORKERS) {
      throw new IllegalArgumentException(
          "workers must be from 1 to " + MAX_WORKERS + ", not " + workers);
    }
    return workers;
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public LaunchShape shapeFor(long items) {
    if (items < 1) {
      throw new IllegalArgumentException("items must be more than 0, not " + items);
    }
    return LaunchShape.ofThreads((int) Math.min(items, (long) device.units() * THREADS_PER_WORKER));
  }

  @Override
  public int blocksAtOnce(Kernel kernel, int blockSize) {
    if (blockSize < 1) {
      throw new IllegalArgumentException("a block has 1 thread or more, not " + blockSize);
    }
    return MAX_WORKERS / blockSize;
  }

  @Override
  public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
    JvmLaunch launch = launch(kernel, shape, mode);
    launch.startOn(pool);
    return launch;
  }

  /**
   * {@inheritDoc}
   *
   * <p>The calling thread is one of the workers, unless it is virtual or interrupted. An interrupt
   * cancels the launch, as in {@link Launch#join}. If a launch has failed or was cancelled by
   * another thread, it ends the waits of its workers by interrupts; a caller's interrupt at that
   * moment is lost.
   */
  @Override
  public void run(Kernel kernel, LaunchShape shape) {
    launch(kernel, shape, LaunchMode.STRIDED).runOn(pool);
  }

  private JvmLaunch launch(Kernel kernel, LaunchShape shape, LaunchMode mode) {
    int workers =
        switch (mode) {
          case STRIDED -> Math.min(shape.threads(), device.units());
          case CONCURRENT -> shape.threads();
        };
    if (workers > MAX_WORKERS) {
      throw new ResidencyException(
          kernel.name(),
          device,
          shape,
          blocksAtOnce(kernel, shape.blockSize()),
          "each needs a thread of its own, of %d at most".formatted(MAX_WORKERS));
    }
    JvmLaunch launch =
        new JvmLaunch(SpecializedCode.orShared(kernel), shape, device, workers, this::ended);
    synchronized (running) {
      requireOpen();
      running.add(launch);
    }
    return launch;
  }

  private void ended(JvmLaunch launch) {
    synchronized (running) {
      running.remove(launch);
    }
  }

  @Override
  public void requireOpen() {
    synchronized (running) {
      if (closed) {
        throw closedException();
      }
    }
  }

  private ClosedException closedException() {
    return new ClosedException("launcher for " + device.name());
  }

  @Override
  public void close() {
    Set<JvmLaunch> left;
    synchronized (running) {
      closed = true;
      left = Set.copyOf(running);
    }
    ClosedException reason = closedException();
    left.forEach(launch -> launch.cancel(reason));
    pool.shutdown();
  }
}
