package dev.gyre.structures.map;

/**
 * Counts of the outcomes of a bulk lookup or removal. Keys that a mask left out are not counted.
 *
 * @param found keys in the map, which a removal has removed: one of several equal keys
 * @param absent keys not in the map
 * @since 0.1.0
 */
public record FindCounts(long found, long absent) {}
