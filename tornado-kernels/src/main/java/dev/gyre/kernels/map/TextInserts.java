package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;

/**
 * Bulk inserts into a table of texts.
 *
 * @since 0.1.0
 */
public interface TextInserts {

  /**
   * Returns an {@link Insert}.
   *
   * @param words words with the text of the keys
   * @param policy as in {@link NumberInserts#insert}
   * @param ahead smallest number of words that a thread takes from the arena at once
   */
  Kernel insert(
      DeviceLongs words, BatchRange keys, int policy, int options, long ahead, long pollLimit);

  /** Inserts with a user's function. */
  record Folding(TextSlots slots, Change.Folding change) implements TextInserts {

    @Override
    public Kernel insert(
        DeviceLongs words, BatchRange keys, int policy, int options, long ahead, long pollLimit) {
      return new Insert(slots.with(words, ahead), keys, change, options, pollLimit);
    }
  }
}
