package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.QUIESCENT;
import static dev.gyre.kernels.map.MapCodes.REMOVED;
import static dev.gyre.kernels.map.MapCodes.SEARCHING;

/**
 * Slots of one word each, which one compare-and-exchange claims, fills and publishes: there is no
 * RESERVED, and no thread waits. A word of 0 is EMPTY.
 *
 * @since 0.1.0
 */
public interface WordSlots extends NumberTable {

  /** Returns a word by a plain read: one that no thread changes, or a hint. */
  long plain(long slot);

  @Override
  default long peek(long slot) {
    // plain: a hint, possibly from a cache of the device; see the layouts. A removed key changes
    // its word, and a hint could be repeated for ever.
    return isRemovable() ? load(slot) : plain(slot);
  }

  @Override
  default long await(long slot, long seen, long pollLimit) {
    return seen;
  }

  /** The claim has filled the slot. */
  @Override
  default void fill(long slot, long key, long hash, Numbers values, long i, long text) {}

  @Override
  default boolean isOccupied(long seen) {
    return seen != EMPTY;
  }

  /** Returns the word of a REMOVED slot. */
  long removedWord();

  /**
   * Returns the word that a removed key leaves in its slot: EMPTY in a side slot, which no search
   * for another key passes.
   */
  default long leftBy(long slot) {
    return slot < slots() ? removedWord() : EMPTY;
  }

  /** Replaces an expected word; returns the word that was there. */
  long replace(long slot, long expected, long word);

  @Override
  default int remove(long slot, long seen, long pollLimit) {
    return replace(slot, seen, leftBy(slot)) == seen ? FOUND : SEARCHING;
  }

  @Override
  default boolean waits() {
    return false;
  }

  @Override
  default long observe(long slot, int options, long pollLimit) {
    return (options & QUIESCENT) != 0 ? plain(slot) : load(slot);
  }

  @Override
  default long quiet(long slot) {
    return load(slot);
  }

  @Override
  default int stateOf(long seen) {
    int filled = seen == EMPTY ? EMPTY : FILLED;
    // Added, because device compilers may mistranslate two branches.
    int more = 0;
    if (isRemovable()) {
      more = seen == removedWord() ? REMOVED - FILLED : 0;
    }
    return filled + more;
  }

  @Override
  default void fillSeqCst(long slot, long key, long hash, long value, long text) {}
}
