package dev.gyre.structures.map.work;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.UninterruptibleScope;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.SpecializedCode;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.map.CapacityCounters;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.ParallelThreshold;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Workers of a bulk operation: threads of the JVM, each with its own tasks, or a device whose
 * threads all work on one task after another.
 */
public final class Workers {

  /** Shape in which a worker runs a device function alone. */
  static final LaunchShape ALONE = LaunchShape.ofThreads(1);

  /** Amount of memory whose pages a worker touches at a time, in bytes. */
  private static final long PAGES_BYTES = 1 << 23;

  /** Smallest amount that is sent separately, in bytes; the launch sends less faster. */
  private static final long AHEAD_BYTES = 1 << 17;

  /** Work of a worker on a task. */
  @FunctionalInterface
  public interface Work {
    void run(int worker, TaskRange task);
  }

  private final Launcher launcher;
  private final boolean onJvm;
  private final int count;
  private final ParallelThreshold waking;

  /** The calling thread alone, on the same target. */
  private final Workers alone;

  public Workers(Launcher launcher) {
    this(launcher, launcher.device().target() == Target.JVM ? launcher.device().units() : 1);
  }

  private Workers(Launcher launcher, int count) {
    this.launcher = launcher;
    this.onJvm = launcher.device().target() == Target.JVM;
    this.count = count;
    this.waking = new ParallelThreshold(count);
    this.alone = count > 1 ? new Workers(launcher, 1) : this;
  }

  /**
   * Returns the workers for some work: only the calling thread, unless others {@linkplain
   * ParallelThreshold#pays pay}.
   *
   * @param nanos approximate time of one worker, in nanoseconds
   * @param updates whether the work is more than lookups
   */
  public Workers forWork(long nanos, boolean updates) {
    return waking.pays(nanos, updates) ? this : alone;
  }

  /** Returns how many tasks run at the same time. */
  public int count() {
    return count;
  }

  public Launcher launcher() {
    return launcher;
  }

  public Device device() {
    return launcher.device();
  }

  /** Returns whether this is the JVM. */
  public boolean onJvm() {
    return onJvm;
  }

  /** Returns the options of all kernels: on a device, many threads count in stripes. */
  public int options() {
    return onJvm() ? 0 : MapCodes.STRIPED;
  }

  /** Sets the reservations of a BOUNDED insert in its counters. */
  public void setCapacity(DeviceLongs counters, long capacity) {
    CapacityCounters.fill(counters, capacity, onJvm() ? 1 : CapacityCounters.stripes(capacity));
  }

  /**
   * Runs a kernel over some items, and copies its counters to the host, with the stripes added up.
   */
  public void launch(Kernel kernel, long items, DeviceLongs counters) {
    if (!onJvm() && items > 0) {
      launch(List.of(new ChainLink(kernel, launcher.shapeForEach(items))), counters);
    } else {
      launch(kernel, items);
    }
  }

  /** Runs kernels in sequence with the same counters. */
  public void launch(List<ChainLink> links, DeviceLongs counters) {
    requireUninterrupted(links.getFirst().kernel().name());
    for (int i = MapCodes.STRIPE_LONGS; i < MapCodes.STRIPED_COUNTERS; i++) {
      if (isOutcome(i)) {
        counters.set(i, 0);
      }
    }
    launcher.hostWrote(counters.memory());
    launcher.runChain(links, counters.memory());
    for (int i = MapCodes.STRIPE_LONGS; i < MapCodes.STRIPED_COUNTERS; i++) {
      if (isOutcome(i)) {
        int outcome = i % MapCodes.STRIPE_LONGS;
        counters.set(outcome, counters.get(outcome) + counters.get(i));
      }
    }
  }

  private static boolean isOutcome(int counter) {
    return counter % MapCodes.STRIPE_LONGS < MapCodes.CAPACITY;
  }

  /** Runs a kernel with a strategy of a user in specialised code, as {@link #launch}. */
  public void launchOwn(Kernel kernel, long items, DeviceLongs counters) {
    launch(onJvm() ? SpecializedCode.of(kernel) : kernel, items, counters);
  }

  /** Runs such a kernel without counters. */
  public void launchOwn(Kernel kernel, long items) {
    launch(onJvm() ? SpecializedCode.of(kernel) : kernel, items);
  }

  /** Runs a kernel without counters over some items. */
  public void launch(Kernel kernel, long items) {
    if (onJvm()) {
      kernel.run(0, ALONE);
    } else if (items > 0) {
      requireUninterrupted(kernel.name());
      launcher.run(kernel, launcher.shapeForEach(items));
    }
  }

  /** Declares that the host wrote memories that a kernel will read. */
  public void hostWrote(Memory... memories) {
    launcher.hostWrote(memories);
  }

  /** Returns how many batches are in flight at the same time. */
  public int batchesAtOnce() {
    return onJvm() ? 1 : Pieces.AT_ONCE;
  }

  /**
   * Declares that the host wrote the first bytes of a memory that a kernel will read: a large
   * amount is sent at once, so that it arrives before the kernel begins.
   */
  public void send(Memory memory, long bytes) {
    if (bytes < AHEAD_BYTES) {
      launcher.hostWrote(memory.first(bytes));
    } else {
      launcher.prefetch(memory.first(bytes));
    }
  }

  /** Returns whether kernels access a memory of the caller on the host in place. */
  public boolean usesInPlace(Memory memory) {
    return launcher.usesInPlace(memory);
  }

  /** Copies results of kernels from the start of a memory to the host. */
  public void readBack(Memory memory, long bytes) {
    launcher.readBack(memory.first(bytes));
  }

  /** Copies results of kernels to the host. */
  public void readBack(Memory... memories) {
    launcher.readBack(memories);
  }

  /** Prepares new memories: all 0 on a device, all pages present on the JVM. */
  public void makeReady(List<Memory> fresh) {
    clearOnDevice(fresh);
    try {
      for (Memory memory : onJvm() ? fresh : List.<Memory>of()) {
        run(
            "pages",
            TaskRange.cut(0, memory.byteSize(), PAGES_BYTES),
            (_, task) -> memory.givePages(task.from(), task.to()));
      }
    } catch (LaunchException e) {
      // Interrupted, or without threads: pages are allocated at their first use.
    }
  }

  /**
   * Sets all bytes to 0 where the kernels run, except on the JVM; the copy of the host is then out
   * of date.
   */
  public void clearOnDevice(List<Memory> memories) {
    launcher.clear(memories.toArray(Memory[]::new));
  }

  /**
   * Runs all tasks, each on one of the workers; a single task on the calling thread, which no
   * interrupt ends.
   *
   * @throws LaunchCancelledException if several workers are needed and the thread is interrupted
   * @throws RuntimeException the exception of a task, or {@link LaunchException} if the launch
   *     failed
   */
  public void run(String name, List<TaskRange> tasks, Work work) {
    int used = Math.min(count(), tasks.size());
    Span span = Span.kernel();
    if (used <= 1) {
      try (UninterruptibleScope _ = UninterruptibleScope.begin()) {
        for (TaskRange task : tasks) {
          work.run(0, task);
        }
      }
    } else {
      runOnSeveral(used, name, tasks, work);
    }
    span.ran(name, device().target().label(), used, 0);
  }

  private void runOnSeveral(int used, String name, List<TaskRange> tasks, Work work) {
    requireUninterrupted(name);
    AtomicInteger next = new AtomicInteger();
    try {
      launcher.run(
          (worker, shape) -> {
            int i = next.getAndIncrement();
            while (i < tasks.size()) {
              work.run(worker, tasks.get(i));
              i = next.getAndIncrement();
            }
          },
          LaunchShape.ofThreads(used));
    } catch (LaunchException e) {
      if (e.getCause() instanceof RuntimeException cause
          && !(cause instanceof LaunchException)
          && e.getClass() == LaunchException.class) {
        // Without suppressing the launch's exception, whose cause it is: that would be a cycle.
        throw cause;
      }
      throw e;
    }
  }

  /**
   * Throws if the thread is interrupted: otherwise the result would depend on whether others, or a
   * device, have already ended.
   */
  private void requireUninterrupted(String name) {
    if (Thread.currentThread().isInterrupted()) {
      throw new LaunchCancelledException(name, device(), null);
    }
  }
}
