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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A launch that holds structures. It holds them in the order of their numbers, as all launches do,
 * first where they are and then as they are: so launches that want the same structures wait for
 * each other, and never in a circle.
 */
final class HeldLaunch {

  private final List<Held<?>> inOrder;
  private final Held<?> first;

  /** Whether the caller says where to launch. */
  private final boolean named;

  private final Supplier<? extends Kernel> maker;
  private final LaunchShape shape;

  private Launcher launcher;

  /** What is known of the kernel that was launched last. */
  private Held.Ran ran = Held.Ran.NOT;

  /**
   * A launch that was not begun.
   *
   * @param launcher where to launch; that of the first structure if null
   * @param maker makes the kernel, once all structures have their refs
   * @throws IllegalArgumentException if a structure is there twice
   */
  HeldLaunch(
      List<Held<?>> all,
      @Nullable Launcher launcher,
      Supplier<? extends Kernel> maker,
      LaunchShape shape) {
    this.inOrder = all.stream().sorted(Comparator.comparingLong(Held::order)).toList();
    this.first = all.getFirst();
    this.named = launcher != null;
    this.launcher = launcher == null ? first.launcher() : launcher;
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

  /** Launches once. */
  void once() {
    staying(this::launch);
  }

  /** Launches until no key is without room. */
  void untilDone() {
    staying(
        () -> {
          boolean again = true;
          for (long launches = 1; again; launches++) {
            launch();
            again = false;
            for (Held<?> held : inOrder) {
              again |= held.makeRoom(launches);
            }
          }
        });
  }

  private void staying(Runnable action) {
    List<Held<?>> staying = new ArrayList<>();
    try {
      while (!stay(staying)) {
        letGo(staying);
        launcher = first.launcher();
      }
      action.run();
    } finally {
      letGo(staying);
    }
  }

  /**
   * Has all structures stay with the launcher, those before the first one too.
   *
   * @return whether they do; if not, the first one, which says with which, was moved meanwhile
   */
  private boolean stay(List<Held<?>> staying) {
    if (launcher.parts().size() > 1) {
      throw new StructureException(
          "%s is with a group of launchers, and a kernel runs on one device: move it to one of the"
                  .formatted(first.name())
              + " group's parts() by runOn, or name one for the launch");
    }
    boolean stays = true;
    for (int i = 0; i < inOrder.size() && stays; i++) {
      Held<?> held = inOrder.get(i);
      if (named || !held.equals(first)) {
        held.stayOn(launcher);
      } else {
        stays = held.stayIfOn(launcher);
      }
      if (stays) {
        staying.add(held);
      }
    }
    return stays;
  }

  private static void letGo(List<Held<?>> staying) {
    staying.reversed().forEach(Held::letGo);
    staying.clear();
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
