package dev.gyre.bench.fuzz;

import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Bulk operations on a map and on its model. Where several keys of one operation are equal and
 * their order would count, their values are made equal, too.
 *
 * @param <K> the map's keys
 */
record MapBulk<K>(MapDoor.Kind<K> kind, Map<K, Long> model) {

  static final Apply[] CHANGES = Apply.values();

  private static int choice(long[] values, int of) {
    return values.length == 0 ? 0 : (int) Long.remainderUnsigned(values[0], of);
  }

  /** Values that are the same where keys are. */
  long[] likeKeys(List<K> keys, long[] values) {
    long salt = values.length == 0 ? 0 : values[0];
    return keys.stream().mapToLong(key -> kind.value(key.hashCode() * 31L + salt)).toArray();
  }

  InsertCounts put(List<K> keys, long[] values, boolean assign, Set<K> meant) {
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

  void insert(MapDoor<K> map, List<K> keys, long[] given) {
    long[] values = likeKeys(keys, given);
    InsertCounts expected = put(keys, values, false, Set.copyOf(keys));
    FuzzSubject.same("insert", expected, map.insert(keys, values));
  }

  void assign(MapDoor<K> map, List<K> keys, long[] given) {
    long[] values = likeKeys(keys, given);
    InsertCounts expected = put(keys, values, true, Set.copyOf(keys));
    FuzzSubject.same("insertOrAssign", expected, map.insertOrAssign(keys, values));
  }

  void insertAndFind(MapDoor<K> map, List<K> keys, long[] given) {
    long[] values = likeKeys(keys, given);
    long[] found = new long[values.length];
    InsertCounts expected = put(keys, values, false, Set.copyOf(keys));
    FuzzSubject.same("insertAndFind", expected, map.insertAndFind(keys, values, found));
    for (int i = 0; i < found.length; i++) {
      FuzzSubject.same("found of " + keys.get(i), model.get(keys.get(i)), found[i]);
    }
  }

  void insertIf(MapDoor<K> map, List<K> keys, long[] given) {
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

  void insertLarger(MapDoor<K> map, List<K> keys, long[] given) {
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

  void apply(MapDoor<K> map, List<K> keys, long[] given) {
    Apply change = CHANGES[choice(given, CHANGES.length)];
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

  long changed(long present, long given, Apply change) {
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

  void contains(MapDoor<K> map, List<K> keys) {
    FuzzSubject.same("contains", counts(keys, Long.MIN_VALUE, false), map.contains(keys));
  }

  void find(MapDoor<K> map, List<K> keys, long than, boolean larger) {
    long[] found = new long[keys.size()];
    FindCounts counts = larger ? map.findLarger(keys, found, than) : map.find(keys, found);
    FuzzSubject.same(larger ? "findIf" : "find", counts(keys, than, larger), counts);
    for (int i = 0; i < found.length; i++) {
      Long value = model.get(keys.get(i));
      long expected = value != null && (!larger || value > than) ? value : 0;
      FuzzSubject.same("value of " + keys.get(i), expected, found[i]);
    }
  }
}
