package dev.gyre.kernels;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/**
 * A kernel has a {@link Ref} that was handed out for another launch, and was refused before
 * anything ran: the structure may have grown, moved or been closed since.
 */
public final class StaleRefException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  private final String kernel;
  private final String component;

  StaleRefException(String kernel, String component) {
    super(
        "kernel %s, component %s is a ref that was not handed out for this launch; launch with the structure's launch(ref -> kernel, shape), and give the kernel the ref that comes with it"
            .formatted(kernel, component));
    this.kernel = kernel;
    this.component = component;
  }

  /** Name of the kernel. */
  public String kernel() {
    return kernel;
  }

  /** The path to the ref, such as {@code counts.table}. */
  public String component() {
    return component;
  }
}
