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
import dev.gyre.structures.Releasable;
import dev.gyre.structures.StructureException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A launch that pins structures. All launches pin them in the order of their numbers, so that two
 * launches with the same structures cannot deadlock.
 */
final class PinnedLaunch {

  private final List<StructurePin<?>> inOrder;
  private final Launcher launcher;
  private final Supplier<? extends Kernel> maker;
  private final LaunchShape shape;

  /** State of the last kernel. */
  private StructurePin.LaunchEnd ran = StructurePin.LaunchEnd.NOT;

  /**
   * Prepares a launch.
   *
   * @param maker makes the kernel when all structures have their refs
   * @throws IllegalArgumentException if a structure is listed twice
   * @throws StructureException if the structures belong to several launchers, or to a group
   */
  PinnedLaunch(List<StructurePin<?>> all, Supplier<? extends Kernel> maker, LaunchShape shape) {
    this.inOrder = all.stream().sorted(Comparator.comparingLong(pin -> pin.order)).toList();
    this.launcher = commonLauncher(all);
    this.maker = maker;
    this.shape = Objects.requireNonNull(shape, "shape");
    for (int i = 1; i < inOrder.size(); i++) {
      if (inOrder.get(i).order == inOrder.get(i - 1).order) {
        throw new IllegalArgumentException(
            "%s is given to one launch twice; a kernel may use one ref in several places"
                .formatted(inOrder.get(i).name));
      }
    }
  }

  private static Launcher commonLauncher(List<StructurePin<?>> all) {
    StructurePin<?> first = all.getFirst();
    Launcher common = first.launcher;
    if (common.parts().size() > 1) {
      throw new StructureException(
          "%s belongs to a group of launchers, and a kernel runs on one device: copyTo makes a copy"
                  .formatted(first.name)
              + " on one of the group's parts()");
    }
    for (StructurePin<?> held : all) {
      if (!held.launcher.equals(common)) {
        throw new StructureException(
            "%s and %s belong to two launchers, and a kernel runs on one: build both with one"
                    .formatted(first.name, held.name)
                + " launcher, or make a copy by copyTo");
      }
    }
    return common;
  }

  /** Launches once. */
  void once() {
    ran = StructurePin.LaunchEnd.NOT;
    enterFrom(0, new HashSet<>());
  }

  /** Launches until no key is FULL. */
  void untilDone() {
    boolean again = true;
    for (long launches = 1; again; launches++) {
      once();
      again = false;
      for (StructurePin<?> held : inOrder) {
        again |= held.makeCapacity(launches);
      }
    }
  }

  /** Enters the structures from an index on, launches, and leaves them in any case. */
  private void enterFrom(int index, Set<Long> leases) {
    if (index == inOrder.size()) {
      run(leases);
      return;
    }
    StructurePin<?> held = inOrder.get(index);
    long lease = Lease.next();
    leases.add(lease);
    Releasable leave = () -> held.leave(ran);
    // Without an allocation in between, which would leave the structure pinned if it failed.
    held.begin(lease);
    try (leave) {
      enterFrom(index + 1, leases);
    }
  }

  private void run(Set<Long> leases) {
    Kernel kernel = Objects.requireNonNull(maker.get(), "kernel");
    // Also on the JVM: anything but a record may hide a ref.
    KernelTree _ = KernelTree.of(kernel);
    Launch launch = Lease.start(leases, () -> launcher.start(kernel, shape, LaunchMode.STRIDED));
    // If a launch on the JVM failed, its threads have ended.
    boolean onJvm = launcher.device().target() == Target.JVM;
    ran = onJvm ? StructurePin.LaunchEnd.ENDED : StructurePin.LaunchEnd.UNKNOWN;
    try {
      launch.join();
      ran = StructurePin.LaunchEnd.ENDED;
    } catch (LaunchCancelledException e) {
      // On a device it did not begin.
      ran = onJvm ? StructurePin.LaunchEnd.ENDED : StructurePin.LaunchEnd.NOT;
      throw e;
    }
  }
}
