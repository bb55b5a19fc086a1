package dev.gyre.structures.fuzz;

import dev.gyre.structures.Checks;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.MapAdapter;
import dev.gyre.structures.map.Outcome;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Bulk operations on a map and on its model. Where several keys of one operation are equal and
 * their order would count, their values are made equal, too.
 */
record MapBulk(MapFuzz kind, Map<Long, Long> model, FuzzWays ways) {

  static final Apply[] CHANGES = Apply.values();

  /** What is not in an output before a call. */
  private static final long UNTOUCHED = 5_555;

  /** Options of one call, and what they leave out. */
  @SuppressWarnings("ArrayRecordComponent") // Compared with nothing.
  private record Chosen(
      BulkOptions options, boolean @Nullable [] mask, byte @Nullable [] outcomes) {

    boolean has(int key) {
      return mask == null || mask[key];
    }

    long count(int keys) {
      long all = 0;
      for (int i = 0; i < keys; i++) {
        all += has(i) ? 1 : 0;
      }
      return all;
    }

    /** Fails unless so many keys have each outcome, and those left out are SKIPPED. */
    void check(int keys, Outcome one, long ones, Outcome other) {
      for (int i = 0; outcomes != null && i < keys; i++) {
        Outcome is = Outcome.of(outcomes[i]);
        boolean fits = has(i) ? is == one || is == other : is == Outcome.SKIPPED;
        if (!fits) {
          throw new AssertionError("outcome of key " + i + ": " + is);
        }
        ones -= is == one ? 1 : 0;
      }
      Checks.same("outcomes " + one + " too few", 0L, outcomes == null ? 0L : ones);
    }
  }

  /** Mask and outcomes, in arrays or in segments, by the first value. */
  private Chosen chosen(long[] keys, long[] given) {
    long bits = given.length == 0 ? 0 : given[0] >>> 1;
    boolean[] mask = (bits & 5) == 1 ? new boolean[keys.length] : null;
    byte[] bytes = new byte[keys.length];
    for (int i = 0; mask != null && i < mask.length; i++) {
      mask[i] = (keys[i] & 1) == 0;
      bytes[i] = (byte) (mask[i] ? keys[i] | 1 : 0);
    }
    byte[] outcomes = (bits & 6) == 2 ? new byte[keys.length] : null;
    boolean segments = (bits & 8) != 0;
    BulkOptions options = BulkOptions.NONE;
    if (mask != null) {
      options = segments ? options.where(MemorySegment.ofArray(bytes)) : options.where(mask);
    }
    if (outcomes != null) {
      options =
          segments ? options.outcomes(MemorySegment.ofArray(outcomes)) : options.outcomes(outcomes);
    }
    ways.step(options != BulkOptions.NONE);
    return new Chosen(options, mask, outcomes);
  }

  /** The same and now and then a predicate as well: keys of larger values only. */
  private Chosen chosen(MapAdapter map, long[] keys, long[] given, long[] values) {
    Chosen chosen = chosen(keys, given);
    if (values.length == 0 || (given[0] >>> 5 & 7) != 0) {
      return chosen;
    }
    long than = values[values.length / 2];
    boolean[] larger = new boolean[keys.length];
    for (int i = 0; i < larger.length; i++) {
      larger[i] = chosen.has(i) && values[i] > than;
    }
    return new Chosen(map.where(chosen.options, than), larger, chosen.outcomes);
  }

  private static int choice(long[] values, int of) {
    return values.length == 0 ? 0 : (int) Long.remainderUnsigned(values[0], of);
  }

  /** Values that are the same where keys are. */
  long[] likeKeys(long[] keys, long[] given) {
    long salt = given.length == 0 ? 0 : given[0];
    long[] values = new long[keys.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = kind.value(keys[i] * 31 + salt);
    }
    return values;
  }

  /** Puts into the model; says how many keys are new. */
  InsertCounts put(long[] keys, long[] values, boolean assign, LongPredicate meant) {
    long inserted = 0;
    long present = 0;
    for (int i = 0; i < keys.length; i++) {
      if (meant.test(i)) {
        boolean isNew = model.putIfAbsent(keys[i], values[i]) == null;
        inserted += isNew ? 1 : 0;
        present += isNew ? 0 : 1;
        if (assign && !isNew) {
          model.put(keys[i], values[i]);
        }
      }
    }
    return new InsertCounts(inserted, present, 0);
  }

  void insert(MapAdapter map, long[] keys, long[] given, boolean assign) {
    long[] values = likeKeys(keys, given);
    Chosen chosen = chosen(map, keys, given, values);
    InsertCounts expected = put(keys, values, assign, i -> chosen.has((int) i));
    Checks.same(
        assign ? "insertOrAssign" : "insert",
        expected,
        assign
            ? map.insertOrAssign(keys, values, chosen.options)
            : map.insert(keys, values, chosen.options));
    chosen.check(keys.length, Outcome.INSERTED, expected.inserted(), Outcome.PRESENT);
  }

  void insertAndFind(MapAdapter map, long[] keys, long[] given) {
    long[] values = likeKeys(keys, given);
    long[] found = untouched(values.length);
    Chosen chosen = chosen(map, keys, given, values);
    InsertCounts expected = put(keys, values, false, i -> chosen.has((int) i));
    Checks.same("insertAndFind", expected, map.insertAndFind(keys, values, found, chosen.options));
    for (int i = 0; i < found.length; i++) {
      long value = chosen.has(i) ? model.getOrDefault(keys[i], UNTOUCHED) : UNTOUCHED;
      Checks.same("found of", keys[i], value, found[i]);
    }
    chosen.check(keys.length, Outcome.INSERTED, expected.inserted(), Outcome.PRESENT);
  }

  private static long[] untouched(int length) {
    long[] found = new long[length];
    Arrays.fill(found, UNTOUCHED);
    return found;
  }

  void insertLarger(MapAdapter map, long[] keys, long[] given) {
    long[] values = likeKeys(keys, given);
    long than = values.length == 0 ? 0 : values[0];
    InsertCounts expected = put(keys, values, false, i -> values[(int) i] > than);
    Checks.same("insertIf", expected, map.insert(keys, values, map.where(BulkOptions.NONE, than)));
  }

  void apply(MapAdapter map, long[] keys, long[] given) {
    Apply change = CHANGES[choice(given, CHANGES.length)];
    long[] values = change == Apply.ASSIGN ? likeKeys(keys, given) : like(given);
    Chosen chosen = chosen(map, keys, given, values);
    long inserted = merge(keys, values, change, chosen);
    Checks.same(
        "insertOrApply " + change,
        new InsertCounts(inserted, chosen.count(keys.length) - inserted, 0),
        map.insertOrApply(keys, values, change, chosen.options));
    chosen.check(keys.length, Outcome.INSERTED, inserted, Outcome.PRESENT);
  }

  private long merge(long[] keys, long[] values, Apply change, Chosen chosen) {
    long before = model.size();
    for (int i = 0; i < values.length; i++) {
      if (chosen.has(i)) {
        model.merge(keys[i], values[i], (a, b) -> changed(a, b, change));
      }
    }
    return model.size() - before;
  }

  /** As {@code insertOrApply} of ADD does. */
  void added(long[] keys, long[] values) {
    var _ = merge(keys, values, Apply.ADD, new Chosen(BulkOptions.NONE, null, null));
  }

  /** Numbers as values of this kind. */
  long[] like(long[] given) {
    long[] values = given.clone();
    for (int i = 0; i < values.length; i++) {
      values[i] = kind.value(values[i]);
    }
    return values;
  }

  /** As a fold of the larger one does; returns how many keys are new. */
  long folded(long[] keys, long[] values) {
    long before = model.size();
    for (int i = 0; i < values.length; i++) {
      model.merge(keys[i], values[i], new MapAdapter.LargerUnsigned()::apply);
    }
    return model.size() - before;
  }

  void fold(MapAdapter map, long[] keys, long[] given) {
    long[] values = like(given);
    long inserted = folded(keys, values);
    ways.step(false);
    Checks.same(
        "insertOrApply of a fold",
        new InsertCounts(inserted, values.length - inserted, 0),
        map.insertOrApply(keys, values, new MapAdapter.LargerUnsigned(), BulkOptions.NONE));
  }

  long changed(long present, long given, Apply change) {
    return kind.value(applied(change, present, given));
  }

  /** What a change makes of a value, as its documentation says. */
  static long applied(Apply change, long present, long given) {
    return switch (change) {
      case ADD -> present + given;
      case MIN -> Math.min(present, given);
      case MAX -> Math.max(present, given);
      case ASSIGN -> given;
      case AND -> present & given;
      case OR -> present | given;
      case XOR -> present ^ given;
    };
  }

  private FindCounts counts(long[] keys, long than, boolean larger, Chosen chosen) {
    long found = 0;
    for (int i = 0; i < keys.length; i++) {
      Long value = chosen.has(i) ? model.get(keys[i]) : null;
      found += value != null && (!larger || value > than) ? 1 : 0;
    }
    return new FindCounts(found, chosen.count(keys.length) - found);
  }

  void contains(MapAdapter map, long[] keys, long[] given) {
    Chosen chosen = chosen(keys, given);
    FindCounts expected = counts(keys, 0, false, chosen);
    Checks.same("contains", expected, map.find(keys, null, chosen.options));
    chosen.check(keys.length, Outcome.FOUND, expected.found(), Outcome.ABSENT);
  }

  void removeAll(MapAdapter map, long[] keys, long[] given) {
    Chosen chosen = chosen(keys, given);
    long[] found = choice(given, 2) == 0 ? untouched(keys.length) : null;
    FindCounts counts = map.removeAll(keys, found, chosen.options);
    Map<Long, Long> gone = new HashMap<>();
    long removed = 0;
    for (int i = 0; i < keys.length; i++) {
      if (chosen.has(i)) {
        Long before = model.remove(keys[i]);
        removed += before == null ? 0 : 1;
        if (before != null) {
          gone.put(keys[i], before);
        }
      }
    }
    Checks.same("removeAll", new FindCounts(removed, chosen.count(keys.length) - removed), counts);
    chosen.check(keys.length, Outcome.REMOVED, removed, Outcome.ABSENT);
    Map<Long, Long> met = new HashMap<>();
    for (int i = 0; found != null && i < keys.length; i++) {
      if (chosen.has(i)) {
        met.merge(keys[i], found[i], Long::sum);
      } else {
        Checks.same("left out", UNTOUCHED, found[i]);
      }
    }
    met.forEach((key, sum) -> Checks.same("had " + key, gone.getOrDefault(key, 0L), sum));
  }

  void removeLarger(MapAdapter map, long than) {
    long before = model.size();
    model.values().removeIf(value -> value > than);
    Checks.same("removeIf", before - model.size(), map.removeLarger(than));
  }

  void find(MapAdapter map, long[] keys, long[] given) {
    Chosen chosen = chosen(keys, given);
    long[] found = untouched(keys.length);
    FindCounts expected = counts(keys, 0, false, chosen);
    Checks.same("find", expected, map.find(keys, found, chosen.options));
    for (int i = 0; i < found.length; i++) {
      long value = chosen.has(i) ? model.getOrDefault(keys[i], 0L) : UNTOUCHED;
      Checks.same("value of", keys[i], value, found[i]);
    }
    chosen.check(keys.length, Outcome.FOUND, expected.found(), Outcome.ABSENT);
  }

  void findLarger(MapAdapter map, long[] keys, long than) {
    long[] found = new long[keys.length];
    Chosen all = new Chosen(BulkOptions.NONE, null, null);
    FindCounts expected = counts(keys, than, true, all);
    Checks.same("findIf", expected, map.find(keys, found, map.where(BulkOptions.NONE, than)));
    for (int i = 0; i < found.length; i++) {
      Long value = model.get(keys[i]);
      Checks.same("value of", keys[i], value != null && value > than ? value : 0, found[i]);
    }
  }
}
