package dev.gyre.kernels;

import java.io.Serial;

/** A launch failed on one launcher of a {@link LauncherGroup}; the message names that one. */
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

  /** A failure of one part; itself if it is none of a launch, or was a cancellation. */
  public static RuntimeException of(RuntimeException failure, Launcher group, int part) {
    boolean names =
        failure instanceof LaunchException
            && !(failure instanceof LaunchCancelledException)
            && !(failure instanceof GroupLaunchException);
    return names ? new GroupLaunchException((LaunchException) failure, group, part) : failure;
  }

  /** Which one, as a position in {@link Launcher#parts}. */
  public int part() {
    return part;
  }
}
