package dev.gyre.bench.fuzz;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongMap;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/** A map of longs. */
record LongDoor(LongLongMap map) implements MapDoor<Long> {

  /** Chooses entries by their value. */
  record Larger(long than) implements EntryPredicate {
    @Override
    public boolean test(long key, long value) {
      return value > than;
    }
  }

  /** Made by the builder, in a layout of the seed's. */
  static final class Kind implements MapDoor.Kind<Long> {

    @Override
    public String name() {
      return "LongLongMap";
    }

    @Override
    public Long key(long number) {
      return number;
    }

    @Override
    public long value(long number) {
      return number;
    }

    @Override
    public LongDoor create(long seed, FuzzSetting setting) {
      Layout layout = LAYOUTS.get((int) Long.remainderUnsigned(seed, LAYOUTS.size()));
      var builder =
          LongLongMap.builder()
              .workers(setting.threads())
              .layout(layout)
              .capacity(1 + (seed & 0xff));
      return new LongDoor(
          (setting.launcher() == null ? builder : builder.launcher(setting.launcher())).build());
    }

    @Override
    public LongDoor load(Path file) {
      return new LongDoor(LongLongMap.load(file));
    }
  }

  private static final List<Layout> LAYOUTS = List.of(Layout.REFERENCE, Layout.LINE);

  private static long[] all(List<Long> keys) {
    return keys.stream().mapToLong(Long::longValue).toArray();
  }

  @Override
  public InsertCounts insert(List<Long> keys, long[] values) {
    return map.insert(all(keys), values);
  }

  @Override
  public InsertCounts insertOrAssign(List<Long> keys, long[] values) {
    return map.insertOrAssign(all(keys), values);
  }

  @Override
  public InsertCounts insertAndFind(List<Long> keys, long[] values, long[] found) {
    return map.insertAndFind(all(keys), values, found);
  }

  @Override
  public InsertCounts insertIf(List<Long> keys, long[] values, boolean[] mask) {
    return map.insertIf(all(keys), values, mask);
  }

  @Override
  public InsertCounts insertOrApply(List<Long> keys, long[] values, Apply change) {
    return map.insertOrApply(all(keys), values, change);
  }

  @Override
  public InsertCounts insertLarger(List<Long> keys, long[] values, long than) {
    return map.insertIf(all(keys), values, new Larger(than));
  }

  @Override
  public FindCounts find(List<Long> keys, long[] found) {
    return map.find(all(keys), found);
  }

  @Override
  public FindCounts contains(List<Long> keys) {
    return map.contains(all(keys));
  }

  @Override
  public FindCounts findLarger(List<Long> keys, long[] found, long than) {
    return map.findIf(all(keys), found, new Larger(than));
  }

  @Override
  public OptionalLong get(Long key) {
    return map.get(key);
  }

  @Override
  public long getOrDefault(Long key, long otherwise) {
    return map.getOrDefault(key, otherwise);
  }

  @Override
  public boolean containsKey(Long key) {
    return map.containsKey(key);
  }

  @Override
  public OptionalLong put(Long key, long value) {
    return map.put(key, value);
  }

  @Override
  public OptionalLong putIfAbsent(Long key, long value) {
    return map.putIfAbsent(key, value);
  }

  @Override
  public OptionalLong replace(Long key, long value) {
    return map.replace(key, value);
  }

  @Override
  public boolean replace(Long key, long expected, long value) {
    return map.replace(key, expected, value);
  }

  @Override
  public long merge(Long key, long value, Apply change) {
    return map.merge(key, value, change);
  }

  @Override
  public Map<Long, Long> retrieved() {
    long[] keys = new long[(int) map.size()];
    long[] values = new long[keys.length];
    return entries(keys, values, map.retrieveAll(keys, values));
  }

  @Override
  public Map<Long, Long> retrievedLarger(long than) {
    long[] keys = new long[(int) map.size()];
    long[] values = new long[keys.length];
    return entries(keys, values, map.retrieveIf(keys, values, new Larger(than)));
  }

  private static Map<Long, Long> entries(long[] keys, long[] values, long count) {
    Map<Long, Long> entries = new HashMap<>();
    for (int i = 0; i < count; i++) {
      entries.merge(keys[i], values[i], (a, b) -> MapDoor.TWICE);
    }
    return entries;
  }

  @Override
  public Map<Long, Long> walked() {
    Map<Long, Long> entries = new ConcurrentHashMap<>();
    map.forEach((key, value) -> entries.merge(key, value, (a, b) -> MapDoor.TWICE));
    return entries;
  }

  @Override
  public Map<Long, Long> view() {
    return map.asMap();
  }

  @Override
  public long size() {
    return map.size();
  }

  @Override
  public void clear() {
    map.clear();
  }

  @Override
  public void rehash(long capacity) {
    map.rehash(capacity);
  }

  @Override
  public void save(Path file) {
    map.save(file);
  }

  @Override
  public void runOn(Launcher launcher) {
    map.runOn(launcher);
  }

  @Override
  public void close() {
    map.close();
  }
}
