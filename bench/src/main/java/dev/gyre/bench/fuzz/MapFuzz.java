package dev.gyre.bench.fuzz;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.GyreException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Maps against a {@code HashMap}. Where several keys of one operation are equal and their order
 * would count, their values are equal, too.
 *
 * @param <K> their keys
 */
record MapFuzz<K>(MapDoor.Kind<K> kind) implements FuzzSubject {

  private static final List<String> OPERATIONS =
      List.of(
          "insert",
          "insert",
          "insertOrAssign",
          "insertAndFind",
          "insertIf",
          "insertLarger",
          "insertOrApply",
          "insertOrApply",
          "find",
          "contains",
          "findLarger",
          "single",
          "single",
          "beside",
          "view",
          "entries",
          "clear",
          "rehash",
          "runOn",
          "saveAndLoad",
          "interrupted",
          "scarce",
          "closed");

  private static final Apply[] CHANGES = Apply.values();

  @Override
  public String name() {
    return kind.name();
  }

  @Override
  public List<String> operations() {
    return OPERATIONS;
  }

  @Override
  public Run start(long seed, FuzzSetting setting) {
    return new MapRun<>(kind, seed, setting);
  }

  private static final class MapRun<K> implements Run {

    private final MapDoor.Kind<K> kind;
    private final long seed;
    private final FuzzSetting setting;
    private final Map<K, Long> model = new HashMap<>();
    private final JvmLauncher other = JvmLauncher.ofWorkers(2);
    private MapDoor<K> map;

    MapRun(MapDoor.Kind<K> kind, long seed, FuzzSetting setting) {
      this.kind = kind;
      this.seed = seed;
      this.setting = setting;
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
        case "insert" -> insert(keys, values);
        case "insertOrAssign" -> assign(keys, values);
        case "insertAndFind" -> insertAndFind(keys, values);
        case "insertIf" -> insertIf(keys, values);
        case "insertLarger" -> insertLarger(keys, values);
        case "insertOrApply" -> apply(keys, values, CHANGES[choice(values, CHANGES.length)]);
        case "find" -> find(keys, Long.MIN_VALUE, false);
        case "contains" ->
            FuzzSubject.same("contains", counts(keys, Long.MIN_VALUE, false), map.contains(keys));
        case "findLarger" -> find(keys, values.length == 0 ? 0 : kind.value(values[0]), true);
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

    private static int choice(long[] values, int of) {
      return values.length == 0 ? 0 : (int) Long.remainderUnsigned(values[0], of);
    }

    /** Values that are the same where keys are. */
    private long[] likeKeys(List<K> keys, long[] values) {
      long salt = values.length == 0 ? 0 : values[0];
      return keys.stream().mapToLong(key -> kind.value(key.hashCode() * 31L + salt)).toArray();
    }

    private InsertCounts put(List<K> keys, long[] values, boolean assign, Set<K> meant) {
      long inserted = 0;
      long present = 0;
      for (int i = 0; i < keys.size(); i++) {
        K key = keys.get(i);
        if (meant.contains(key)) {
          boolean isNew = model.putIfAbsent(key, values[i]) == null;
          inserted += isNew ? 1 : 0;
          present += isNew ? 0 : 1;
          if (assign) {
            model.put(key, values[i]);
          }
        }
      }
      return new InsertCounts(inserted, present, 0);
    }

    private void insert(List<K> keys, long[] given) {
      long[] values = likeKeys(keys, given);
      InsertCounts expected = put(keys, values, false, Set.copyOf(keys));
      FuzzSubject.same("insert", expected, map.insert(keys, values));
    }

    private void assign(List<K> keys, long[] given) {
      long[] values = likeKeys(keys, given);
      InsertCounts expected = put(keys, values, true, Set.copyOf(keys));
      FuzzSubject.same("insertOrAssign", expected, map.insertOrAssign(keys, values));
    }

    private void insertAndFind(List<K> keys, long[] given) {
      long[] values = likeKeys(keys, given);
      long[] found = new long[values.length];
      InsertCounts expected = put(keys, values, false, Set.copyOf(keys));
      FuzzSubject.same("insertAndFind", expected, map.insertAndFind(keys, values, found));
      for (int i = 0; i < found.length; i++) {
        FuzzSubject.same("found of " + keys.get(i), model.get(keys.get(i)), found[i]);
      }
    }

    private void insertIf(List<K> keys, long[] given) {
      long[] values = likeKeys(keys, given);
      boolean[] mask = new boolean[values.length];
      Set<K> meant = new LinkedHashSet<>();
      for (int i = 0; i < mask.length; i++) {
        mask[i] = (keys.get(i).hashCode() & 1) == 0;
        if (mask[i]) {
          meant.add(keys.get(i));
        }
      }
      InsertCounts expected = put(keys, values, false, meant);
      FuzzSubject.same("insertIf", expected, map.insertIf(keys, values, mask));
    }

    private void insertLarger(List<K> keys, long[] given) {
      long[] values = likeKeys(keys, given);
      long than = values.length == 0 ? 0 : values[0];
      Set<K> meant = new LinkedHashSet<>();
      for (int i = 0; i < values.length; i++) {
        if (values[i] > than) {
          meant.add(keys.get(i));
        }
      }
      InsertCounts expected = put(keys, values, false, meant);
      FuzzSubject.same("insertIf larger", expected, map.insertLarger(keys, values, than));
    }

    private void apply(List<K> keys, long[] given, Apply change) {
      long[] values = change == Apply.ASSIGN ? likeKeys(keys, given) : given.clone();
      long inserted = 0;
      for (int i = 0; i < values.length; i++) {
        values[i] = kind.value(values[i]);
        inserted += model.containsKey(keys.get(i)) ? 0 : 1;
        model.merge(keys.get(i), values[i], (a, b) -> changed(a, b, change));
      }
      FuzzSubject.same(
          "insertOrApply " + change,
          new InsertCounts(inserted, values.length - inserted, 0),
          map.insertOrApply(keys, values, change));
    }

    private long changed(long present, long given, Apply change) {
      return kind.value(
          switch (change) {
            case ADD -> present + given;
            case MIN -> Math.min(present, given);
            case MAX -> Math.max(present, given);
            case ASSIGN -> given;
            case AND -> present & given;
            case OR -> present | given;
            case XOR -> present ^ given;
          });
    }

    private FindCounts counts(List<K> keys, long than, boolean larger) {
      long found =
          keys.stream().map(model::get).filter(v -> v != null && (!larger || v > than)).count();
      return new FindCounts(found, keys.size() - found);
    }

    private void find(List<K> keys, long than, boolean larger) {
      long[] found = new long[keys.size()];
      FindCounts counts = larger ? map.findLarger(keys, found, than) : map.find(keys, found);
      FuzzSubject.same(larger ? "findIf" : "find", counts(keys, than, larger), counts);
      for (int i = 0; i < found.length; i++) {
        Long value = model.get(keys.get(i));
        boolean meant = value != null && (!larger || value > than);
        FuzzSubject.same("value of " + keys.get(i), meant ? value : 0L, found[i]);
      }
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
            Apply change = CHANGES[(int) Long.remainderUnsigned(values[i] >>> 3, CHANGES.length)];
            long after = model.merge(key, value, (a, b) -> changed(a, b, change));
            FuzzSubject.same("merge " + change, after, map.merge(key, value, change));
          }
        }
      }
    }

    /** Threads that add to single keys at once, while the map grows. */
    private void beside(List<K> keys, long[] values) {
      List<Thread> threads = new ArrayList<>();
      List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
      for (int t = 0; t < setting.threads(); t++) {
        int first = t;
        threads.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        for (int i = first; i < keys.size(); i += setting.threads()) {
                          map.merge(keys.get(i), kind.value(values[i]), Apply.ADD);
                        }
                      } catch (RuntimeException | Error e) {
                        failures.add(e);
                      }
                    }));
      }
      for (Thread thread : threads) {
        Waits.join(thread);
      }
      for (int i = 0; i < values.length; i++) {
        model.merge(keys.get(i), kind.value(values[i]), (a, b) -> changed(a, b, Apply.ADD));
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
      try (Waits.Scarcity _ = Waits.scarcity(values.length * 8L)) {
        failure = attempt(keys, values);
      }
      again(keys, values, failure);
    }

    private @Nullable GyreException attempt(List<K> keys, long[] given) {
      try {
        map.insertOrAssign(keys, likeKeys(keys, given));
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
      long[] values = likeKeys(keys, given);
      put(keys, values, true, Set.copyOf(keys));
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
}
