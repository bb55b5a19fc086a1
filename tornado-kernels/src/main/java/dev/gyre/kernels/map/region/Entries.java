package dev.gyre.kernels.map.region;

import dev.gyre.atomics.Bytes;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.Options;

/** Keys with their values, to be put in order. */
public interface Entries {

  /** Whether an entry is taken. */
  boolean takes(long i);

  long key(long i);

  long value(long i);

  /**
   * Those of a batch that its options do not leave out.
   *
   * @param from the first
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
