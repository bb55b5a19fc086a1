package dev.gyre.datasets;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/**
 * Thrown if the reader of a pipe has ended, so that nothing can be written to it.
 *
 * @since 0.1.0
 */
public final class BrokenPipeException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  BrokenPipeException(String message, Throwable cause) {
    super(message, cause);
  }
}
