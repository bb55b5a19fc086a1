package dev.gyre.bench.map;

import com.carrotsearch.hppc.LongLongHashMap;
import com.carrotsearch.hppc.procedures.LongLongProcedure;
import dev.gyre.atomics.IntSpecialized;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongConsumer;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.MapBuilder;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.agrona.collections.Long2LongHashMap;
import org.jctools.maps.NonBlockingHashMapLong;
import org.jspecify.annotations.Nullable;

/**
 * A map from long to long that is compared: the loops over keys, which are the same for all maps. A
 * process measures one map, so that HotSpot inlines what the map does with a key.
 */
@IntSpecialized
final class LongMaps implements RivalMap<long[]> {

  private static final int MIXED_BLOCK = 20;

  /** Capacity of a map that does not know the number of keys: the default of most maps. */
  private static final int FIRST_CAPACITY = 16;

  private final Team team;
  private final Rival rival;
  private final Setup setup;
  private Single map;

  /** Makes an empty map with capacity for all keys. */
  LongMaps(Rival rival, Setup setup) {
    this.team = new Team(setup.threads());
    this.rival = rival;
    this.setup = setup;
    this.map = make(setup.capacity());
  }

  /**
   * Operations of a map on single keys.
   *
   * @param put inserts a key if it is absent
   * @param get returns the value of a key, or 0; no value is 0
   * @param add adds to the value of a key, an absent one having 0
   * @param each visits all entries
   * @param bulk the map itself if it has bulk operations, which have threads of their own
   */
  private record Single(
      Supplier<Number> size,
      LongLongConsumer put,
      LongUnaryOperator get,
      LongLongConsumer add,
      Consumer<LongLongConsumer> each,
      @Nullable LongLongMap bulk) {
    Single(
        Supplier<Number> size,
        LongLongConsumer put,
        LongUnaryOperator get,
        LongLongConsumer add,
        Consumer<LongLongConsumer> each) {
      this(size, put, get, add, each, null);
    }
  }

  private Single make(int capacity) {
    double load = setup.loadFactor();
    return switch (rival) {
      case GYRE_REFERENCE, GYRE_LINE, GYRE_PACKED -> {
        MapBuilder<LongLongMap> builder = LongLongMap.builder().capacity(capacity).loadFactor(load);
        builder.layout(Layout.valueOf(rival.name().replace("GYRE_", "")));
        yield gyre(builder.workers(setup.threads()).seed(1).build());
      }
      case CONCURRENT_HASH_MAP -> jdk(new ConcurrentHashMap<>(capacity));
      case JCTOOLS -> jcTools(new NonBlockingHashMapLong<>(2 * capacity));
      case FASTUTIL -> fastutil(new Long2LongOpenHashMap(capacity, (float) load));
      case AGRONA -> agrona(new Long2LongHashMap((int) (capacity / load), (float) load, 0));
      case ECLIPSE ->
          eclipse(new org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap(capacity));
      case HPPC -> hppc(new LongLongHashMap(capacity, load));
      default -> throw new IllegalArgumentException(rival + " is no such map");
    };
  }

  private static /* int */ long orZero(@Nullable Long value) {
    return value == null ? 0 : value;
  }

  /** Keys and values are boxed. */
  private static Single jdk(ConcurrentHashMap<Long, Long> map) {
    return new Single(
        map::mappingCount,
        (key, value) -> map.putIfAbsent(key, value),
        key -> orZero(map.get(key)),
        (key, value) -> map.merge(key, value, Long::sum),
        visit -> map.forEach(visit::accept));
  }

  /** Values are boxed; there is no such map with int keys, and no merge for keys without boxes. */
  private static Single jcTools(NonBlockingHashMapLong<Long> map) {
    return new Single(
        map::size,
        (key, value) -> map.putIfAbsent(key, (Long) value),
        key -> orZero(map.get(key)),
        (key, value) -> {
          Long before = map.putIfAbsent(key, (Long) value);
          while (before != null && !map.replace(key, before, (Long) (before + value))) {
            before = map.get(key);
          }
        },
        visit -> map.forEach((key, value) -> visit.accept(/* (int) */ (long) key, value)));
  }

  private static Single fastutil(Long2LongOpenHashMap map) {
    return new Single(
        map::size,
        (key, value) -> map.putIfAbsent(key, value),
        key -> map.get(key),
        (key, value) -> map.addTo(key, value),
        visit -> map.forEach((key, value) -> visit.accept(key, value)));
  }

  private static Single agrona(Long2LongHashMap map) {
    return new Single(
        map::size,
        (key, value) -> map.putIfAbsent(key, value),
        key -> map.get(key),
        (key, value) -> map.merge(key, value, Long::sum),
        visit -> map.forEachLong(visit::accept));
  }

  /** The load factor is the map's own. */
  private static Single eclipse(
      org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap map) {
    return new Single(
        map::size,
        (key, value) -> map.getIfAbsentPut(key, value),
        key -> map.get(key),
        (key, value) -> map.addToValue(key, value),
        visit -> map.forEachKeyValue(visit::accept));
  }

  private static Single hppc(LongLongHashMap map) {
    return new Single(
        map::size,
        (key, value) -> map.putIfAbsent(key, value),
        key -> map.get(key),
        (key, value) -> map.addTo(key, value),
        visit -> map.forEach((LongLongProcedure) visit::accept));
  }

  private static Single gyre(LongLongMap map) {
    return new Single(
        map::size,
        (key, value) -> map.putIfAbsent(key, value),
        key -> map.getOrDefault(key, 0),
        (key, value) -> map.merge(key, value, Apply.ADD),
        map::forEach,
        map);
  }

  /** Ours stays, since its memory is touched; others are made anew. */
  @Override
  public void empty() {
    if (map.bulk != null) {
      map.bulk.clear();
    } else {
      map = make(setup.capacity());
    }
  }

  @Override
  public void renew() {
    release();
    map = make(FIRST_CAPACITY);
  }

  private void release() {
    if (map.bulk != null) {
      map.bulk.close();
    }
  }

  @Override
  public long insert(long[] keys, long[] values) {
    return map.bulk == null ? put(keys, values) : map.bulk.insert(keys, values).inserted();
  }

  @Override
  public long find(long[] keys, long[] found) {
    return map.bulk == null ? get(keys, found) : map.bulk.find(keys, found).found();
  }

  @Override
  public long add(long[] keys, long[] values) {
    return map.bulk == null
        ? update(map.add, keys, values)
        : map.bulk.insertOrApply(keys, values, Apply.ADD).inserted();
  }

  @Override
  public long put(long[] keys, long[] values) {
    return update(map.put, keys, values);
  }

  /** Returns how many keys are new. */
  private long update(LongLongConsumer one, long[] keys, long[] values) {
    long before = map.size.get().longValue();
    long _ =
        team.all(
            keys.length,
            (from, to) -> {
              for (int i = from; i < to; i++) {
                one.accept(keys[i], values[i]);
              }
              return 0;
            });
    return map.size.get().longValue() - before;
  }

  @Override
  public long get(long[] keys, long[] found) {
    LongUnaryOperator one = map.get;
    return team.all(keys.length, (from, to) -> get(one, keys, found, from, to));
  }

  private static long get(LongUnaryOperator one, long[] keys, long[] found, int from, int to) {
    long count = 0;
    for (int i = from; i < to; i++) {
      found[i] = one.applyAsLong(keys[i]);
      count += found[i] == 0 ? 0 : 1;
    }
    return count;
  }

  @Override
  public long mixed(long[] keys, long[] found) {
    Single all = map;
    return team.all(
        keys.length,
        (from, to) -> {
          long count = 0;
          for (int i = from; i < to; i += MIXED_BLOCK) {
            int last = Math.min(i + MIXED_BLOCK, to) - 1;
            count += 1 + get(all.get, keys, found, i, last);
            all.add.accept(keys[last], 0);
          }
          return count;
        });
  }

  @Override
  public long sum() {
    Sum all = new Sum();
    map.each.accept((key, value) -> all.add(value));
    return all.total;
  }

  @Override
  public long bytesOutside() {
    return map.bulk == null ? 0 : map.bulk.byteSize();
  }

  @Override
  public void close() {
    release();
    team.close();
  }
}
