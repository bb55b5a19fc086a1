package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Unsigned;

/**
 * How text keys and their slots lie in memory; device functions.
 *
 * <p>A key is a row of 64-bit words, the first byte lowest, the last word filled up with zeros; an
 * empty key is a word of 0. In a batch, keys are in one array of words, and where each is in an
 * array of <em>places</em>: the first word, above 31 bits for the length in bytes.
 *
 * <p>A slot has {@value #SLOT_LONGS} longs:
 *
 * <table>
 *   <caption>A slot</caption>
 *   <tr><th>bytes</th><th>what</th></tr>
 *   <tr><td>0 to 3</td><td>state</td></tr>
 *   <tr><td>4 to 7</td><td>length of the key, in bytes</td></tr>
 *   <tr><td>8 to 15</td><td>the first word of the key</td></tr>
 *   <tr><td>16 to 23</td><td>the lowest 24 bits of the hash, above 40 bits for where the key begins
 *       in the arena, in words</td></tr>
 *   <tr><td>24 to 31</td><td>value</td></tr>
 * </table>
 *
 * <p>A key of up to {@value #INLINE_BYTES} bytes is wholly in its slot, and takes no room in the
 * arena; a longer one is there from its first word on.
 */
public final class TextLayout {

  /** Longs in a slot. */
  public static final int SLOT_LONGS = 4;

  /** Bytes of a key that the slot itself holds. */
  public static final int INLINE_BYTES = Long.BYTES;

  /** Most words that an arena can have. */
  public static final long MAX_ARENA_WORDS = 1L << 40;

  private static final int LENGTH_BITS = 31;
  private static final int ARENA_BITS = 40;

  private TextLayout() {}

  /** Number of words of a key; without a branch, so that it may be a loop's bound. */
  public static int words(int length) {
    return (Math.max(length, 1) + 7) >> 3;
  }

  /** Number of words that a key takes in the arena. */
  public static int room(int length) {
    return length > INLINE_BYTES ? words(length) : 0;
  }

  /** The place of a key in a batch. */
  public static long place(long start, int length) {
    return (start << LENGTH_BITS) | length;
  }

  /** The first word of a place. */
  public static long start(long place) {
    return place >> LENGTH_BITS;
  }

  /** The length of a place, in bytes. */
  public static int length(long place) {
    return (int) (place & Integer.MAX_VALUE);
  }

  /** Element of the states, as ints, that is the state of a slot. */
  public static long stateAt(long slot) {
    return slot << 3;
  }

  /** Long of the table that is both the state and the length of a slot. */
  public static long headAt(long slot) {
    return slot << 2;
  }

  /** Element of the states, as ints, that is the length of a slot's key. */
  public static long lengthAt(long slot) {
    return (slot << 3) + 1;
  }

  /** Long of the table that is the first word of a slot's key. */
  public static long firstAt(long slot) {
    return (slot << 2) + 1;
  }

  /** Long of the table that says where a slot's key is, with a part of its hash. */
  public static long mark(long hash, long arenaWord) {
    return (hash << ARENA_BITS) | arenaWord;
  }

  /** The mark of a key that was moved to another place in the arena. */
  public static long movedMark(long mark, long arenaWord) {
    return (mark & -MAX_ARENA_WORDS) | arenaWord;
  }

  /** Long of the table that is the mark of a slot. */
  public static long markAt(long slot) {
    return (slot << 2) + 2;
  }

  /** Where in the arena the key of a mark begins. */
  public static long arenaWord(long mark) {
    return mark & (MAX_ARENA_WORDS - 1);
  }

  /** Whether a mark has the part of a hash. */
  public static boolean hasHash(long mark, long hash) {
    return ((mark ^ (hash << ARENA_BITS)) & -MAX_ARENA_WORDS) == 0;
  }

  /** Long of the table that is the value of a slot. */
  public static long valueAt(long slot) {
    return (slot << 2) + 3;
  }

  /** The key of a slot that is FILLED. */
  public static Text key(DeviceInts states, DeviceLongs table, DeviceLongs arena, long slot) {
    long word = arenaWord(table.get(markAt(slot)));
    return new Text(
        new Text.InMemory(arena, word), table.get(firstAt(slot)), states.get(lengthAt(slot)));
  }

  /** The slot where the search for a hash begins. */
  public static long home(long hash, long slots) {
    return Unsigned.multiplyHigh(hash, slots);
  }
}
