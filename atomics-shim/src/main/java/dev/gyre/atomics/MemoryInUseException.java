package dev.gyre.atomics;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Memory was to be freed that a device, or a thread of the host, may still touch. It is kept, and
 * counts as held; once it is left alone, closing it again frees it.
 */
public final class MemoryInUseException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  public MemoryInUseException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
