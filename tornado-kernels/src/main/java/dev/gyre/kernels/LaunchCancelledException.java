package dev.gyre.kernels;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A launch was cancelled before all its device threads had run. */
public final class LaunchCancelledException extends LaunchException {
  @Serial private static final long serialVersionUID = 1L;

  public LaunchCancelledException(String kernel, Device device, @Nullable Throwable cause) {
    super(kernel, device, "cancelled", cause);
  }
}
