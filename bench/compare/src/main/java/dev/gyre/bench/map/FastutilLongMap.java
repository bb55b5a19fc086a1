package dev.gyre.bench.map;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;

/** A map from long to long for one thread. */
final class FastutilLongMap implements RivalMap<long[]> {
  private final MapRival.Setup setup;
  private Long2LongOpenHashMap map = new Long2LongOpenHashMap();

  FastutilLongMap(MapRival.Setup setup) {
    this.setup = setup;
  }

  @Override
  public void empty() {
    drop();
    map = new Long2LongOpenHashMap(setup.capacity(), (float) setup.loadFactor());
  }

  @Override
  public void drop() {
    map = new Long2LongOpenHashMap();
  }

  @Override
  public long insert(long[] keys, long[] values) {
    long before = map.size();
    for (int i = 0; i < keys.length; i++) {
      var _ = map.putIfAbsent(keys[i], values[i]);
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
      var _ = map.addTo(keys[i], values[i]);
    }
    return map.size() - before;
  }

  @Override
  public long sum() {
    Sum all = new Sum();
    map.forEach((key, value) -> all.add(value));
    return all.total;
  }

  @Override
  public void close() {}
}
