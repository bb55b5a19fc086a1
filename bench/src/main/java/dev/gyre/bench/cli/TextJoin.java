package dev.gyre.bench.cli;

import dev.gyre.datasets.csv.CsvTable;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Stage;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.sharded.ShardedTextMap;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/** Keys that are texts. */
final class TextJoin extends MapJoin<TextJoin.Texts> {

  /** Rows with such keys. */
  static final class Texts extends Batch {

    private final TextKeys keys = new TextKeys();

    Texts(int most) {
      super(most);
    }

    @Override
    int count() {
      return keys.count();
    }

    @Override
    Object key(int row) {
      return keys.text(row);
    }

    @Override
    void addKey(CsvTable row) {
      try {
        var _ = keys.add(row.text(0));
      } catch (IllegalArgumentException e) {
        throw row.bad(String.valueOf(e.getMessage()));
      }
    }

    @Override
    void clear() {
      keys.clear();
    }

    @Override
    public void close() {
      keys.close();
    }
  }

  private final ShardedTextMap map;
  private final TextLongMap firsts;

  TextJoin(Launcher device, int most) {
    super(most, new Texts(most), new Texts(most));
    this.map = ShardedTextMap.of(device, on -> TextLongMap.builder().launcher(on).build());
    this.firsts = TextLongMap.builder().workers(1).capacity(most).build();
  }

  @Override
  InsertCounts insert(Texts batch, byte[] outcomes) {
    return map.insert(batch.keys, Longs.of(batch.values()), BulkOptions.NONE.outcomes(outcomes));
  }

  @Override
  long[] firstRows(Texts batch) {
    long[] first = new long[batch.count()];
    Longs rows = Longs.of(LongStream.range(0, first.length).toArray());
    var _ = firsts.insertOrApply(batch.keys, rows, Apply.MIN, BulkOptions.NONE);
    var _ = firsts.find(batch.keys, Longs.of(first), BulkOptions.NONE);
    firsts.clear();
    return first;
  }

  @Override
  void assign(Texts batch, boolean[] rows) {
    var _ = map.insertOrAssign(batch.keys, Longs.of(batch.values()), BulkOptions.NONE.where(rows));
  }

  @Override
  long find(Texts batch, long[] values, byte[] outcomes) {
    return map.find(batch.keys, Longs.of(values), BulkOptions.NONE.outcomes(outcomes)).found();
  }

  @Override
  Stage<Long> begin(ToLongFunction<Texts> work, Texts batch) {
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
