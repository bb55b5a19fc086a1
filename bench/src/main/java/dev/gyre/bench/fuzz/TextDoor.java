package dev.gyre.bench.fuzz;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/** A map of texts. */
record TextDoor(TextLongMap map) implements MapDoor<String> {

  /** Chooses entries by their value. */
  record Larger(long than) implements TextPredicate {
    @Override
    public boolean test(Text key, long value) {
      return value > than;
    }
  }

  /** Made by the builder, in a layout of the seed's. */
  static final class Kind implements MapDoor.Kind<String> {

    @Override
    public String name() {
      return "TextLongMap";
    }

    @Override
    public String key(long number) {
      return FuzzTexts.text(number);
    }

    @Override
    public long value(long number) {
      return number;
    }

    @Override
    public TextDoor create(long seed, FuzzSetting setting) {
      var builder = TextLongMap.builder().workers(setting.threads()).capacity(1 + (seed & 0xff));
      return new TextDoor(
          (setting.launcher() == null ? builder : builder.launcher(setting.launcher())).build());
    }

    @Override
    public TextDoor load(Path file) {
      return new TextDoor(TextLongMap.load(file));
    }
  }

  @Override
  public InsertCounts insert(List<String> keys, long[] values) {
    return map.insert(keys, values);
  }

  @Override
  public InsertCounts insertOrAssign(List<String> keys, long[] values) {
    return map.insertOrAssign(keys, values);
  }

  @Override
  public InsertCounts insertAndFind(List<String> keys, long[] values, long[] found) {
    return map.insertAndFind(keys, values, found);
  }

  @Override
  public InsertCounts insertIf(List<String> keys, long[] values, boolean[] mask) {
    return map.insertIf(keys, values, mask);
  }

  @Override
  public InsertCounts insertOrApply(List<String> keys, long[] values, Apply change) {
    return map.insertOrApply(keys, values, change);
  }

  @Override
  public InsertCounts insertLarger(List<String> keys, long[] values, long than) {
    return map.insertIf(keys, values, new Larger(than));
  }

  @Override
  public FindCounts find(List<String> keys, long[] found) {
    return map.find(keys, found);
  }

  @Override
  public FindCounts contains(List<String> keys) {
    return map.contains(keys);
  }

  @Override
  public FindCounts findLarger(List<String> keys, long[] found, long than) {
    return map.findIf(keys, found, new Larger(than));
  }

  @Override
  public OptionalLong get(String key) {
    return map.get(key);
  }

  @Override
  public long getOrDefault(String key, long otherwise) {
    return map.getOrDefault(key, otherwise);
  }

  @Override
  public boolean containsKey(String key) {
    return map.containsKey(key);
  }

  @Override
  public OptionalLong put(String key, long value) {
    return map.put(key, value);
  }

  @Override
  public OptionalLong putIfAbsent(String key, long value) {
    return map.putIfAbsent(key, value);
  }

  @Override
  public OptionalLong replace(String key, long value) {
    return map.replace(key, value);
  }

  @Override
  public boolean replace(String key, long expected, long value) {
    return map.replace(key, expected, value);
  }

  @Override
  public long merge(String key, long value, Apply change) {
    return map.merge(key, value, change);
  }

  @Override
  public Map<String, Long> retrieved() {
    try (TextKeys keys = new TextKeys()) {
      long[] values = new long[(int) map.size()];
      return entries(keys, values, map.retrieveAll(keys, Longs.of(values)));
    }
  }

  @Override
  public Map<String, Long> retrievedLarger(long than) {
    try (TextKeys keys = new TextKeys()) {
      long[] values = new long[(int) map.size()];
      return entries(keys, values, map.retrieveIf(keys, Longs.of(values), new Larger(than)));
    }
  }

  private static Map<String, Long> entries(TextKeys keys, long[] values, long count) {
    Map<String, Long> entries = new HashMap<>();
    for (int i = 0; i < count; i++) {
      entries.merge(keys.text(i), values[i], (a, b) -> MapDoor.TWICE);
    }
    return entries;
  }

  @Override
  public Map<String, Long> walked() {
    Map<String, Long> entries = new ConcurrentHashMap<>();
    map.forEach((key, value) -> entries.merge(key, value, (a, b) -> MapDoor.TWICE));
    return entries;
  }

  @Override
  public Map<String, Long> view() {
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
