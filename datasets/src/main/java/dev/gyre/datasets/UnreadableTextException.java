package dev.gyre.datasets;

import java.io.IOException;
import java.io.Serial;

/** Bytes that cannot be read as text. */
final class UnreadableTextException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  private final String reason;

  UnreadableTextException(String reason) {
    super(reason);
    this.reason = reason;
  }

  /** All that is to be said of it, besides its name. */
  String reason() {
    return reason;
  }
}
