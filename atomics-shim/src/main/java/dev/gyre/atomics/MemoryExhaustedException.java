package dev.gyre.atomics;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** An allocation asked for more memory than the process, or a device, can give. */
public final class MemoryExhaustedException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  private final long bytes;

  public MemoryExhaustedException(String message, long bytes, @Nullable Throwable cause) {
    super(message, cause);
    this.bytes = bytes;
  }

  /** How much was asked for, in bytes. */
  public long bytes() {
    return bytes;
  }
}
