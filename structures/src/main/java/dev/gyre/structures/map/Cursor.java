package dev.gyre.structures.map;

/**
 * Cursor over the entries of a map of numbers, which boxes nothing.
 *
 * <pre>{@code
 * Cursor entries = map.cursor();
 * while (entries.next()) {
 *   sum += entries.key() * entries.value();
 * }
 * }</pre>
 *
 * <p>It is weakly consistent: it may or may not meet keys that are inserted meanwhile. Each value
 * is one that its key had since the cursor was made. Keys and values of a map of ints are in the
 * range of an int. A cursor is for one thread, which may call any method of the map meanwhile.
 *
 * @since 0.1.0
 */
public interface Cursor {

  /** Goes to the next entry; returns false at the end. */
  boolean next();

  /**
   * Returns the key of the present entry.
   *
   * @throws IndexOutOfBoundsException before the first entry, and at the end
   */
  long key();

  /**
   * Returns the value of the present entry.
   *
   * @throws IndexOutOfBoundsException before the first entry, and at the end
   */
  long value();
}
