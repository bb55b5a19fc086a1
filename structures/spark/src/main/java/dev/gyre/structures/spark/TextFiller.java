package dev.gyre.structures.spark;

import dev.gyre.kernels.Launcher;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Combines the values of text keys with a map. */
final class TextFiller extends Filler {

  /** Bytes per key: its slots, and the scratch memory of a bulk operation. */
  private static final long BYTES_PER_KEY = 128;

  /**
   * Smallest number of keys of a batch: it needs memory for places and unused capacity besides its
   * text.
   */
  private static final int LEAST_BATCH = 1 << 8;

  private static final int MOST_BATCH = 1 << 14;
  private static final int MOST_BATCH_BYTES = 1 << 20;
  private static final long SCRATCH_BYTES = 1L << 20;

  private final Fold fold;
  private final Launcher launcher;
  private final TextKeys keys = new TextKeys();
  private final long[] values;
  private final long batchBytes;
  private TextLongMap map;
  private long textBytes;

  TextFiller(Fold fold, Launcher launcher, long memory, Runnable full) {
    super(memory, full);
    this.fold = fold;
    this.launcher = launcher;
    this.values = new long[batchBytes(memory, 2 * BYTES_PER_KEY, LEAST_BATCH, MOST_BATCH)];
    this.batchBytes = Math.min(MOST_BATCH_BYTES, values.length * BYTES_PER_KEY);
    this.map = TextLongMap.builder().launcher(launcher).build();
  }

  @Override
  void add(Rows row) {
    byte[] key = row.text().getBytes();
    if (keys.count() == values.length || textBytes + key.length > batchBytes) {
      flush();
    }
    // A key may be longer than a batch.
    textBytes += key.length;
    require(most());
    values[keys.count()] = row.value();
    keys.add(key, 0, key.length);
  }

  /** Returns the bytes that the batch can add to the map. */
  private long most() {
    return (keys.count() + 1) * BYTES_PER_KEY + textBytes;
  }

  @Override
  void flush() {
    int count = keys.count();
    if (count > 0) {
      require(most());
      Longs theirs = Longs.of(count == values.length ? values : Arrays.copyOf(values, count));
      Apply apply = fold.apply();
      var _ =
          apply == null
              ? map.insertOrAssign(keys, theirs, BulkOptions.NONE)
              : map.insertOrApply(keys, theirs, apply, BulkOptions.NONE);
      keys.clear();
      textBytes = 0;
    }
  }

  @Override
  long held() {
    return isEmpty() ? 0 : map.byteSize();
  }

  @Override
  long overheadBytes() {
    return SCRATCH_BYTES + 2 * (textBytes + batchBytes);
  }

  @Override
  boolean isEmpty() {
    return map.size() == 0;
  }

  @Override
  void drain(Entries to) {
    List<Map.Entry<byte[], Long>> entries = new ArrayList<>(Math.toIntExact(map.size()));
    map.forEachBytes((key, value) -> entries.add(Map.entry(key, value)));
    map.close();
    map = TextLongMap.builder().launcher(launcher).build();
    entries.sort((a, b) -> Arrays.compareUnsigned(a.getKey(), b.getKey()));
    entries.forEach(e -> to.add(e.getKey(), e.getKey().length, e.getValue()));
  }

  @Override
  public void close() {
    try (TextLongMap _ = map) {
      keys.close();
    }
  }
}
