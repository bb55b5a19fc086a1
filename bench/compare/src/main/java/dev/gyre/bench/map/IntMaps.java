package dev.gyre.bench.map;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Maps from int to int: one that boxes them and one that does not. */
final class IntMaps {

  private IntMaps() {}

  static final class OfConcurrentHashMap implements SingleKeys<int[]> {
    private final int capacity;
    private final Team team;
    private ConcurrentMap<Integer, Integer> map = new ConcurrentHashMap<>();

    OfConcurrentHashMap(MapRival.Setup setup) {
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
    public long insert(int[] keys, int[] values) {
      return team.all(keys.length, (from, to) -> insertEach(keys, values, from, to));
    }

    @Override
    public long insertEach(int[] keys, int[] values, int from, int to) {
      long inserted = 0;
      for (int i = from; i < to; i++) {
        inserted += map.putIfAbsent(keys[i], values[i]) == null ? 1 : 0;
      }
      return inserted;
    }

    @Override
    public long find(int[] keys, int[] found) {
      return team.all(keys.length, (from, to) -> findEach(keys, found, from, to));
    }

    @Override
    public long findEach(int[] keys, int[] found, int from, int to) {
      long count = 0;
      for (int i = from; i < to; i++) {
        Integer value = map.get(keys[i]);
        found[i] = value == null ? 0 : value;
        count += value == null ? 0 : 1;
      }
      return count;
    }

    @Override
    public long add(int[] keys, int[] values) {
      long _ = team.all(keys.length, (from, to) -> addEach(keys, values, from, to));
      return map.size();
    }

    @Override
    public long addEach(int[] keys, int[] values, int from, int to) {
      for (int i = from; i < to; i++) {
        Integer _ = map.merge(keys[i], values[i], Integer::sum);
      }
      return 0;
    }

    @Override
    public void close() {
      team.close();
    }
  }

  static final class OfFastutil implements RivalMap<int[]> {
    private final MapRival.Setup setup;
    private Int2IntOpenHashMap map = new Int2IntOpenHashMap();

    OfFastutil(MapRival.Setup setup) {
      this.setup = setup;
    }

    @Override
    public void empty() {
      drop();
      map = new Int2IntOpenHashMap(setup.capacity(), (float) setup.loadFactor());
    }

    @Override
    public void drop() {
      map = new Int2IntOpenHashMap();
    }

    @Override
    public long insert(int[] keys, int[] values) {
      long before = map.size();
      for (int i = 0; i < keys.length; i++) {
        int _ = map.putIfAbsent(keys[i], values[i]);
      }
      return map.size() - before;
    }

    @Override
    public long find(int[] keys, int[] found) {
      long count = 0;
      for (int i = 0; i < keys.length; i++) {
        found[i] = map.get(keys[i]);
        count += found[i] == 0 ? 0 : 1;
      }
      return count;
    }

    @Override
    public long add(int[] keys, int[] values) {
      long before = map.size();
      for (int i = 0; i < keys.length; i++) {
        int _ = map.addTo(keys[i], values[i]);
      }
      return map.size() - before;
    }

    @Override
    public void close() {}
  }
}
