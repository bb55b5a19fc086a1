package dev.gyre.datasets;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/**
 * Thrown if an input that a user named cannot be used. The message is one line with its name and
 * the reason.
 *
 * @since 0.1.0
 */
public class BadInputException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  private final String input;
  private final String reason;

  public BadInputException(String input, String reason) {
    super(input + ": " + reason);
    this.input = input;
    this.reason = reason;
  }

  public BadInputException(String input, String reason, Throwable cause) {
    super(input + ": " + reason, cause);
    this.input = input;
    this.reason = reason;
  }

  /** Returns the file, folder or other input, as the user named it if known. */
  public String input() {
    return input;
  }

  /** Returns the reason. */
  public String reason() {
    return reason;
  }
}
