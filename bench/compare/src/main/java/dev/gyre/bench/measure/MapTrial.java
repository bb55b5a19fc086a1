package dev.gyre.bench.measure;

import dev.gyre.bench.map.MapData;
import dev.gyre.bench.map.MapRival;
import dev.gyre.bench.map.RivalMap;

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

  /** Inserts into an empty map. */
  static final class Insert<A> extends MapTrial<A> {
    Insert(MapRival rival, int threads, String params, RivalMap<A> map, MapData<A> data) {
      super("map-insert", rival, threads, params, map, data);
    }

    @Override
    void before() {
      map.empty();
      collectGarbage();
    }

    @Override
    void run() {
      result = map.insert(data.keys(), data.values());
    }

    @Override
    void after() {
      data.checkInserted(result);
      map.drop();
    }
  }

  /** Adds 1 to the value of each key, beginning with an empty map. */
  static final class Add<A> extends MapTrial<A> {
    Add(MapRival rival, int threads, String params, RivalMap<A> map, MapData<A> data) {
      super("map-add", rival, threads, params, map, data);
    }

    @Override
    void before() {
      map.empty();
      collectGarbage();
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

  /** Finds in a map with all keys. */
  static final class Find<A> extends MapTrial<A> {
    Find(MapRival rival, int threads, String params, RivalMap<A> map, MapData<A> data) {
      super("map-find", rival, threads, params, map, data);
      map.empty();
      data.checkInserted(map.insert(data.keys(), data.values()));
    }

    @Override
    void before() {}

    @Override
    void run() {
      result = map.find(data.queries(), data.found());
    }

    @Override
    void after() {
      data.checkFound(result);
    }
  }
}
