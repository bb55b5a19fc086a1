package dev.gyre.kernels;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.GyreException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a launch was cancelled before all its device threads had run.
 *
 * @since 0.1.0
 */
public final class LaunchCancelledException extends LaunchException {
  @Serial private static final long serialVersionUID = 1L;

  public LaunchCancelledException(String kernel, Device device, @Nullable Throwable cause) {
    super(kernel, device, "cancelled", cause);
  }

  /**
   * Returns the exception that {@link Launch#join} throws for a cancelled launch: a {@link
   * ClosedException} if the launcher was closed, otherwise a LaunchCancelledException.
   *
   * @param reason why it was cancelled
   */
  public static GyreException of(String kernel, Device device, @Nullable Throwable reason) {
    LaunchCancelledException cancelled = new LaunchCancelledException(kernel, device, reason);
    if (!(reason instanceof ClosedException)) {
      return cancelled;
    }
    ClosedException closed = new ClosedException("launcher for " + device.name());
    closed.addSuppressed(cancelled);
    return closed;
  }
}
