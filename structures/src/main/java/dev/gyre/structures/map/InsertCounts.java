package dev.gyre.structures.map;

/**
 * How many keys of a bulk insert had each outcome. Keys that a mask left out are in none.
 *
 * @param inserted keys that are new in the map
 * @param present keys that were there before, or came before in the same operation
 * @param full keys that are not in the map, because its fixed capacity is used up
 */
public record InsertCounts(long inserted, long present, long full) {}
