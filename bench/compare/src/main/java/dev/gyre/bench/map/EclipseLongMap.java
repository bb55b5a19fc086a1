package dev.gyre.bench.map;

import org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap;

/** Eclipse Collections' map from long to long, for one thread. */
final class EclipseLongMap implements RivalMap<long[]> {
  private final MapRival.Setup setup;
  private LongLongHashMap map = new LongLongHashMap();

  EclipseLongMap(MapRival.Setup setup) {
    this.setup = setup;
  }

  @Override
  public void empty() {
    drop();
    map = new LongLongHashMap(setup.capacity());
  }

  @Override
  public void drop() {
    map = new LongLongHashMap();
  }

  @Override
  public long insert(long[] keys, long[] values) {
    long before = map.size();
    for (int i = 0; i < keys.length; i++) {
      long _ = map.getIfAbsentPut(keys[i], values[i]);
    }
    return map.size() - before;
  }

  @Override
  public long find(long[] keys, long[] found) {
    long count = 0;
    for (int i = 0; i < keys.length; i++) {
      found[i] = map.get(keys[i]);
      count += found[i] == 0 ? 0 : 1;
    }
    return count;
  }

  @Override
  public long add(long[] keys, long[] values) {
    long before = map.size();
    for (int i = 0; i < keys.length; i++) {
      long _ = map.addToValue(keys[i], values[i]);
    }
    return map.size() - before;
  }

  @Override
  public long sum() {
    Sum all = new Sum();
    map.forEachKeyValue((key, value) -> all.add(value));
    return all.total;
  }

  @Override
  public void close() {}
}
