package dev.gyre.structures.map;

/**
 * How the slots of a map lie in memory. Layouts differ in size and speed only.
 *
 * <p>Sets of numbers always store keys alone: 4 bytes per slot for ints and 8 for longs.
 *
 * @since 0.1.0
 */
public enum Layout {
  /**
   * Three arrays for states, keys and values, as in the talk: 12 bytes per slot for ints, 20 for
   * longs, 16 if either keys or values are ints.
   */
  REFERENCE,
  /** State, key and value next to each other, 32 bytes per slot; for longs only. */
  LINE,
  /** Key and value in one word of 8 bytes, which is published as a whole; for ints only. */
  PACKED
}
