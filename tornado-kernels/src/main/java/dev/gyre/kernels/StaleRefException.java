package dev.gyre.kernels;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/**
 * Thrown before a launch if a kernel has a {@link Ref} of another launch: the structure may have
 * grown, moved or been closed since.
 *
 * @since 0.1.0
 */
public final class StaleRefException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  StaleRefException(String kernel, String component) {
    super(
        "kernel %s, component %s is a ref that was not handed out for this launch; launch with the structure's launch(ref -> kernel, shape), and give the kernel the ref that comes with it"
            .formatted(kernel, component));
  }
}
