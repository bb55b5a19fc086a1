package dev.gyre.progress;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/**
 * Thrown if an operation would wait for other threads on a device that does not guarantee their
 * progress.
 *
 * @since 0.1.0
 */
public final class ProgressUnavailableException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  public ProgressUnavailableException(String message) {
    super(message);
  }
}
