package dev.gyre.structures.map.store;

import dev.gyre.kernels.map.Change;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;

/** {@link LongCopy} of keys that are texts. */
final class TextCopy implements AutoCloseable {

  private static final int MOST = 1 << 16;

  private final Shards others;
  private final TextKeys keys = new TextKeys();
  private final long[] values = new long[MOST];

  TextCopy(Shards others) {
    this.others = others;
  }

  void add(byte[] key, long value) {
    if (keys.count() == MOST) {
      flush();
    }
    values[keys.count()] = value;
    var _ = keys.add(key, 0, key.length);
  }

  /** Sends what is left. */
  void flush() {
    Longs some = Longs.of(values).part(0, keys.count());
    var _ = TextSplit.insert(others, keys, some, Change.Policy.KEEP, null, BulkOptions.NONE);
    keys.clear();
  }

  @Override
  public void close() {
    keys.close();
  }
}
