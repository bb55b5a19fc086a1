package dev.gyre.atomics;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the process or a device has less memory than an allocation needs.
 *
 * <p>If the process has reached its limit, the message says how much is in use. The user can then
 * close structures that are no longer used, or set {@code -Dgyre.memory.limit}.
 *
 * @since 0.1.0
 */
public final class MemoryExhaustedException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  private final long bytes;

  /**
   * Creates the exception.
   *
   * @param bytes bytes that the allocation needs
   */
  public MemoryExhaustedException(String message, long bytes, @Nullable Throwable cause) {
    super(message, cause);
    this.bytes = bytes;
  }

  /** Returns the number of bytes that the allocation needs. */
  public long bytes() {
    return bytes;
  }
}
