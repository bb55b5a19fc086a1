package dev.gyre.structures.map;

/** How the slots of a map lie in memory. All layouts do the same; they differ in size and speed. */
public enum Layout {
  /**
   * Three arrays, states, keys and values, as in the talk: 12 bytes per slot for ints, 20 for
   * longs. Those of sets have no values: 8 bytes, and 12.
   */
  REFERENCE,
  /**
   * State, key and value side by side: 16 bytes per slot for ints, 32 for longs. With ints, key and
   * value each have the state in their word.
   */
  LINE,
  /**
   * One word, published at once. Of maps it holds key and value, 8 bytes per slot, for ints only;
   * of sets the key alone, 4 bytes per slot for ints, 8 for longs.
   */
  PACKED
}
