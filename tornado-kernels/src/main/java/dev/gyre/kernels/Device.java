package dev.gyre.kernels;

/**
 * A device that kernels can run on.
 *
 * @param target how kernels are compiled for it
 * @param name what its maker calls it
 * @param units its compute units: cores of the JVM, multiprocessors of a GPU
 */
public record Device(Target target, String name, int units) {}
