package dev.gyre.bench.fuzz;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.Layout;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/** A map of ints. */
record IntDoor(IntIntMap map) implements MapDoor<Integer> {

  /** Chooses entries by their value. */
  record Larger(long than) implements EntryPredicate {
    @Override
    public boolean test(long key, long value) {
      return value > than;
    }
  }

  /** Made by the builder, in a layout of the seed's. */
  static final class Kind implements MapDoor.Kind<Integer> {

    @Override
    public String name() {
      return "IntIntMap";
    }

    @Override
    public Integer key(long number) {
      return (int) number;
    }

    @Override
    public long value(long number) {
      return (int) number;
    }

    @Override
    public IntDoor create(long seed, FuzzSetting setting) {
      Layout layout = LAYOUTS.get((int) Long.remainderUnsigned(seed, LAYOUTS.size()));
      var builder =
          IntIntMap.builder().workers(setting.threads()).layout(layout).capacity(1 + (seed & 0xff));
      return new IntDoor(
          (setting.launcher() == null ? builder : builder.launcher(setting.launcher())).build());
    }

    @Override
    public IntDoor load(Path file) {
      return new IntDoor(IntIntMap.load(file));
    }
  }

  private static final List<Layout> LAYOUTS = List.of(Layout.REFERENCE, Layout.LINE, Layout.PACKED);

  private static int[] all(List<Integer> keys) {
    return keys.stream().mapToInt(Integer::intValue).toArray();
  }

  private static int[] ints(long[] values) {
    int[] ints = new int[values.length];
    for (int i = 0; i < ints.length; i++) {
      ints[i] = (int) values[i];
    }
    return ints;
  }

  private static void back(int[] from, long[] to) {
    for (int i = 0; i < from.length; i++) {
      to[i] = from[i];
    }
  }

  @Override
  public InsertCounts insert(List<Integer> keys, long[] values) {
    return map.insert(all(keys), ints(values));
  }

  @Override
  public InsertCounts insertOrAssign(List<Integer> keys, long[] values) {
    return map.insertOrAssign(all(keys), ints(values));
  }

  @Override
  public InsertCounts insertAndFind(List<Integer> keys, long[] values, long[] found) {
    int[] there = new int[found.length];
    InsertCounts counts = map.insertAndFind(all(keys), ints(values), there);
    back(there, found);
    return counts;
  }

  @Override
  public InsertCounts insertIf(List<Integer> keys, long[] values, boolean[] mask) {
    return map.insertIf(all(keys), ints(values), mask);
  }

  @Override
  public InsertCounts insertOrApply(List<Integer> keys, long[] values, Apply change) {
    return map.insertOrApply(all(keys), ints(values), change);
  }

  @Override
  public InsertCounts insertLarger(List<Integer> keys, long[] values, long than) {
    return map.insertIf(all(keys), ints(values), new Larger(than));
  }

  @Override
  public FindCounts find(List<Integer> keys, long[] found) {
    int[] there = new int[found.length];
    FindCounts counts = map.find(all(keys), there);
    back(there, found);
    return counts;
  }

  @Override
  public FindCounts contains(List<Integer> keys) {
    return map.contains(all(keys));
  }

  @Override
  public FindCounts findLarger(List<Integer> keys, long[] found, long than) {
    int[] there = new int[found.length];
    FindCounts counts = map.findIf(all(keys), there, new Larger(than));
    back(there, found);
    return counts;
  }

  @Override
  public OptionalLong get(Integer key) {
    return longs(map.get(key));
  }

  @Override
  public long getOrDefault(Integer key, long otherwise) {
    return map.getOrDefault(key, (int) otherwise);
  }

  @Override
  public boolean containsKey(Integer key) {
    return map.containsKey(key);
  }

  @Override
  public OptionalLong put(Integer key, long value) {
    return longs(map.put(key, (int) value));
  }

  @Override
  public OptionalLong putIfAbsent(Integer key, long value) {
    return longs(map.putIfAbsent(key, (int) value));
  }

  @Override
  public OptionalLong replace(Integer key, long value) {
    return longs(map.replace(key, (int) value));
  }

  @Override
  public boolean replace(Integer key, long expected, long value) {
    return map.replace(key, (int) expected, (int) value);
  }

  @Override
  public long merge(Integer key, long value, Apply change) {
    return map.merge(key, (int) value, change);
  }

  private static OptionalLong longs(OptionalInt value) {
    return value.isPresent() ? OptionalLong.of(value.getAsInt()) : OptionalLong.empty();
  }

  @Override
  public Map<Integer, Long> retrieved() {
    int[] keys = new int[(int) map.size()];
    int[] values = new int[keys.length];
    return entries(keys, values, map.retrieveAll(keys, values));
  }

  @Override
  public Map<Integer, Long> retrievedLarger(long than) {
    int[] keys = new int[(int) map.size()];
    int[] values = new int[keys.length];
    return entries(keys, values, map.retrieveIf(keys, values, new Larger(than)));
  }

  private static Map<Integer, Long> entries(int[] keys, int[] values, long count) {
    Map<Integer, Long> entries = new HashMap<>();
    for (int i = 0; i < count; i++) {
      entries.merge(keys[i], (long) values[i], (a, b) -> MapDoor.TWICE);
    }
    return entries;
  }

  @Override
  public Map<Integer, Long> walked() {
    Map<Integer, Long> entries = new ConcurrentHashMap<>();
    map.forEach((key, value) -> entries.merge(key, (long) value, (a, b) -> MapDoor.TWICE));
    return entries;
  }

  @Override
  public Map<Integer, Long> view() {
    Map<Integer, Long> entries = new HashMap<>();
    map.asMap().forEach((key, value) -> entries.put(key, (long) value));
    return entries;
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
