package dev.gyre.kernels.map;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.OwnCode;

/** Kernels over batches of texts; as {@link NumberCode}, which explains why there are two. */
public interface TextCode extends TextInserts {

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

  /**
   * By the probe loops of this package.
   *
   * @param rule how keys are hashed and compared
   */
  record OfSlots(
      DeviceInts states,
      DeviceLongs table,
      long slots,
      long seed,
      TextRule rule,
      DeviceLongs arena,
      long arenaWords,
      DeviceLongs bump)
      implements TextCode {

    public OfSlots(
        DeviceInts states,
        DeviceLongs table,
        long slots,
        long seed,
        TextRule rule,
        DeviceLongs arena,
        DeviceLongs bump) {
      this(states, table, slots, seed, rule, arena, arena.length(), bump);
    }

    /** The same in code that other layouts do not run, for threads of the JVM. */
    public TextCode own() {
      return OwnCode.apart(TextCode.class, this, Slots.class);
    }

    /** Inserts that fold values by a user's function, as devices compile them. */
    public TextInserts folding(Fold fold) {
      return new TextInserts.Folding(this, fold);
    }

    /**
     * The same in code of its own, for threads of the JVM.
     *
     * @throws dev.gyre.kernels.KernelException if the function is no record as kernels are made of
     */
    public TextInserts ownFolding(Fold fold) {
      return OwnCode.of(TextInserts.class, new TextInserts.Folding(this, fold));
    }

    TextSlots over(DeviceLongs words, long ahead) {
      return new TextSlots(states, table, slots, seed, rule, arena, arenaWords, bump, ahead, words);
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
      Batch batch = new Batch(Numbers.of(places), Numbers.of(values), outcomes);
      return new Find(over(words, 0), batch, counters, from, to, options, pollLimit);
    }
  }
}
