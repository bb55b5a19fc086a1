package dev.gyre.atomics;

import java.io.Serial;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Superclass of all exceptions that Gyre defines.
 *
 * <p>If an exception ends a bulk operation in the middle, its message and {@link #soFar} say how
 * much of the operation is done:
 *
 * <pre>{@code
 * try {
 *   map.insert(keys, values);
 * } catch (GyreException e) {
 *   InsertCounts done = e.soFar(InsertCounts.class).orElse(null);
 * }
 * }</pre>
 *
 * <p>Invalid arguments throw exceptions of the JDK instead, such as {@link
 * IllegalArgumentException}.
 *
 * @since 0.1.0
 */
public class GyreException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private transient @Nullable Object soFar;
  private @Nullable String inWords;

  /** Creates an exception without a cause. */
  public GyreException(String message) {
    super(message);
  }

  /** Creates an exception with a cause, or null. */
  public GyreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * Returns the result of the failed bulk operation for the part that is known to be done. The rest
   * may or may not be done.
   *
   * @param type type of the result: {@code InsertCounts} for an insert; {@code Long} for an
   *     operation that counts words, in bytes of text or in words
   * @return empty if no such operation had begun, or if this exception was deserialized
   */
  public final <T> Optional<T> soFar(Class<T> type) {
    return type.isInstance(soFar) ? Optional.of(type.cast(soFar)) : Optional.empty();
  }

  /**
   * Sets the result of the part that is known to be done, and its description in the message.
   * Replaces the result of an inner operation. If the heap does not suffice for the description,
   * the message has none: this exception must not be lost.
   *
   * @param format format of the description, as of {@link String#format}
   */
  @Internal
  @SuppressWarnings("AnnotateFormatMethod") // Its module has no such annotation.
  public final void attach(Object known, String format, Object... numbers) {
    soFar = known;
    inWords = null;
    try {
      inWords = format.formatted(numbers);
    } catch (OutOfMemoryError e) {
      // soFar() has the numbers.
    }
  }

  @Override
  public String getMessage() {
    String problem = String.valueOf(super.getMessage());
    return inWords == null ? problem : problem + "; " + inWords;
  }
}
