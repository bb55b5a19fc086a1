package dev.gyre.structures.map;

/**
 * Counts of the outcomes of a bulk lookup. Keys that a mask left out are not counted.
 *
 * @param found keys in the map
 * @param absent keys not in the map
 */
public record FindCounts(long found, long absent) {}
