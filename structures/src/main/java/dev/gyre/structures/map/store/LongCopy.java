package dev.gyre.structures.map.store;

import dev.gyre.kernels.map.Change;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.LongLongConsumer;
import dev.gyre.structures.map.Longs;

/** Entries on their way to the stores of another map, many at a time. */
final class LongCopy implements LongLongConsumer {

  private static final int MOST = 1 << 18;

  private final Shards others;
  private final long[] keys = new long[MOST];
  private final long[] values = new long[MOST];
  private int count;

  LongCopy(Shards others) {
    this.others = others;
  }

  @Override
  public void accept(long key, long value) {
    if (count == MOST) {
      flush();
    }
    keys[count] = key;
    values[count++] = value;
  }

  /** Sends what is left. */
  void flush() {
    var _ =
        LongSplit.insert(
            others,
            Longs.of(keys).part(0, count),
            Longs.of(values).part(0, count),
            Change.Policy.KEEP,
            null,
            BulkOptions.NONE);
    count = 0;
  }
}
