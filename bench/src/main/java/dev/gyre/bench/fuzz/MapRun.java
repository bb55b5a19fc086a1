package dev.gyre.bench.fuzz;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.GyreException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.structures.map.Apply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A map and its model: one operation at a time.
 *
 * @param <K> the map's keys
 */
final class MapRun<K> implements FuzzSubject.Run {

  private final MapDoor.Kind<K> kind;
  private final long seed;
  private final FuzzSetting setting;
  private final Map<K, Long> model = new HashMap<>();
  private final MapBulk<K> bulk;
  private final JvmLauncher other = JvmLauncher.ofWorkers(2);
  private MapDoor<K> map;

  MapRun(MapDoor.Kind<K> kind, long seed, FuzzSetting setting) {
    this.kind = kind;
    this.seed = seed;
    this.setting = setting;
    this.bulk = new MapBulk<>(kind, model);
    this.map = kind.create(seed, setting);
  }

  @Override
  public void close() {
    map.close();
    other.close();
  }

  @Override
  public void step(FuzzStep step) throws IOException {
    List<K> keys = new ArrayList<>();
    for (long key : step.keys()) {
      keys.add(kind.key(key));
    }
    long[] values = step.values();
    switch (step.operation()) {
      case "insert" -> bulk.insert(map, keys, values);
      case "insertOrAssign" -> bulk.assign(map, keys, values);
      case "insertAndFind" -> bulk.insertAndFind(map, keys, values);
      case "insertIf" -> bulk.insertIf(map, keys, values);
      case "insertLarger" -> bulk.insertLarger(map, keys, values);
      case "insertOrApply" -> bulk.apply(map, keys, values);
      case "find" -> bulk.find(map, keys, Long.MIN_VALUE, false);
      case "contains" -> bulk.contains(map, keys);
      case "findLarger" ->
          bulk.find(map, keys, values.length == 0 ? 0 : kind.value(values[0]), true);
      case "single" -> single(keys, values);
      case "beside" -> beside(keys, values);
      case "view" -> FuzzSubject.same("asMap", model, new HashMap<>(map.view()));
      case "entries" -> larger(values.length == 0 ? 0 : kind.value(values[0]));
      case "clear" -> {
        map.clear();
        model.clear();
      }
      case "rehash" -> FuzzSubject.rehash(1 + (step.first() & 0x3ff), model.size(), map::rehash);
      case "runOn" -> map.runOn(other);
      case "saveAndLoad" -> saveAndLoad(step.first());
      case "interrupted" -> interrupted(keys, values);
      case "scarce" -> scarce(keys, values);
      default -> closed();
    }
    FuzzSubject.same("size after " + step.operation(), (long) model.size(), map.size());
    FuzzSubject.same("retrieveAll after " + step.operation(), model, map.retrieved());
    FuzzSubject.same("forEach after " + step.operation(), model, map.walked());
  }

  private void single(List<K> keys, long[] values) {
    for (int i = 0; i < Math.min(keys.size(), 50); i++) {
      K key = keys.get(i);
      long value = kind.value(values[i]);
      Long before = model.get(key);
      OptionalLong was = before == null ? OptionalLong.empty() : OptionalLong.of(before);
      FuzzSubject.same("get", was, map.get(key));
      FuzzSubject.same("containsKey", before != null, map.containsKey(key));
      FuzzSubject.same(
          "getOrDefault", model.getOrDefault(key, value), map.getOrDefault(key, value));
      switch ((int) (values[i] & 7)) {
        case 0 -> {
          FuzzSubject.same("put", was, map.put(key, value));
          model.put(key, value);
        }
        case 1 -> {
          FuzzSubject.same("putIfAbsent", was, map.putIfAbsent(key, value));
          model.putIfAbsent(key, value);
        }
        case 2 -> {
          FuzzSubject.same("replace", was, map.replace(key, value));
          model.replace(key, value);
        }
        case 3 ->
            FuzzSubject.same(
                "replace by another",
                model.replace(key, before == null ? 0 : before, value),
                map.replace(key, before == null ? 0 : before, value));
        default -> {
          Apply change =
              MapBulk.CHANGES[
                  (int) Long.remainderUnsigned(values[i] >>> 3, MapBulk.CHANGES.length)];
          long after = model.merge(key, value, (a, b) -> bulk.changed(a, b, change));
          FuzzSubject.same("merge " + change, after, map.merge(key, value, change));
        }
      }
    }
  }

  /** Threads that add to single keys at once, while the map grows. */
  private void beside(List<K> keys, long[] values) {
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    // Closed, it waits for all.
    try (ExecutorService threads = Executors.newFixedThreadPool(setting.threads())) {
      for (int t = 0; t < setting.threads(); t++) {
        int first = t;
        threads.execute(
            () -> {
              try {
                for (int i = first; i < keys.size(); i += setting.threads()) {
                  map.merge(keys.get(i), kind.value(values[i]), Apply.ADD);
                }
              } catch (RuntimeException | Error e) {
                failures.add(e);
              }
            });
      }
    }
    for (int i = 0; i < values.length; i++) {
      model.merge(keys.get(i), kind.value(values[i]), (a, b) -> bulk.changed(a, b, Apply.ADD));
    }
    FuzzSubject.same("failures of threads", List.of(), failures);
  }

  private void larger(long than) {
    Map<K, Long> expected = new HashMap<>(model);
    expected.values().removeIf(value -> value <= than);
    FuzzSubject.same("retrieveIf", expected, map.retrievedLarger(than));
  }

  private void saveAndLoad(long bits) throws IOException {
    Path file = setting.folder().resolve("saved");
    map.save(file);
    FuzzFiles.damage(file, bits, kind::load);
    MapDoor<K> loaded = kind.load(file);
    map.close();
    map = loaded;
  }

  /** What an interrupt ended is done again. */
  private void interrupted(List<K> keys, long[] values) {
    Thread.currentThread().interrupt();
    again(keys, values, attempt(keys, values));
  }

  /** What found no memory is done again when there is some. */
  private void scarce(List<K> keys, long[] values) {
    @Nullable GyreException failure;
    try (ScarceMemory.Scarcity _ = ScarceMemory.scarcity(values.length * 8L)) {
      failure = attempt(keys, values);
    }
    again(keys, values, failure);
  }

  private @Nullable GyreException attempt(List<K> keys, long[] given) {
    try {
      map.insertOrAssign(keys, bulk.likeKeys(keys, given));
      return null;
    } catch (GyreException e) {
      return e;
    } finally {
      Thread.interrupted();
    }
  }

  private void again(List<K> keys, long[] given, @Nullable GyreException failure) {
    Map<K, Long> there = map.retrieved();
    FuzzSubject.same("size after " + failure, (long) there.size(), map.size());
    if (!there.keySet().containsAll(model.keySet())) {
      throw new AssertionError("keys were lost by " + failure, failure);
    }
    long[] values = bulk.likeKeys(keys, given);
    bulk.put(keys, values, true, Set.copyOf(keys));
    map.insertOrAssign(keys, values);
  }

  private void closed() {
    map.close();
    map.close();
    try {
      map.insert(List.of(kind.key(1)), new long[1]);
      throw new AssertionError("a closed map took a key");
    } catch (ClosedException _) {
      model.clear();
      map = kind.create(seed, setting);
    }
  }
}
