package dev.gyre.kernels.map;

/**
 * {@link Fold} of floats or doubles, with the same rules. For floats, the result is rounded to
 * float.
 *
 * @since 0.1.0
 */
public interface RealFold {
  double apply(double present, double given);
}
