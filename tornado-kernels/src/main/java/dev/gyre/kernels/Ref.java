package dev.gyre.kernels;

/**
 * A record by which a kernel works on a structure that lives longer than the launch, such as a map.
 * Who owns the structure hands a ref out for one launch, and sees to it that the structure stays as
 * it is until that has ended; see {@link Lease}.
 *
 * <p>A launcher refuses a kernel with a ref, wherever in it that is, unless the ref was handed out
 * for this very launch: {@link StaleRefException}.
 */
public interface Ref {

  /** The {@linkplain Lease#next number} of the lease by which this was handed out. */
  long lease();
}
