package dev.gyre.kernels;

import java.util.Objects;

/**
 * Kernel of a {@linkplain Launcher#runChain chain}, and its shape.
 *
 * @param kernel the kernel
 * @param shape its device threads, {@linkplain LaunchMode#STRIDED strided}
 * @since 0.1.0
 */
public record ChainLink(Kernel kernel, LaunchShape shape) {

  /** Requires that neither is null. */
  public ChainLink {
    Objects.requireNonNull(kernel, "kernel");
    Objects.requireNonNull(shape, "shape");
  }
}
