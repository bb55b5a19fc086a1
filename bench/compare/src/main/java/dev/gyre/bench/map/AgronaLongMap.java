package dev.gyre.bench.map;

import org.agrona.collections.Long2LongHashMap;

/** Agrona's map from long to long, for one thread. */
final class AgronaLongMap implements RivalMap<long[]> {

  /** Stands for an absent key; no value is 0. */
  private static final int ABSENT = 0;

  private final MapRival.Setup setup;
  private Long2LongHashMap map = new Long2LongHashMap(ABSENT);

  AgronaLongMap(MapRival.Setup setup) {
    this.setup = setup;
  }

  @Override
  public void empty() {
    drop();
    map =
        new Long2LongHashMap(
            (int) (setup.capacity() / setup.loadFactor()), (float) setup.loadFactor(), ABSENT);
  }

  @Override
  public void drop() {
    map = new Long2LongHashMap(ABSENT);
  }

  @Override
  public long insert(long[] keys, long[] values) {
    long before = map.size();
    for (int i = 0; i < keys.length; i++) {
      long _ = map.putIfAbsent(keys[i], values[i]);
    }
    return map.size() - before;
  }

  @Override
  public long find(long[] keys, long[] found) {
    long count = 0;
    for (int i = 0; i < keys.length; i++) {
      found[i] = map.get(keys[i]);
      count += found[i] == ABSENT ? 0 : 1;
    }
    return count;
  }

  @Override
  public long add(long[] keys, long[] values) {
    long before = map.size();
    for (int i = 0; i < keys.length; i++) {
      long _ = map.merge(keys[i], values[i], Long::sum);
    }
    return map.size() - before;
  }

  @Override
  public long sum() {
    Sum all = new Sum();
    map.forEachLong((key, value) -> all.add(value));
    return all.total;
  }

  @Override
  public void close() {}
}
