package dev.gyre.structures.trie.select;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Launcher;

/**
 * The nodes of a trie, which a device has made; they stay where they are.
 *
 * @param capacity number of nodes that there is room for
 * @param bump how many were taken
 */
public record DeviceNodes(
    Launcher launcher,
    DeviceInts edges,
    DeviceLongs counts,
    int nodeShift,
    long capacity,
    DeviceLongs bump) {}
