package dev.gyre.kernels;

/**
 * Device that kernels can run on.
 *
 * @param target how kernels are compiled for it
 * @param name name that its maker gives it
 * @param units number of compute units: cores of the JVM, multiprocessors of a GPU
 * @since 0.1.0
 */
public record Device(Target target, String name, int units) {}
