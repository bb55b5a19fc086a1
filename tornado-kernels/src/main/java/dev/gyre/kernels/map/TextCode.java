package dev.gyre.kernels.map;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.OwnCode;

/** Kernels over batches of texts; as {@link NumberCode}, which explains why there are two. */
public interface TextCode {

  /**
   * {@link Insert}.
   *
   * @param words where the text of the keys is
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

  /** {@link Find}. */
  Kernel find(
      DeviceLongs words,
      DeviceLongs places,
      DeviceLongs values,
      Bytes outcomes,
      DeviceLongs counters,
      long from,
      long to,
      int options,
      long pollLimit);

  /** For a table, as devices compile it. */
  static TextCode of(
      DeviceInts states,
      DeviceLongs table,
      long slots,
      long seed,
      DeviceLongs arena,
      DeviceLongs bump) {
    return new OfSlots(
        states,
        table,
        slots,
        seed,
        TextHash.multiplier(seed),
        TextHash.endMultiplier(seed),
        arena,
        arena.length(),
        bump);
  }

  /** The same in code that other layouts do not run, for threads of the JVM. */
  static TextCode ownOf(
      DeviceInts states,
      DeviceLongs table,
      long slots,
      long seed,
      DeviceLongs arena,
      DeviceLongs bump) {
    TextCode shared = of(states, table, slots, seed, arena, bump);
    return OwnCode.apart(TextCode.class, shared, Slots.class);
  }

  /** By the probe loops of this package. */
  record OfSlots(
      DeviceInts states,
      DeviceLongs table,
      long slots,
      long seed,
      long multiplier,
      long endMultiplier,
      DeviceLongs arena,
      long arenaWords,
      DeviceLongs bump)
      implements TextCode {

    private TextSlots over(DeviceLongs words, long ahead) {
      return new TextSlots(
          states,
          table,
          slots,
          seed,
          multiplier,
          endMultiplier,
          arena,
          arenaWords,
          bump,
          ahead,
          words);
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
      Batch batch = new Batch(new Numbers.Longs(places), new Numbers.Longs(values), outcomes);
      return new Insert(over(words, ahead), batch, counters, from, to, policy, options, pollLimit);
    }

    @Override
    public Kernel find(
        DeviceLongs words,
        DeviceLongs places,
        DeviceLongs values,
        Bytes outcomes,
        DeviceLongs counters,
        long from,
        long to,
        int options,
        long pollLimit) {
      Batch batch = new Batch(new Numbers.Longs(places), new Numbers.Longs(values), outcomes);
      return new Find(over(words, 0), batch, counters, from, to, options, pollLimit);
    }
  }
}
