package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;

/** Kernels over batches of texts; as {@link NumberCode}, which explains why there are two. */
public interface TextCode extends TextInserts {

  /** {@link Find}. */
  Kernel find(DeviceLongs words, Portion keys, int options, long pollLimit);
}
