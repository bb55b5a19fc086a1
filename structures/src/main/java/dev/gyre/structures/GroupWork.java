package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.GroupLaunchException;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Stage;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Runs work for all parts of a launcher group at the same time, on a thread for each. For the
 * packages of this module.
 */
@Internal
public final class GroupWork {

  private GroupWork() {}

  /**
   * Runs work for each part and waits for all, even if some fail. An interrupt of the calling
   * thread interrupts the working threads, and its status is kept.
   *
   * @param work takes the index of a part
   * @throws dev.gyre.kernels.GroupLaunchException if a launch failed; it names the part
   * @throws LaunchCancelledException if the thread is interrupted
   * @throws RuntimeException otherwise the first exception, in which the others are suppressed
   */
  public static void run(String name, Launcher group, IntConsumer work) {
    if (Thread.currentThread().isInterrupted()) {
      // Otherwise the result would depend on whether all parts end before the wait.
      throw new LaunchCancelledException(name, group.device(), null);
    }
    List<Stage<Boolean>> all =
        IntStream.range(0, group.parts().size()).mapToObj(i -> begin(group, i, work)).toList();
    try {
      List<Boolean> _ = whenAll(all).join();
    } catch (CancellationException e) {
      throw new LaunchCancelledException(name, group.device(), e);
    }
  }

  private static Stage<Boolean> begin(Launcher group, int part, IntConsumer work) {
    return Stage.schedule(group.parts().get(part))
        .then(
            _ -> {
              try {
                work.accept(part);
                return true;
              } catch (RuntimeException e) {
                throw GroupLaunchException.of(e, group, part);
              }
            });
  }

  @SuppressWarnings("unchecked")
  private static Stage<List<Boolean>> whenAll(List<Stage<Boolean>> all) {
    return Stage.whenAll(all.toArray(Stage[]::new));
  }
}
