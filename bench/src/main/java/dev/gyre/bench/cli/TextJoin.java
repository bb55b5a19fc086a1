package dev.gyre.bench.cli;

import dev.gyre.datasets.csv.CsvTable;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;
import java.util.Arrays;

/** Keys that are texts; otherwise as {@link LongJoin}. */
final class TextJoin implements MapJoin {

  private final TextLongMap map;
  private final TextLongMap firsts;
  private final TextKeys keys = new TextKeys();
  private final long[] rows;

  TextJoin(Launcher device, int batch) {
    this.map = TextLongMap.builder().launcher(device).build();
    this.firsts = TextLongMap.builder().workers(1).capacity(batch).build();
    this.rows = new long[batch];
    Arrays.setAll(rows, i -> i);
  }

  @Override
  public void add(CsvTable row) {
    try {
      keys.add(row.text(0));
    } catch (IllegalArgumentException e) {
      throw row.bad(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public int pending() {
    return keys.count();
  }

  @Override
  public void insertFirsts(long[] values) {
    int count = keys.count();
    long[] first = new long[count];
    Longs numbers = Longs.of(Arrays.copyOf(rows, count));
    var _ = firsts.insertOrApply(keys, numbers, Apply.MIN, BulkOptions.NONE);
    var _ = firsts.find(keys, Longs.of(first), BulkOptions.NONE);
    boolean[] mask = new boolean[count];
    for (int i = 0; i < count; i++) {
      mask[i] = first[i] == i;
    }
    var _ = map.insert(keys, Longs.of(Arrays.copyOf(values, count)), BulkOptions.NONE.where(mask));
    firsts.clear();
    forget();
  }

  @Override
  public long find(long[] values, byte[] outcomes) {
    int count = keys.count();
    byte[] codes = new byte[count];
    long[] found = new long[count];
    long hits = map.find(keys, Longs.of(found), BulkOptions.NONE.outcomes(codes)).found();
    System.arraycopy(found, 0, values, 0, count);
    System.arraycopy(codes, 0, outcomes, 0, count);
    return hits;
  }

  @Override
  public Object key(int index) {
    return keys.text(index);
  }

  @Override
  public void forget() {
    keys.clear();
  }

  @Override
  public long size() {
    return map.size();
  }

  @Override
  public void close() {
    map.close();
    firsts.close();
    keys.close();
  }
}
