package dev.gyre.kernels.map;

import dev.gyre.atomics.Internal;

/**
 * Hash that a user sets for a map or set: a {@link Hash} or a {@link TextHash}.
 *
 * @since 0.1.0
 */
@Internal
public interface KeyHash {}
