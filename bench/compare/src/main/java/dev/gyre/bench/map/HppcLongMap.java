package dev.gyre.bench.map;

import com.carrotsearch.hppc.LongLongHashMap;
import com.carrotsearch.hppc.procedures.LongLongProcedure;

/** HPPC's map from long to long, for one thread. */
final class HppcLongMap implements RivalMap<long[]> {
  private final MapRival.Setup setup;
  private LongLongHashMap map = new LongLongHashMap();

  HppcLongMap(MapRival.Setup setup) {
    this.setup = setup;
  }

  @Override
  public void empty() {
    drop();
    map = new LongLongHashMap(setup.capacity(), setup.loadFactor());
  }

  @Override
  public void drop() {
    map = new LongLongHashMap();
  }

  @Override
  public long insert(long[] keys, long[] values) {
    long before = map.size();
    for (int i = 0; i < keys.length; i++) {
      boolean _ = map.putIfAbsent(keys[i], values[i]);
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
      long _ = map.addTo(keys[i], values[i]);
    }
    return map.size() - before;
  }

  @Override
  public long sum() {
    Sum all = new Sum();
    map.forEach((LongLongProcedure) (key, value) -> all.add(value));
    return all.total;
  }

  @Override
  public void close() {}
}
