package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;

/** Bulk inserts into a table of texts. */
public interface TextInserts {

  /**
   * {@link Insert}.
   *
   * @param words where the text of the keys is
   * @param policy as in {@link NumberInserts#insert}
   * @param ahead words that a thread takes from the arena at once, at least
   */
  Kernel insert(
      DeviceLongs words, Portion keys, int policy, int options, long ahead, long pollLimit);

  /** With a user's function. */
  record Folding(TextSlots slots, Change.Folding change) implements TextInserts {

    public Folding(TextSlots slots, Fold fold) {
      this(slots, new Change.Folding(fold));
    }

    @Override
    public Kernel insert(
        DeviceLongs words, Portion keys, int policy, int options, long ahead, long pollLimit) {
      return new Insert(
          slots.with(words, ahead),
          Batch.of(keys),
          keys.counters(),
          keys.from(),
          keys.to(),
          change,
          options,
          pollLimit);
    }
  }
}
