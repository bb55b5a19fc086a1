package dev.gyre.kernels.map;

/**
 * Hash that a user sets for a map or set: a {@link Hash} or a {@link TextHash}.
 *
 * @since 0.1.0
 */
public interface KeyHash {}
