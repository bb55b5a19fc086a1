package dev.gyre.bench.cli;

import dev.gyre.datasets.csv.CsvTable;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.Longs;
import java.util.Arrays;

/**
 * Keys that are numbers.
 *
 * <p>Bulk inserts leave open which of equal keys in a batch comes first. So a small map finds the
 * first row of each key in the batch, by the minimum, and only those rows are inserted.
 */
final class LongJoin implements MapJoin {

  private final LongLongMap map;
  private final LongLongMap firsts;
  private final long[] keys;
  private final long[] rows;
  private int count;

  LongJoin(Launcher device, int batch) {
    this.map = LongLongMap.builder().launcher(device).build();
    this.firsts = LongLongMap.builder().workers(1).capacity(batch).build();
    this.keys = new long[batch];
    this.rows = new long[batch];
    Arrays.setAll(rows, i -> i);
  }

  @Override
  public void add(CsvTable row) {
    keys[count++] = row.number(0);
  }

  @Override
  public int pending() {
    return count;
  }

  @Override
  public void insertFirsts(long[] values) {
    long[] batch = Arrays.copyOf(keys, count);
    long[] first = new long[count];
    var _ = firsts.insertOrApply(batch, Arrays.copyOf(rows, count), Apply.MIN);
    var _ = firsts.find(batch, first);
    boolean[] mask = new boolean[count];
    for (int i = 0; i < count; i++) {
      mask[i] = first[i] == i;
    }
    var _ = map.insertIf(batch, Arrays.copyOf(values, count), mask);
    firsts.clear();
    forget();
  }

  @Override
  public long find(long[] values, byte[] outcomes) {
    byte[] codes = new byte[count];
    long[] found = new long[count];
    long hits =
        map.find(
                Longs.of(Arrays.copyOf(keys, count)),
                Longs.of(found),
                BulkOptions.NONE.outcomes(codes))
            .found();
    System.arraycopy(found, 0, values, 0, count);
    System.arraycopy(codes, 0, outcomes, 0, count);
    return hits;
  }

  @Override
  public Object key(int index) {
    return keys[index];
  }

  @Override
  public void forget() {
    count = 0;
  }

  @Override
  public long size() {
    return map.size();
  }

  @Override
  public void close() {
    map.close();
    firsts.close();
  }
}
