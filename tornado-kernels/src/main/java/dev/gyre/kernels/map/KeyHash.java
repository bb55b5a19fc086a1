package dev.gyre.kernels.map;

/** A hash of a user's that a map or set may be given: a {@link Hash} or a {@link TextHash}. */
public interface KeyHash {}
