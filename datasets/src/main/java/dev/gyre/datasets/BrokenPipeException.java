package dev.gyre.datasets;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/** What is written into a pipe reaches nobody: its reader has ended, and needs no more. */
public final class BrokenPipeException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  BrokenPipeException(String message, Throwable cause) {
    super(message, cause);
  }
}
