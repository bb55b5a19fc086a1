package dev.gyre.bench.map;

import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.MapBuilder;

/** Ours, from long to long. */
final class GyreLongMap implements SingleKeys<long[]> {

  private final Layout layout;
  private final MapRival.Setup setup;
  private LongLongMap map;

  GyreLongMap(Layout layout, MapRival.Setup setup) {
    this.layout = layout;
    this.setup = setup;
    this.map = builder().capacity(setup.capacity()).loadFactor(setup.loadFactor()).build();
  }

  private MapBuilder<LongLongMap> builder() {
    return LongLongMap.builder().layout(layout).workers(setup.threads()).seed(1);
  }

  @Override
  public void renew() {
    map.close();
    map = builder().build();
  }

  @Override
  public void empty() {
    map.clear();
  }

  @Override
  public long insert(long[] keys, long[] values) {
    return map.insert(keys, values).inserted();
  }

  @Override
  public long find(long[] keys, long[] found) {
    return map.find(keys, found).found();
  }

  @Override
  public long add(long[] keys, long[] values) {
    return map.insertOrApply(keys, values, Apply.ADD).inserted();
  }

  @Override
  public long insertEach(long[] keys, long[] values, int from, int to) {
    long inserted = 0;
    for (int i = from; i < to; i++) {
      inserted += map.putIfAbsent(keys[i], values[i]).isPresent() ? 0 : 1;
    }
    return inserted;
  }

  @Override
  public long findEach(long[] keys, long[] found, int from, int to) {
    long count = 0;
    for (int i = from; i < to; i++) {
      found[i] = map.getOrDefault(keys[i], 0);
      count += found[i] == 0 ? 0 : 1;
    }
    return count;
  }

  @Override
  public long addEach(long[] keys, long[] values, int from, int to) {
    for (int i = from; i < to; i++) {
      var _ = map.merge(keys[i], values[i], Apply.ADD);
    }
    return 0;
  }

  @Override
  public long sum() {
    Sum all = new Sum();
    map.forEach((key, value) -> all.add(value));
    return all.total;
  }

  @Override
  public long bytesOutside() {
    return map.byteSize();
  }

  /** The table is outside the heap and stays: it weighs on nobody's garbage collection. */
  @Override
  public void drop() {}

  @Override
  public void close() {
    map.close();
  }
}
