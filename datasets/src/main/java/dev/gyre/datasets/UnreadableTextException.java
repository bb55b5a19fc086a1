package dev.gyre.datasets;

import java.io.IOException;
import java.io.Serial;

/** Thrown if bytes cannot be read as text, with the reason and without the name of the input. */
final class UnreadableTextException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  UnreadableTextException(String reason) {
    super(reason);
  }
}
