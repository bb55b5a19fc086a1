package dev.gyre.kernels.map;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Handle;

/**
 * Range of keys of a batch, as the host passes them to a table.
 *
 * @param keys ints or longs at device scope; for texts, their {@linkplain TextLayout places}
 * @param values ints or longs at device scope, as in {@link Batch}
 * @param outcomes as in {@link Batch}
 * @param counters counters of outcomes
 * @since 0.1.0
 */
public record BatchRange(
    Handle keys, Handle values, Bytes outcomes, DeviceLongs counters, long from, long to) {}
