package dev.gyre.atomics;

import java.io.Serial;

/**
 * Thrown if a memory, a structure or a launcher is used after it was closed.
 *
 * @since 0.1.0
 */
public final class ClosedException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param what name of the closed object, for the message
   */
  public ClosedException(String what) {
    super(what + " was used after it was closed");
  }
}
