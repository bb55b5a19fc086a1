package dev.gyre.bench.map;

import org.jctools.maps.NonBlockingHashMapLong;

/** A map from long to a boxed long. */
final class JcToolsMap implements SingleKeys<long[]> {
  private final int capacity;
  private final Team team;
  private NonBlockingHashMapLong<Long> map = new NonBlockingHashMapLong<>();

  JcToolsMap(MapRival.Setup setup) {
    capacity = setup.capacity();
    team = new Team(setup.threads());
  }

  @Override
  public void empty() {
    drop();
    map = new NonBlockingHashMapLong<>(2 * capacity);
  }

  @Override
  public void drop() {
    map = new NonBlockingHashMapLong<>();
  }

  @Override
  public long insert(long[] keys, long[] values) {
    return team.all(keys.length, (from, to) -> insertEach(keys, values, from, to));
  }

  @Override
  public long insertEach(long[] keys, long[] values, int from, int to) {
    long inserted = 0;
    for (int i = from; i < to; i++) {
      inserted += map.putIfAbsent(keys[i], (Long) values[i]) == null ? 1 : 0;
    }
    return inserted;
  }

  @Override
  public long find(long[] keys, long[] found) {
    return team.all(keys.length, (from, to) -> findEach(keys, found, from, to));
  }

  @Override
  public long findEach(long[] keys, long[] found, int from, int to) {
    long count = 0;
    for (int i = from; i < to; i++) {
      Long value = map.get(keys[i]);
      found[i] = value == null ? 0 : value;
      count += value == null ? 0 : 1;
    }
    return count;
  }

  @Override
  public long add(long[] keys, long[] values) {
    return team.all(keys.length, (from, to) -> addEach(keys, values, from, to));
  }

  @Override
  public long addEach(long[] keys, long[] values, int from, int to) {
    long inserted = 0;
    for (int i = from; i < to; i++) {
      inserted += addOne(keys[i], values[i]);
    }
    return inserted;
  }

  /** There is no merge for keys that are not boxed. */
  private int addOne(long key, Long value) {
    Long before = map.putIfAbsent(key, value);
    int inserted = before == null ? 1 : 0;
    while (before != null && !map.replace(key, before, (Long) (before + value))) {
      before = map.get(key);
    }
    return inserted;
  }

  @Override
  public long sum() {
    Sum all = new Sum();
    map.forEach((key, value) -> all.add(value));
    return all.total;
  }

  @Override
  public void close() {
    team.close();
  }
}
