package dev.gyre.kernels.map;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/**
 * A search passed all slots of a table and found neither its key nor an EMPTY slot, of which every
 * table has some: what wrote to the table broke its rules.
 */
public final class DamagedTableException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  public DamagedTableException() {
    super(
        "a table has no EMPTY slot left, so that a search in it has no end: the table is damaged");
  }
}
