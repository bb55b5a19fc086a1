package dev.gyre.kernels.map;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/**
 * Thrown if a search passed all slots of a table and found neither its key nor an EMPTY slot. Every
 * table has EMPTY slots, so that something wrote to it against its protocol.
 *
 * @since 0.1.0
 */
public final class DamagedTableException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  public DamagedTableException() {
    super(
        "a table has no EMPTY slot left, so that a search in it has no end: the table is damaged");
  }
}
