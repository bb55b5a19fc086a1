package dev.gyre.atomics;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Parent of the exceptions that Gyre throws for reasons of its own. */
public class GyreException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  public GyreException(String message) {
    super(message);
  }

  public GyreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
