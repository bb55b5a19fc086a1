package dev.gyre.structures.map;

/**
 * Counts of the outcomes of a bulk insert. Keys that a mask left out are not counted.
 *
 * @param inserted keys that are new in the map
 * @param present keys that were in the map before, or came earlier in the same operation
 * @param full keys that did not fit in a map of fixed capacity
 * @since 0.1.0
 */
public record InsertCounts(long inserted, long present, long full) {}
