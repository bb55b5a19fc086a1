package dev.gyre.kernels.map;

import dev.gyre.atomics.Bytes;
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
      DeviceLongs words,
      DeviceLongs places,
      DeviceLongs values,
      Bytes outcomes,
      DeviceLongs counters,
      long from,
      long to,
      int policy,
      int options,
      long ahead,
      long pollLimit);

  /** With a user's function. */
  record Folding(TextCode.OfSlots slots, Change.Folding change) implements TextInserts {

    public Folding(TextCode.OfSlots slots, Fold fold) {
      this(slots, new Change.Folding(fold));
    }

    @Override
    public Kernel insert(
        DeviceLongs words,
        DeviceLongs places,
        DeviceLongs values,
        Bytes outcomes,
        DeviceLongs counters,
        long from,
        long to,
        int policy,
        int options,
        long ahead,
        long pollLimit) {
      Batch batch = new Batch(Numbers.of(places), Numbers.of(values), outcomes);
      return new Insert(
          slots.over(words, ahead), batch, counters, from, to, change, options, pollLimit);
    }
  }
}
