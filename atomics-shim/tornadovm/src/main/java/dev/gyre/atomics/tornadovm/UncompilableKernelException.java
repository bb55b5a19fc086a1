package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/** A kernel does what no device can; the message says what, and in which method. */
public final class UncompilableKernelException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  private final String place;

  public UncompilableKernelException(String place, String problem) {
    super(place + " " + problem);
    this.place = place;
  }

  /** The method, with the line where that is known. */
  public String place() {
    return place;
  }
}
