package dev.gyre.kernels.map;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Handle;

/**
 * Keys of a batch from one (inclusive) to another (exclusive), as the host hands them to a table.
 *
 * @param keys ints or longs at device scope; of texts, the {@linkplain TextLayout places} where
 *     they are
 * @param values ints or longs at device scope, as in {@link Batch}
 * @param outcomes as there
 * @param counters what has become of the keys is added to them
 */
public record Portion(
    Handle keys, Handle values, Bytes outcomes, DeviceLongs counters, long from, long to) {}
