package dev.gyre.bench.measure;

import dev.gyre.bench.map.MapData;
import dev.gyre.bench.map.MapRival;
import dev.gyre.bench.map.RivalMap;
import dev.gyre.bench.map.SingleKeys;
import dev.gyre.bench.map.Team;

/** An operation on all keys of a map. */
abstract class MapTrial<A> extends Trial implements AutoCloseable {

  /** Keys of maps that fit in a cache. */
  private static final int SMALL = 1 << 18;

  final RivalMap<A> map;
  final MapData<A> data;
  long result;

  MapTrial(
      String benchmark,
      MapRival rival,
      int threads,
      String params,
      RivalMap<A> map,
      MapData<A> data) {
    super(benchmark, rival.label(), threads, params);
    this.map = map;
    this.data = data;
  }

  /** A collection takes so long, and leaves caches so empty, that small maps do without. */
  final void collectGarbage() {
    if (data.size() >= SMALL) {
      System.gc();
    }
  }

  @Override
  public void close() {
    map.close();
  }

  /** Work that begins with an empty map. */
  abstract static class FromEmpty<A> extends MapTrial<A> {
    FromEmpty(
        String benchmark,
        MapRival rival,
        int threads,
        String params,
        RivalMap<A> map,
        MapData<A> data) {
      super(benchmark, rival, threads, params, map, data);
    }

    @Override
    final void before() {
      map.empty();
      collectGarbage();
    }

    @Override
    void after() {
      data.checkInserted(result);
      map.drop();
    }
  }

  /** Inserts into an empty map. */
  static final class Insert<A> extends FromEmpty<A> {
    Insert(MapRival rival, int threads, String params, RivalMap<A> map, MapData<A> data) {
      super("map-insert", rival, threads, params, map, data);
    }

    @Override
    void run() {
      result = map.insert(data.keys(), data.values());
    }
  }

  /** Inserts into a new map, which grows. */
  static final class Grow<A> extends MapTrial<A> {
    Grow(MapRival rival, int threads, String params, RivalMap<A> map, MapData<A> data) {
      super("map-grow", rival, threads, params, map, data);
    }

    @Override
    void before() {
      map.renew();
      collectGarbage();
    }

    @Override
    void run() {
      result = map.insert(data.keys(), data.values());
    }

    @Override
    void after() {
      data.checkInserted(result);
    }
  }

  /** Goes through all entries. */
  static final class Each<A> extends MapTrial<A> {
    Each(MapRival rival, int threads, String params, RivalMap<A> map, MapData<A> data) {
      super("map-each", rival, threads, params, map, data);
      map.empty();
      data.checkInserted(map.insert(data.keys(), data.values()));
    }

    @Override
    void before() {}

    @Override
    void run() {
      result = map.sum();
    }

    @Override
    void after() {
      data.checkSum(result);
    }
  }

  /** Adds 1 to the value of each key, beginning with an empty map. */
  static final class Add<A> extends FromEmpty<A> {
    Add(MapRival rival, int threads, String params, RivalMap<A> map, MapData<A> data) {
      super("map-add", rival, threads, params, map, data);
    }

    @Override
    void run() {
      result = map.add(data.keys(), data.ones());
    }

    @Override
    void after() {
      data.checkAdded(map, result);
      map.drop();
    }
  }

  /** Finds in a map with all keys, so many times over. */
  static final class Find<A> extends MapTrial<A> {
    private final int times;

    Find(MapRival rival, int threads, String params, RivalMap<A> map, MapData<A> data, int times) {
      super("map-find", rival, threads, params, map, data);
      this.times = times;
      map.empty();
      data.checkInserted(map.insert(data.keys(), data.values()));
    }

    @Override
    void before() {}

    @Override
    void run() {
      for (int i = 0; i < times; i++) {
        result = map.find(data.queries(), data.found());
      }
    }

    @Override
    void after() {
      data.checkFound(result);
    }
  }

  /** Work on single keys, in shares that threads have, so many times over. */
  abstract static class Single<A> extends MapTrial<A> {
    final SingleKeys<A> singles;
    private final Team team;
    private final int times;

    Single(
        String benchmark,
        MapRival rival,
        int threads,
        String params,
        SingleKeys<A> map,
        MapData<A> data,
        int times) {
      super(benchmark, rival, threads, params, map, data);
      this.singles = map;
      this.team = new Team(threads);
      this.times = times;
      map.empty();
      data.checkInserted(map.insert(data.keys(), data.values()));
      data.checkFound(map.find(data.queries(), data.found()));
    }

    abstract long share(int from, int to);

    @Override
    void before() {}

    @Override
    final void run() {
      result = threads() == 1 ? repeated(0, data.size()) : team.all(data.size(), this::repeated);
    }

    private long repeated(int from, int to) {
      long last = 0;
      for (int i = 0; i < times; i++) {
        last = share(from, to);
      }
      return last;
    }

    @Override
    public void close() {
      team.close();
      super.close();
    }
  }

  /** Finds keys one at a time. */
  static final class Get<A> extends Single<A> {
    Get(MapRival rival, int threads, String params, SingleKeys<A> map, MapData<A> data, int times) {
      super("map-get", rival, threads, params, map, data, times);
    }

    @Override
    long share(int from, int to) {
      return singles.findEach(data.queries(), data.found(), from, to);
    }

    @Override
    void after() {
      data.checkFound(result);
    }
  }

  /** Finds 19 keys, one at a time, then adds 0 to the value of the next. */
  static final class Mixed<A> extends Single<A> {
    private static final int BLOCK = 20;

    Mixed(
        MapRival rival, int threads, String params, SingleKeys<A> map, MapData<A> data, int times) {
      super("map-mixed", rival, threads, params, map, data, times);
    }

    @Override
    long share(int from, int to) {
      long found = 0;
      for (int i = from; i < to; i += BLOCK) {
        int last = Math.min(i + BLOCK, to) - 1;
        found += singles.findEach(data.queries(), data.found(), i, last);
        found += 1 + singles.addEach(data.queries(), data.zeros(), last, last + 1);
      }
      return found;
    }

    @Override
    void after() {
      data.checkFound(result);
      data.checkFound(map.find(data.queries(), data.found()));
    }
  }

  /** Inserts keys one at a time into an empty map. */
  static final class Put<A> extends FromEmpty<A> {
    private final SingleKeys<A> singles;
    private final Team team;

    Put(MapRival rival, int threads, String params, SingleKeys<A> map, MapData<A> data) {
      super("map-put", rival, threads, params, map, data);
      this.singles = map;
      this.team = new Team(threads);
    }

    @Override
    void run() {
      A keys = data.keys();
      A values = data.values();
      result =
          threads() == 1
              ? singles.insertEach(keys, values, 0, data.size())
              : team.all(data.size(), (from, to) -> singles.insertEach(keys, values, from, to));
    }

    @Override
    public void close() {
      team.close();
      super.close();
    }
  }
}
