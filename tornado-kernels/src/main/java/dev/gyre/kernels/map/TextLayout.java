package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Unsigned;

/**
 * Memory layout of text keys and their slots. Device functions.
 *
 * <p>A key is a sequence of 64-bit words, the first byte lowest, the last word filled up with
 * zeros. An empty key is a word of 0. The keys of a batch are in one array of words. An array of
 * <em>places</em> has the first word of each key, above 31 bits for its length in bytes.
 *
 * <p>A slot has {@value #SLOT_LONGS} longs:
 *
 * <table>
 *   <caption>A slot</caption>
 *   <tr><th>bytes</th><th>what</th></tr>
 *   <tr><td>0 to 3</td><td>state</td></tr>
 *   <tr><td>4 to 7</td><td>length of the key, in bytes</td></tr>
 *   <tr><td>8 to 15</td><td>the first word of the key</td></tr>
 *   <tr><td>16 to 23</td><td>mark: the lowest 24 bits of the hash, above 40 bits for the start of the key in the arena, in words</td></tr>
 *   <tr><td>24 to 31</td><td>value</td></tr>
 * </table>
 *
 * <p>A key of up to {@value #INLINE_BYTES} bytes is completely in its slot, and not in the arena. A
 * longer key is completely in the arena.
 *
 * @since 0.1.0
 */
public final class TextLayout {

  /** Number of longs of a slot. */
  public static final int SLOT_LONGS = 4;

  /** Largest key that fits in a slot, in bytes. */
  public static final int INLINE_BYTES = Long.BYTES;

  /** Largest number of words of an arena. */
  public static final long MAX_ARENA_WORDS = 1L << 40;

  private static final int LENGTH_BITS = 31;
  private static final int ARENA_BITS = 40;

  private TextLayout() {}

  /**
   * Returns the number of words of a key, without a branch, so that it may be the bound of a loop.
   */
  public static int words(int length) {
    return ((Math.max(length, 1) - 1) >> 3) + 1;
  }

  /** Returns the number of words of a key in the arena. */
  public static int arenaWords(int length) {
    return length > INLINE_BYTES ? words(length) : 0;
  }

  /** Returns the place of a key in a batch. */
  public static long place(long start, int length) {
    return (start << LENGTH_BITS) | length;
  }

  /** Returns the first word of a place. */
  public static long start(long place) {
    return place >> LENGTH_BITS;
  }

  /** Returns the length of a place, in bytes. */
  public static int length(long place) {
    return (int) (place & Integer.MAX_VALUE);
  }

  /** Returns the index of a slot's state, in ints. */
  public static long stateAt(long slot) {
    return slot << 3;
  }

  /** Returns the index of the long with state and length of a slot. */
  public static long headAt(long slot) {
    return slot << 2;
  }

  /** Returns the index of the length of a slot's key, in ints. */
  public static long lengthAt(long slot) {
    return (slot << 3) + 1;
  }

  /** Returns the index of the long with the first word of a slot's key. */
  public static long firstAt(long slot) {
    return (slot << 2) + 1;
  }

  /** Returns a mark: part of the hash, and the start of the key in the arena. */
  public static long mark(long hash, long arenaWord) {
    return (hash << ARENA_BITS) | arenaWord;
  }

  /** Returns the index of the long with the mark of a slot. */
  public static long markAt(long slot) {
    return (slot << 2) + 2;
  }

  /** Returns the start of the key of a mark in the arena. */
  public static long arenaWord(long mark) {
    return mark & (MAX_ARENA_WORDS - 1);
  }

  /** Returns whether a mark has the part of a hash. */
  public static boolean hasHash(long mark, long hash) {
    return ((mark ^ (hash << ARENA_BITS)) & -MAX_ARENA_WORDS) == 0;
  }

  /** Returns the index of the long with the value of a slot. */
  public static long valueAt(long slot) {
    return (slot << 2) + 3;
  }

  /** Returns the key of a FILLED slot. */
  public static Text key(DeviceInts states, DeviceLongs table, DeviceLongs arena, long slot) {
    long word = arenaWord(table.get(markAt(slot)));
    return new Text(
        new Text.InMemory(arena, word), table.get(firstAt(slot)), states.get(lengthAt(slot)));
  }

  /** Returns the home slot of a hash. */
  public static long home(long hash, long slots) {
    return Unsigned.multiplyHigh(hash, slots);
  }
}
