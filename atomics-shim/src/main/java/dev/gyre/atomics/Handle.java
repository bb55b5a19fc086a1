package dev.gyre.atomics;

import org.jspecify.annotations.Nullable;

/**
 * Access to the elements of a memory, of one type and at one scope: what a kernel knows of memory.
 *
 * <p>On a device a handle is the memory's address and nothing else.
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

  /** The memory that this gives access to, or null where there is only a segment; for the host. */
  @Nullable Memory memory();
}
