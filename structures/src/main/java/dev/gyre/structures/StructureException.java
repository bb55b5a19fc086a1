package dev.gyre.structures;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/** An operation on a structure could not be done; the message names structure and operation. */
public final class StructureException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  public StructureException(String message) {
    super(message);
  }

  public StructureException(String message, Throwable cause) {
    super(message, cause);
  }
}
