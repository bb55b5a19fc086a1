package dev.gyre.structures.launch;

import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.KernelTree;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Lease;
import dev.gyre.kernels.Target;
import dev.gyre.structures.Leaving;
import dev.gyre.structures.StructureException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A launch that holds structures. It holds them in the order of their numbers, as all launches do,
 * so that launches that want the same structures wait for each other, and never in a circle.
 */
final class HeldLaunch {

  private final List<Held<?>> inOrder;
  private final Launcher launcher;
  private final Supplier<? extends Kernel> maker;
  private final LaunchShape shape;

  /** What is known of the kernel that was launched last. */
  private Held.Ran ran = Held.Ran.NOT;

  /**
   * A launch that was not begun.
   *
   * @param maker makes the kernel, once all structures have their refs
   * @throws IllegalArgumentException if a structure is there twice
   * @throws StructureException if structures belong to several launchers, or to a group
   */
  HeldLaunch(List<Held<?>> all, Supplier<? extends Kernel> maker, LaunchShape shape) {
    this.inOrder = all.stream().sorted(Comparator.comparingLong(Held::order)).toList();
    this.launcher = commonLauncher(all);
    this.maker = maker;
    this.shape = Objects.requireNonNull(shape, "shape");
    for (int i = 1; i < inOrder.size(); i++) {
      if (inOrder.get(i).order() == inOrder.get(i - 1).order()) {
        throw new IllegalArgumentException(
            "%s is given to one launch twice; a kernel may use one ref in several places"
                .formatted(inOrder.get(i).name()));
      }
    }
  }

  private static Launcher commonLauncher(List<Held<?>> all) {
    Held<?> first = all.getFirst();
    Launcher common = first.launcher();
    if (common.parts().size() > 1) {
      throw new StructureException(
          "%s belongs to a group of launchers, and a kernel runs on one device: copyTo makes a copy"
                  .formatted(first.name())
              + " on one of the group's parts()");
    }
    for (Held<?> held : all) {
      if (!held.launcher().equals(common)) {
        throw new StructureException(
            "%s and %s belong to two launchers, and a kernel runs on one: build both with one"
                    .formatted(first.name(), held.name())
                + " launcher, or make a copy by copyTo");
      }
    }
    return common;
  }

  /** Launches once. */
  void once() {
    launch();
  }

  /** Launches until no key is without room. */
  void untilDone() {
    boolean again = true;
    for (long launches = 1; again; launches++) {
      launch();
      again = false;
      for (Held<?> held : inOrder) {
        again |= held.makeRoom(launches);
      }
    }
  }

  private void launch() {
    ran = Held.Ran.NOT;
    enterFrom(0, new HashSet<>());
  }

  /** Enters the structures from one on, launches, and leaves them, whatever happens. */
  private void enterFrom(int index, Set<Long> leases) {
    if (index == inOrder.size()) {
      run(leases);
      return;
    }
    Held<?> held = inOrder.get(index);
    long lease = Lease.next();
    held.begin(lease);
    leases.add(lease);
    try (Leaving _ = () -> held.leave(ran)) {
      enterFrom(index + 1, leases);
    }
  }

  private void run(Set<Long> leases) {
    Kernel kernel = Objects.requireNonNull(maker.get(), "kernel");
    // On the JVM, too: what is no record may hide a ref.
    KernelTree _ = KernelTree.of(kernel);
    Launch launch = Lease.start(leases, () -> launcher.start(kernel, shape, LaunchMode.STRIDED));
    // Where a launch of the JVM has failed, its threads have ended, too.
    boolean onJvm = launcher.device().target() == Target.JVM;
    ran = onJvm ? Held.Ran.ENDED : Held.Ran.UNKNOWN;
    try {
      launch.join();
      ran = Held.Ran.ENDED;
    } catch (LaunchCancelledException e) {
      // On a device it did not begin.
      ran = onJvm ? Held.Ran.ENDED : Held.Ran.NOT;
      throw e;
    }
  }
}
