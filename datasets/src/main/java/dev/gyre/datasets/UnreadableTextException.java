package dev.gyre.datasets;

import java.io.IOException;
import java.io.Serial;

/** Thrown if bytes cannot be read as text. */
final class UnreadableTextException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  private final String reason;

  UnreadableTextException(String reason) {
    super(reason);
    this.reason = reason;
  }

  /** Returns the reason, without the name of the input. */
  String reason() {
    return reason;
  }
}
