package dev.gyre.structures;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/**
 * Thrown if an operation on a structure is not possible or has failed. The message names the
 * structure and the operation.
 *
 * @since 0.1.0
 */
public final class StructureException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  public StructureException(String message) {
    super(message);
  }

  public StructureException(String message, Throwable cause) {
    super(message, cause);
  }
}
