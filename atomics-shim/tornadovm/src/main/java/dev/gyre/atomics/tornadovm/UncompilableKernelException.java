package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/** Thrown if a kernel does what no device supports. The message says what, and in which method. */
public final class UncompilableKernelException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  private final String place;

  public UncompilableKernelException(String place, String problem) {
    super(place + " " + problem);
    this.place = place;
  }

  /** Returns the method, with the line if known. */
  public String place() {
    return place;
  }
}
