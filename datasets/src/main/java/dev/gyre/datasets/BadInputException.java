package dev.gyre.datasets;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/**
 * An input that a user named cannot be used; the message is one line that names it and says why.
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

  /** The file, folder or other input, as the user named it where that is known. */
  public String input() {
    return input;
  }

  /** What is wrong with it. */
  public String reason() {
    return reason;
  }
}
