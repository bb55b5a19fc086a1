package dev.gyre.structures.map;

/**
 * How the slots of a map lie in memory. All layouts do the same; they differ in size and speed.
 *
 * <p>Sets of numbers have one layout, whichever the builder is told: keys alone, 4 bytes per slot
 * for ints and 8 for longs.
 */
public enum Layout {
  /**
   * Three arrays, states, keys and values, as in the talk: 12 bytes per slot for ints, 20 for
   * longs.
   */
  REFERENCE,
  /** State, key and value side by side, 32 bytes per slot; for longs only. */
  LINE,
  /** Key and value in one word of 8 bytes, published at once; for ints only. */
  PACKED
}
