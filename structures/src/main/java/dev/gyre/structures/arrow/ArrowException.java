package dev.gyre.structures.arrow;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/**
 * Thrown if Arrow data cannot be imported or exported: the format of a column is not supported, or
 * a struct is malformed, null, or was released before. The message names the column and its format,
 * and says what to do.
 *
 * @since 0.1.0
 */
public final class ArrowException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  @SuppressWarnings("AnnotateFormatMethod") // Its module has no such annotation.
  ArrowException(String format, Object... values) {
    super(format.formatted(values));
  }
}
