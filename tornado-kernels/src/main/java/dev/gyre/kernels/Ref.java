package dev.gyre.kernels;

/**
 * Record that gives a kernel access to a structure, such as a map, for one launch.
 *
 * <p>The structure creates a ref for a launch and stays pinned until that launch has ended; see
 * {@link Lease}. A launcher refuses a kernel with a ref of another launch, at any depth, with a
 * {@link StaleRefException}.
 *
 * @since 0.1.0
 */
public interface Ref {

  /** Returns the {@linkplain Lease#next number} of its lease. */
  long lease();
}
