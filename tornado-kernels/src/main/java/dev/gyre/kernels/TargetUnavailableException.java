package dev.gyre.kernels;

import dev.gyre.atomics.GyreException;

/** A target cannot be used here; the message says why. */
public final class TargetUnavailableException extends GyreException {

  private static final long serialVersionUID = 1L;

  TargetUnavailableException(String message) {
    super(message);
  }
}
