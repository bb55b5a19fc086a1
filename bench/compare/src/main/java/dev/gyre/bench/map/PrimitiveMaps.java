package dev.gyre.bench.map;

import com.carrotsearch.hppc.LongLongHashMap;
import com.carrotsearch.hppc.procedures.LongLongProcedure;
import org.agrona.collections.Long2LongHashMap;

/** Maps of plain longs for one thread, from libraries that Java programs use for them. */
final class PrimitiveMaps {

  /** Stands for an absent key; no value is 0. */
  private static final long ABSENT = 0;

  private PrimitiveMaps() {}

  static final class OfAgrona implements RivalMap<long[]> {
    private final MapRival.Setup setup;
    private Long2LongHashMap map = new Long2LongHashMap(ABSENT);

    OfAgrona(MapRival.Setup setup) {
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

  static final class OfEclipse implements RivalMap<long[]> {
    private final MapRival.Setup setup;
    private org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap map =
        new org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap();

    OfEclipse(MapRival.Setup setup) {
      this.setup = setup;
    }

    @Override
    public void empty() {
      drop();
      map =
          new org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap(setup.capacity());
    }

    @Override
    public void drop() {
      map = new org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap();
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
        count += found[i] == ABSENT ? 0 : 1;
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

  static final class OfHppc implements RivalMap<long[]> {
    private final MapRival.Setup setup;
    private LongLongHashMap map = new LongLongHashMap();

    OfHppc(MapRival.Setup setup) {
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
        count += found[i] == ABSENT ? 0 : 1;
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
}
