package dev.gyre.kernels;

import java.util.Objects;

/**
 * A kernel of a {@linkplain Launcher#runChain chain}, and its shape.
 *
 * @param kernel what runs
 * @param shape on which threads, {@linkplain LaunchMode#STRIDED strided}
 */
public record ChainLink(Kernel kernel, LaunchShape shape) {

  /** Neither is null. */
  public ChainLink {
    Objects.requireNonNull(kernel, "kernel");
    Objects.requireNonNull(shape, "shape");
  }
}
