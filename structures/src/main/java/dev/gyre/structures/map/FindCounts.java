package dev.gyre.structures.map;

/** How many keys of a bulk lookup were in the map, and how many were not. */
public record FindCounts(long found, long absent) {}
