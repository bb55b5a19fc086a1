package dev.gyre.progress;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/** An operation waits for other threads, and the device does not guarantee that these go on. */
public final class ProgressUnavailableException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  public ProgressUnavailableException(String message) {
    super(message);
  }
}
