package dev.gyre.bench.cli;

import dev.gyre.datasets.csv.CsvTable;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Stage;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.sharded.ShardedLongMap;
import java.util.Arrays;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/** Keys that are numbers. */
final class LongJoin extends MapJoin<LongJoin.Numbers> {

  /** Rows with such keys. */
  static final class Numbers extends Batch {

    private final long[] keys;
    private int count;

    Numbers(int most) {
      super(most);
      this.keys = new long[most];
    }

    @Override
    int count() {
      return count;
    }

    @Override
    Object key(int row) {
      return keys[row];
    }

    @Override
    void addKey(CsvTable row) {
      keys[count] = row.number(0);
      count++;
    }

    @Override
    void clear() {
      count = 0;
    }

    private long[] keys() {
      return count == keys.length ? keys : Arrays.copyOf(keys, count);
    }
  }

  private final ShardedLongMap map;
  private final LongLongMap firsts;

  LongJoin(Launcher device, int most) {
    super(most, new Numbers(most), new Numbers(most));
    this.map = ShardedLongMap.of(device, on -> LongLongMap.builder().launcher(on).build());
    this.firsts = LongLongMap.builder().workers(1).capacity(most).build();
  }

  @Override
  InsertCounts insert(Numbers batch, byte[] outcomes) {
    return map.insert(
        Longs.of(batch.keys()), Longs.of(batch.values()), BulkOptions.NONE.outcomes(outcomes));
  }

  @Override
  long[] firstRows(Numbers batch) {
    long[] keys = batch.keys();
    long[] first = new long[keys.length];
    var _ = firsts.insertOrApply(keys, LongStream.range(0, keys.length).toArray(), Apply.MIN);
    var _ = firsts.find(keys, first);
    firsts.clear();
    return first;
  }

  @Override
  void assign(Numbers batch, boolean[] rows) {
    var _ =
        map.insertOrAssign(
            Longs.of(batch.keys()), Longs.of(batch.values()), BulkOptions.NONE.where(rows));
  }

  @Override
  long find(Numbers batch, long[] values, byte[] outcomes) {
    return map.find(Longs.of(batch.keys()), Longs.of(values), BulkOptions.NONE.outcomes(outcomes))
        .found();
  }

  @Override
  Stage<Long> begin(ToLongFunction<Numbers> work, Numbers batch) {
    return map.async(_ -> work.applyAsLong(batch));
  }

  @Override
  long size() {
    return map.size();
  }

  @Override
  public void close() {
    super.close();
    map.close();
    firsts.close();
  }
}
