package dev.gyre.atomics;

import org.jspecify.annotations.Nullable;

/**
 * Typed view of a {@link Memory} with one scope; kernels access memory through it.
 *
 * <p>On a device a handle is the address of the memory and nothing else. A handle does not own the
 * memory: close the memory, not the handle.
 *
 * @since 0.1.0
 */
public sealed interface Handle
    permits BlockDoubles,
        BlockFloats,
        BlockInts,
        BlockLongs,
        Bytes,
        DeviceDoubles,
        DeviceFloats,
        DeviceInts,
        DeviceLongs,
        SystemDoubles,
        SystemFloats,
        SystemInts,
        SystemLongs,
        ThreadDoubles,
        ThreadFloats,
        ThreadInts,
        ThreadLongs {

  /** Returns the memory, or null if the handle was made from a segment. Only the host calls it. */
  @Nullable Memory memory();
}
