package dev.gyre.kernels.map;

/**
 * A {@link Fold} of floats or doubles, which says what holds for it, too; of floats, the result is
 * rounded to one.
 */
public interface RealFold {
  double apply(double present, double given);
}
