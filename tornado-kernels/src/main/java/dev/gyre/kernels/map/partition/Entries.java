package dev.gyre.kernels.map.partition;

import dev.gyre.atomics.Bytes;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.Options;

/** Keys with their values, to be ordered by partition. */
public interface Entries {

  /** Returns whether an entry is included. */
  boolean takes(long i);

  long key(long i);

  long value(long i);

  /**
   * The included keys of a batch.
   *
   * @param from index of the first
   */
  record Given(Numbers keys, Numbers values, Bytes outcomes, Options options, long from)
      implements Entries {
    @Override
    public boolean takes(long i) {
      return Batch.takes(outcomes, from + i, options.sum());
    }

    @Override
    public long key(long i) {
      return keys.get(from + i);
    }

    @Override
    public long value(long i) {
      return values.get(from + i);
    }
  }
}
