package dev.gyre.bench.map;

import com.carrotsearch.hppc.LongLongHashMap;
import com.carrotsearch.hppc.procedures.LongLongProcedure;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.MapBuilder;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.agrona.collections.Long2LongHashMap;
import org.jctools.maps.NonBlockingHashMapLong;

/** The maps from long to long that are compared. */
final class LongMaps {

  private LongMaps() {}

  /**
   * The loops over keys, which are the same for all maps. A process measures one map, so that
   * HotSpot inlines what the map does with a key.
   */
  abstract static class Keywise implements RivalMap<long[]> {

    private static final int MIXED_BLOCK = 20;

    final MapRival.Setup setup;
    private final Team team;

    Keywise(MapRival.Setup setup) {
      this.setup = setup;
      this.team = new Team(setup.threads());
    }

    abstract long size();

    /** Inserts a key if it is absent. */
    abstract void putOne(/* int */ long key, /* int */ long value);

    /** Returns the value of a key, or 0; no value is 0. */
    abstract /* int */ long getOne(/* int */ long key);

    abstract void addOne(/* int */ long key, /* int */ long value);

    @Override
    public long insert(long[] keys, long[] values) {
      return put(keys, values);
    }

    @Override
    public long find(long[] keys, long[] found) {
      return get(keys, found);
    }

    @Override
    public long add(long[] keys, long[] values) {
      long before = size();
      long _ =
          team.all(
              keys.length,
              (from, to) -> {
                for (int i = from; i < to; i++) {
                  addOne(keys[i], values[i]);
                }
                return 0;
              });
      return size() - before;
    }

    @Override
    public final long put(long[] keys, long[] values) {
      long before = size();
      long _ =
          team.all(
              keys.length,
              (from, to) -> {
                for (int i = from; i < to; i++) {
                  putOne(keys[i], values[i]);
                }
                return 0;
              });
      return size() - before;
    }

    @Override
    public final long get(long[] keys, long[] found) {
      return team.all(keys.length, (from, to) -> getRange(keys, found, from, to));
    }

    private long getRange(long[] keys, long[] found, int from, int to) {
      long count = 0;
      for (int i = from; i < to; i++) {
        found[i] = getOne(keys[i]);
        count += found[i] == 0 ? 0 : 1;
      }
      return count;
    }

    @Override
    public final long mixed(long[] keys, long[] found) {
      return team.all(
          keys.length,
          (from, to) -> {
            long count = 0;
            for (int i = from; i < to; i += MIXED_BLOCK) {
              int last = Math.min(i + MIXED_BLOCK, to) - 1;
              count += 1 + getRange(keys, found, i, last);
              addOne(keys[last], 0);
            }
            return count;
          });
    }

    @Override
    public void close() {
      team.close();
    }
  }

  /** {@link LongLongMap}: bulk calls, which have threads of their own. */
  static final class OfGyre extends Keywise {
    private final Layout layout;
    private LongLongMap map;

    OfGyre(Layout layout, MapRival.Setup setup) {
      super(setup);
      this.layout = layout;
      this.map = builder().capacity(setup.capacity()).loadFactor(setup.loadFactor()).build();
    }

    private MapBuilder<LongLongMap> builder() {
      return LongLongMap.builder().layout(layout).workers(setup.threads()).seed(1);
    }

    @Override
    public void empty() {
      map.clear();
    }

    @Override
    public void renew() {
      map.close();
      map = builder().build();
    }

    @Override
    long size() {
      return map.size();
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
    void putOne(/* int */ long key, /* int */ long value) {
      var _ = map.putIfAbsent(key, value);
    }

    @Override
    /* int */ long getOne(/* int */ long key) {
      return map.getOrDefault(key, 0);
    }

    @Override
    void addOne(/* int */ long key, /* int */ long value) {
      var _ = map.merge(key, value, Apply.ADD);
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

    @Override
    public void close() {
      super.close();
      map.close();
    }
  }

  /** {@link ConcurrentHashMap}, with boxed keys and values. */
  static final class OfJdk extends Keywise {
    private ConcurrentHashMap<Long, Long> map = new ConcurrentHashMap<>();

    OfJdk(MapRival.Setup setup) {
      super(setup);
    }

    @Override
    public void empty() {
      map = new ConcurrentHashMap<>(setup.capacity());
    }

    @Override
    public void renew() {
      map = new ConcurrentHashMap<>();
    }

    @Override
    long size() {
      return map.mappingCount();
    }

    @Override
    void putOne(/* int */ long key, /* int */ long value) {
      var _ = map.putIfAbsent(key, value);
    }

    @Override
    /* int */ long getOne(/* int */ long key) {
      Long value = map.get(key);
      return value == null ? 0 : value;
    }

    @Override
    void addOne(/* int */ long key, /* int */ long value) {
      var _ = map.merge(key, value, Long::sum);
    }

    @Override
    public long sum() {
      Sum all = new Sum();
      map.forEach((key, value) -> all.add(value));
      return all.total;
    }
  }

  /** {@link NonBlockingHashMapLong}, with boxed values; there is no such map with int keys. */
  static final class OfJcTools extends Keywise {
    private NonBlockingHashMapLong<Long> map = new NonBlockingHashMapLong<>();

    OfJcTools(MapRival.Setup setup) {
      super(setup);
    }

    @Override
    public void empty() {
      map = new NonBlockingHashMapLong<>(2 * setup.capacity());
    }

    @Override
    public void renew() {
      map = new NonBlockingHashMapLong<>();
    }

    @Override
    long size() {
      return map.size();
    }

    @Override
    void putOne(/* int */ long key, /* int */ long value) {
      var _ = map.putIfAbsent(key, (Long) value);
    }

    @Override
    /* int */ long getOne(/* int */ long key) {
      Long value = map.get(key);
      return value == null ? 0 : value;
    }

    /** The map has no merge for keys that are not boxed. */
    @Override
    void addOne(/* int */ long key, /* int */ long value) {
      Long before = map.putIfAbsent(key, (Long) value);
      while (before != null && !map.replace(key, before, (Long) (before + value))) {
        before = map.get(key);
      }
    }

    @Override
    public long sum() {
      Sum all = new Sum();
      map.forEach((key, value) -> all.add(value));
      return all.total;
    }
  }

  /** fastutil's map, for one thread. */
  static final class OfFastutil extends Keywise {
    private Long2LongOpenHashMap map = new Long2LongOpenHashMap();

    OfFastutil(MapRival.Setup setup) {
      super(setup);
    }

    @Override
    public void empty() {
      map = new Long2LongOpenHashMap(setup.capacity(), (float) setup.loadFactor());
    }

    @Override
    public void renew() {
      map = new Long2LongOpenHashMap();
    }

    @Override
    long size() {
      return map.size();
    }

    @Override
    void putOne(/* int */ long key, /* int */ long value) {
      var _ = map.putIfAbsent(key, value);
    }

    @Override
    /* int */ long getOne(/* int */ long key) {
      return map.get(key);
    }

    @Override
    void addOne(/* int */ long key, /* int */ long value) {
      var _ = map.addTo(key, value);
    }

    @Override
    public long sum() {
      Sum all = new Sum();
      map.forEach((key, value) -> all.add(value));
      return all.total;
    }
  }

  /** Agrona's map, for one thread. */
  static final class OfAgrona extends Keywise {
    private Long2LongHashMap map = new Long2LongHashMap(0);

    OfAgrona(MapRival.Setup setup) {
      super(setup);
    }

    @Override
    public void empty() {
      map =
          new Long2LongHashMap(
              (int) (setup.capacity() / setup.loadFactor()), (float) setup.loadFactor(), 0);
    }

    @Override
    public void renew() {
      map = new Long2LongHashMap(0);
    }

    @Override
    long size() {
      return map.size();
    }

    @Override
    void putOne(/* int */ long key, /* int */ long value) {
      var _ = map.putIfAbsent(key, value);
    }

    @Override
    /* int */ long getOne(/* int */ long key) {
      return map.get(key);
    }

    @Override
    void addOne(/* int */ long key, /* int */ long value) {
      var _ = map.merge(key, value, Long::sum);
    }

    @Override
    public long sum() {
      Sum all = new Sum();
      map.forEachLong((key, value) -> all.add(value));
      return all.total;
    }
  }

  /** The map of Eclipse Collections, for one thread; its load factor is its own. */
  static final class OfEclipse extends Keywise {
    private org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap map =
        new org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap();

    OfEclipse(MapRival.Setup setup) {
      super(setup);
    }

    @Override
    public void empty() {
      map =
          new org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap(setup.capacity());
    }

    @Override
    public void renew() {
      map = new org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap();
    }

    @Override
    long size() {
      return map.size();
    }

    @Override
    void putOne(/* int */ long key, /* int */ long value) {
      var _ = map.getIfAbsentPut(key, value);
    }

    @Override
    /* int */ long getOne(/* int */ long key) {
      return map.get(key);
    }

    @Override
    void addOne(/* int */ long key, /* int */ long value) {
      var _ = map.addToValue(key, value);
    }

    @Override
    public long sum() {
      Sum all = new Sum();
      map.forEachKeyValue((key, value) -> all.add(value));
      return all.total;
    }
  }

  /** HPPC's map, for one thread. */
  static final class OfHppc extends Keywise {
    private LongLongHashMap map = new LongLongHashMap();

    OfHppc(MapRival.Setup setup) {
      super(setup);
    }

    @Override
    public void empty() {
      map = new LongLongHashMap(setup.capacity(), setup.loadFactor());
    }

    @Override
    public void renew() {
      map = new LongLongHashMap();
    }

    @Override
    long size() {
      return map.size();
    }

    @Override
    void putOne(/* int */ long key, /* int */ long value) {
      var _ = map.putIfAbsent(key, value);
    }

    @Override
    /* int */ long getOne(/* int */ long key) {
      return map.get(key);
    }

    @Override
    void addOne(/* int */ long key, /* int */ long value) {
      var _ = map.addTo(key, value);
    }

    @Override
    public long sum() {
      Sum all = new Sum();
      map.forEach((LongLongProcedure) (key, value) -> all.add(value));
      return all.total;
    }
  }
}
