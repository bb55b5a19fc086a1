package dev.gyre.bench.map;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** A map of the JDK, from long to long, both boxed. */
final class BoxedLongMap implements SingleKeys<long[]> {
  private final int capacity;
  private final Team team;
  private ConcurrentMap<Long, Long> map = new ConcurrentHashMap<>();

  BoxedLongMap(MapRival.Setup setup) {
    capacity = setup.capacity();
    team = new Team(setup.threads());
  }

  @Override
  public void empty() {
    drop();
    map = new ConcurrentHashMap<>(capacity);
  }

  @Override
  public void drop() {
    map = new ConcurrentHashMap<>();
  }

  @Override
  public long insert(long[] keys, long[] values) {
    return team.all(keys.length, (from, to) -> insertEach(keys, values, from, to));
  }

  @Override
  public long insertEach(long[] keys, long[] values, int from, int to) {
    long inserted = 0;
    for (int i = from; i < to; i++) {
      inserted += map.putIfAbsent(keys[i], values[i]) == null ? 1 : 0;
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
    long _ = team.all(keys.length, (from, to) -> addEach(keys, values, from, to));
    return map.size();
  }

  @Override
  public long addEach(long[] keys, long[] values, int from, int to) {
    for (int i = from; i < to; i++) {
      var _ = map.merge(keys[i], values[i], Long::sum);
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
  public void close() {
    team.close();
  }
}
