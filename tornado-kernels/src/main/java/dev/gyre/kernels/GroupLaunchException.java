package dev.gyre.kernels;

import dev.gyre.atomics.Internal;
import java.io.Serial;

/**
 * Thrown if a launch failed on one launcher of a {@link LauncherGroup}; the message names the
 * launcher.
 *
 * @since 0.1.0
 */
public final class GroupLaunchException extends LaunchException {
  @Serial private static final long serialVersionUID = 1L;

  private final int part;

  private GroupLaunchException(LaunchException failure, Launcher group, int part) {
    super(
        failure.kernel(),
        group.parts().get(part).device(),
        "part %d of a group from 0 to %d failed: %s"
            .formatted(part, group.parts().size() - 1, failure.failure()),
        failure);
    this.part = part;
  }

  /**
   * Returns the failure with its part, or the failure itself if it is a cancellation or not of a
   * launch.
   */
  @Internal
  public static RuntimeException of(RuntimeException failure, Launcher group, int part) {
    boolean names =
        failure instanceof LaunchException
            && !(failure instanceof LaunchCancelledException)
            && !(failure instanceof GroupLaunchException);
    return names ? new GroupLaunchException((LaunchException) failure, group, part) : failure;
  }

  /** Returns the index of the launcher in {@link Launcher#parts}. */
  public int part() {
    return part;
  }
}
