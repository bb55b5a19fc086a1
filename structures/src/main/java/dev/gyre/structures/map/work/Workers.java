package dev.gyre.structures.map.work;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.Patience;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.OwnCode;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Room;
import dev.gyre.structures.Waking;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What does the steps of a bulk operation: threads of the JVM, each with steps of its own, or a
 * device whose threads all work on one step after another.
 */
public final class Workers {

  /** The shape in which a worker runs a device function, on its own. */
  static final LaunchShape ALONE = LaunchShape.ofThreads(1);

  /** A worker has the pages of so much memory given at a time. */
  private static final long PAGES_BYTES = 1 << 23;

  /** What is less is sent by the launch, since to send it apart takes longer. */
  private static final long AHEAD_BYTES = 1 << 17;

  /** What a worker does with a step. */
  @FunctionalInterface
  public interface Work {
    void run(int worker, Step step);
  }

  private final Launcher launcher;
  private final boolean onJvm;
  private final int count;
  private final Waking waking;

  /** The thread that calls, on the same target. */
  private final Workers alone;

  public Workers(Launcher launcher) {
    this.launcher = launcher;
    this.onJvm = launcher.device().target() == Target.JVM;
    this.count = onJvm ? launcher.device().units() : 1;
    this.waking = new Waking(count);
    this.alone = count > 1 ? new Workers(this) : this;
  }

  /** One of them. */
  private Workers(Workers all) {
    this.launcher = all.launcher;
    this.onJvm = all.onJvm;
    this.count = 1;
    this.waking = all.waking;
    this.alone = this;
  }

  /**
   * Those for some work: none but the thread that calls, where others do not {@linkplain
   * Waking#pays pay}.
   *
   * @param nanos how long the work takes one of them, about
   * @param updates whether it is more than to look for what is there
   */
  public Workers forWork(long nanos, boolean updates) {
    return waking.pays(nanos, updates) ? this : alone;
  }

  /** How many steps are done at the same time. */
  public int count() {
    return count;
  }

  public Launcher launcher() {
    return launcher;
  }

  public Device device() {
    return launcher.device();
  }

  /** Whether that is the JVM. */
  public boolean onJvm() {
    return onJvm;
  }

  /** Options of all kernels: on a device, threads are many, and count in stripes. */
  public int options() {
    return onJvm() ? 0 : MapCodes.STRIPED;
  }

  /** Gives counters of an insert that is BOUNDED room for so many keys. */
  public void giveRoom(DeviceLongs counters, long room) {
    Room.fill(counters, room, onJvm() ? 1 : Room.stripes(room));
  }

  /** Runs a kernel over some items, and brings its counters back, stripes added up. */
  public void launch(Kernel kernel, long items, DeviceLongs counters) {
    if (!onJvm() && items > 0) {
      launch(kernel, launcher.shapeForEach(items), counters);
    } else {
      launch(kernel, items);
    }
  }

  /** The same on a device, in some shape. */
  public void launch(Kernel kernel, LaunchShape shape, DeviceLongs counters) {
    launch(List.of(new ChainLink(kernel, shape)), counters);
  }

  /** The same of kernels that follow each other, each over all items. */
  public void launch(List<Kernel> kernels, long items, DeviceLongs counters) {
    if (!onJvm() && items > 0) {
      LaunchShape shape = launcher.shapeForEach(items);
      launch(kernels.stream().map(kernel -> new ChainLink(kernel, shape)).toList(), counters);
    } else {
      kernels.forEach(kernel -> launch(kernel, items));
    }
  }

  /** The same of kernels that follow each other, and count in the same counters. */
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
    return counter % MapCodes.STRIPE_LONGS < MapCodes.ROOM;
  }

  /** {@link #launch} of a kernel that has a strategy of a user's, in code of its own. */
  public void launchOwn(Kernel kernel, long items, DeviceLongs counters) {
    launch(onJvm() ? OwnCode.of(kernel) : kernel, items, counters);
  }

  /** The same of one that counts nothing. */
  public void launchOwn(Kernel kernel, long items) {
    launch(onJvm() ? OwnCode.of(kernel) : kernel, items);
  }

  /** Runs a kernel that counts nothing over some items. */
  public void launch(Kernel kernel, long items) {
    if (onJvm()) {
      kernel.run(0, ALONE);
    } else if (items > 0) {
      requireUninterrupted(kernel.name());
      launcher.run(kernel, launcher.shapeForEach(items));
    }
  }

  /** The host wrote memories that a kernel is to read. */
  public void hostWrote(Memory... memories) {
    launcher.hostWrote(memories);
  }

  /** How many batches are under way at the same time. */
  public int batchesAtOnce() {
    return onJvm() ? 1 : Pieces.AT_ONCE;
  }

  /**
   * The host wrote the beginning of a memory, which a kernel is to read: much of it is sent at
   * once, so that it is there when the device comes to the kernel.
   */
  public void send(Memory memory, long bytes) {
    if (bytes < AHEAD_BYTES) {
      launcher.hostWrote(memory.first(bytes));
    } else {
      launcher.prefetch(memory.first(bytes));
    }
  }

  /** Whether a memory of the caller's is to be copied to the device from where it lies. */
  public boolean copiesInPlace(Memory memory) {
    return launcher.copiesInPlace(memory);
  }

  /** Whether kernels use a memory of the caller's where the host has it. */
  public boolean usesInPlace(Memory memory) {
    return launcher.usesInPlace(memory);
  }

  /** Sends a part of a memory of the caller's to the beginning of one that a kernel is to read. */
  public void send(Memory memory, Memory from, long at, long bytes) {
    launcher.copyIn(memory, from.range(at, bytes));
  }

  /** Brings what kernels wrote to the beginning of a memory to a part of one of the caller's. */
  public void readBack(Memory memory, Memory to, long at, long bytes) {
    launcher.copyOut(memory, to.range(at, bytes));
  }

  /** Brings what kernels wrote to the beginning of a memory to the host. */
  public void readBack(Memory memory, long bytes) {
    launcher.readBack(memory.first(bytes));
  }

  /** Brings what kernels wrote to the host. */
  public void readBack(Memory... memories) {
    launcher.readBack(memories);
  }

  /** Makes memories ready that were just made: all 0 on a device, all pages there on the JVM. */
  public void makeReady(List<Memory> fresh) {
    clearOnDevice(fresh);
    try {
      for (Memory memory : onJvm() ? fresh : List.<Memory>of()) {
        run(
            "pages",
            Step.cut(0, memory.byteSize(), PAGES_BYTES),
            (_, step) -> memory.givePages(step.from(), step.to()));
      }
    } catch (LaunchException e) {
      // Interrupted, or without threads: pages come when they are used.
    }
  }

  /** Sets all bytes to 0 where the kernels run, if not on the JVM; the host's copy is old then. */
  public void clearOnDevice(List<Memory> memories) {
    launcher.clear(memories.toArray(Memory[]::new));
  }

  /**
   * Does all steps, each on one of the workers; a single step on the thread that calls, of which an
   * interrupt then ends no wait.
   *
   * @throws LaunchCancelledException if several workers are needed and the thread was interrupted
   * @throws RuntimeException what a step threw, or {@link LaunchException} if the launch failed
   */
  public void run(String name, List<Step> steps, Work work) {
    int used = Math.min(count(), steps.size());
    Span span = Span.kernel();
    if (used <= 1) {
      try (Patience _ = Patience.begin()) {
        for (Step step : steps) {
          work.run(0, step);
        }
      }
    } else {
      runOnSeveral(used, name, steps, work);
    }
    span.ran(name, device().target().label(), used, 0);
  }

  private void runOnSeveral(int used, String name, List<Step> steps, Work work) {
    requireUninterrupted(name);
    AtomicInteger next = new AtomicInteger();
    try {
      launcher.run(
          (worker, shape) -> {
            int i = next.getAndIncrement();
            while (i < steps.size()) {
              work.run(worker, steps.get(i));
              i = next.getAndIncrement();
            }
          },
          LaunchShape.ofThreads(used));
    } catch (LaunchException e) {
      if (e.getCause() instanceof RuntimeException cause
          && !(cause instanceof LaunchException)
          && e.getClass() == LaunchException.class) {
        // Not with the launch's exception in it, whose cause it is: that would be a circle.
        throw cause;
      }
      throw e;
    }
  }

  /** Else it would depend on whether others, or a device, have ended before they are waited for. */
  private void requireUninterrupted(String name) {
    if (Thread.currentThread().isInterrupted()) {
      throw new LaunchCancelledException(name, device(), null);
    }
  }
}
