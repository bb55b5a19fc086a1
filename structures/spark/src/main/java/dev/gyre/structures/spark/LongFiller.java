package dev.gyre.structures.spark;

import dev.gyre.kernels.Launcher;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.LongLongMap;
import java.util.Arrays;

/** Combines the values of long keys with a map. */
final class LongFiller extends Filler {

  /** Bytes per key: its slots, and the scratch memory of a bulk operation. */
  private static final long BYTES_PER_KEY = 128;

  private static final int LEAST_BATCH = 1 << 8;
  private static final int MOST_BATCH = 1 << 16;
  private static final long SCRATCH_BYTES = 1L << 20;

  private final Fold fold;
  private final Launcher launcher;
  private final long[] keys;
  private final long[] values;
  private LongLongMap map;
  private int filled;

  LongFiller(Fold fold, Launcher launcher, long memory, Runnable full) {
    super(memory, full);
    this.fold = fold;
    this.launcher = launcher;
    this.keys = new long[batchBytes(memory, BYTES_PER_KEY, LEAST_BATCH, MOST_BATCH)];
    this.values = new long[keys.length];
    this.map = LongLongMap.builder().launcher(launcher).build();
  }

  @Override
  void add(Rows row) {
    if (filled == keys.length) {
      flush();
    }
    keys[filled] = row.number();
    values[filled] = row.value();
    filled++;
  }

  @Override
  void flush() {
    if (filled > 0) {
      require(filled * BYTES_PER_KEY);
      long[] some = filled == keys.length ? keys : Arrays.copyOf(keys, filled);
      long[] theirs = filled == keys.length ? values : Arrays.copyOf(values, filled);
      Apply apply = fold.apply();
      var _ =
          apply == null ? map.insertOrAssign(some, theirs) : map.insertOrApply(some, theirs, apply);
      filled = 0;
    }
  }

  @Override
  long held() {
    return isEmpty() ? 0 : map.byteSize();
  }

  @Override
  long overheadBytes() {
    return SCRATCH_BYTES;
  }

  @Override
  boolean isEmpty() {
    return map.size() == 0;
  }

  @Override
  void drain(Entries to) {
    int size = Math.toIntExact(map.size());
    long[] all = new long[size];
    long[] theirs = new long[size];
    long _ = map.retrieveAll(all, theirs);
    Arrays.sort(all);
    var _ = map.find(all, theirs);
    byte[] key = new byte[Long.BYTES];
    for (int i = 0; i < size; i++) {
      LongKeys.toBytes(all[i], key);
      to.add(key, key.length, theirs[i]);
    }
    map.close();
    map = LongLongMap.builder().launcher(launcher).build();
  }

  @Override
  public void close() {
    map.close();
  }
}
