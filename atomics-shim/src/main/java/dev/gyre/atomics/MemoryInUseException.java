package dev.gyre.atomics;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by close if a device or a thread of the host may still access the memory.
 *
 * <p>The memory is not freed and still counts towards the limit. Once no device and no thread
 * accesses it, call close again.
 *
 * @since 0.1.0
 */
public final class MemoryInUseException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  /** Creates the exception with a cause, or null. */
  public MemoryInUseException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
