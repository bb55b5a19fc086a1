package dev.gyre.kernels;

import dev.gyre.atomics.GyreException;

/**
 * Thrown if a target cannot be used on this machine; the message says why.
 *
 * @since 0.1.0
 */
public final class TargetUnavailableException extends GyreException {

  private static final long serialVersionUID = 1L;

  TargetUnavailableException(String message) {
    super(message);
  }
}
