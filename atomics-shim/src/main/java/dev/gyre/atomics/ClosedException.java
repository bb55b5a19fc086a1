package dev.gyre.atomics;

import java.io.Serial;

/** An owner of memory, or a structure, was used after it was closed. */
public final class ClosedException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  public ClosedException(String what) {
    super(what + " was used after it was closed");
  }
}
