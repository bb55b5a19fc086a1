package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/**
 * Thrown if a device does not support an operation of the shim at its order and scope; no weaker
 * operation is used.
 */
public final class UnsupportedByDeviceException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  private final String operation;

  public UnsupportedByDeviceException(Object operation, String device, String why) {
    super("%s is not possible on %s: %s".formatted(operation, device, why));
    this.operation = operation.toString();
  }

  /** Returns the operation, such as {@code SystemInts.loadAcquire}. */
  public String operation() {
    return operation;
  }
}
