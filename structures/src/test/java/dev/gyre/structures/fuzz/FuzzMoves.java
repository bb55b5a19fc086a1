package dev.gyre.structures.fuzz;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherGroup;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a structure may be copied: to threads, to the device, or to a group of all of them. */
final class FuzzMoves implements AutoCloseable {

  /**
   * A place to copy to.
   *
   * @param device the device's launcher, if it is that; null elsewhere
   */
  record Place(Launcher launcher, boolean isGroup, @Nullable Launcher device) {}

  private final @Nullable Launcher device;
  private final List<Launcher> threads =
      List.of(JvmLauncher.ofWorkers(2), JvmLauncher.ofWorkers(1));

  FuzzMoves(FuzzSetting setting) {
    this.device = setting.launcher();
  }

  Place choose(long choice) {
    List<Launcher> all = new ArrayList<>(threads);
    if (device != null) {
      all.add(device);
    }
    int to = (int) Long.remainderUnsigned(choice, all.size() + 1);
    // A group of all is closed by nobody but its parts.
    Launcher place = to < all.size() ? all.get(to) : LauncherGroup.of(all);
    return new Place(place, to == all.size(), to == threads.size() ? device : null);
  }

  /** The device, where there is one, or threads. */
  Place alone(long choice) {
    Launcher threadsOnly = threads.get((int) Math.floorMod(choice, (long) threads.size()));
    return device != null && (choice & 2) == 0
        ? new Place(device, false, device)
        : new Place(threadsOnly, false, null);
  }

  @Override
  public void close() {
    threads.forEach(Launcher::close);
  }
}
