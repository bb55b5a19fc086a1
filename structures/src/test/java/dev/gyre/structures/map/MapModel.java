package dev.gyre.structures.map;

import dev.gyre.structures.map.MapSubject.Change;
import dev.gyre.structures.map.MapSubject.Kind;
import dev.gyre.structures.map.MapSubject.Scale;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A {@code HashMap} beside a map under test, which says after each operation whether it was right.
 */
final class MapModel implements AutoCloseable {

  private static final long UNTOUCHED = 77;

  final Kind kind;
  final MapSubject map;
  private final boolean fixed;
  private final long capacity;
  private final Map<Long, Long> expected = new HashMap<>();

  MapModel(Kind kind, long capacity, boolean fixed, double loadFactor, long seed) {
    this.kind = kind;
    this.map = kind.build(capacity, fixed, loadFactor, seed);
    this.fixed = fixed;
    this.capacity = capacity;
  }

  /** Inserts, and checks outcomes, sums, values and the whole map. */
  void insert(long[] keys, long[] values, Change change, boolean @Nullable [] mask) {
    byte[] outcomes = new byte[keys.length];
    Arrays.fill(outcomes, (byte) 99);
    long[] found = new long[keys.length];
    Arrays.fill(found, UNTOUCHED);
    BulkOptions options = BulkOptions.NONE.outcomes(outcomes);
    options = mask == null ? options : options.where(mask);
    InsertCounts counts =
        map.insert(keys, values, change, change == Change.FETCH ? found : null, options);
    Map<Long, List<Integer>> places = places(keys, mask);
    check(counts.inserted() == count(outcomes, Outcome.INSERTED), "INSERTED in sum");
    check(counts.present() == count(outcomes, Outcome.PRESENT), "PRESENT in sum");
    check(counts.full() == count(outcomes, Outcome.FULL), "FULL in sum");
    check(
        count(outcomes, Outcome.SKIPPED)
            == keys.length - places.values().stream().mapToInt(List::size).sum(),
        "SKIPPED");
    Map<Long, Long> actual = map.entries();
    boolean anyFull = false;
    for (var entry : places.entrySet()) {
      anyFull |=
          checkKey(entry.getKey(), entry.getValue(), values, change, outcomes, found, actual);
    }
    check(!anyFull || (fixed && expected.size() == capacity), "FULL although there is room");
    for (int i = 0; i < keys.length; i++) {
      boolean left = mask != null && !mask[i];
      check(!left || (outcomes[i] == 0 && found[i] == UNTOUCHED), "a masked key was touched");
    }
    checkAll(actual);
  }

  private static Map<Long, List<Integer>> places(long[] keys, boolean @Nullable [] mask) {
    Map<Long, List<Integer>> places = new HashMap<>();
    for (int i = 0; i < keys.length; i++) {
      if (mask == null || mask[i]) {
        places.computeIfAbsent(keys[i], key -> new ArrayList<>()).add(i);
      }
    }
    return places;
  }

  /** Checks one key of an insert and brings the model up to date; returns whether it was FULL. */
  private boolean checkKey(
      long key,
      List<Integer> places,
      long[] values,
      Change change,
      byte[] outcomes,
      long[] found,
      Map<Long, Long> actual) {
    Long before = expected.get(key);
    long inserted = places.stream().filter(i -> outcomes[i] == Outcome.INSERTED.code()).count();
    long full = places.stream().filter(i -> outcomes[i] == Outcome.FULL.code()).count();
    if (full > 0) {
      check(full == places.size() && before == null, "some of equal keys are FULL, or one present");
      check(!actual.containsKey(key), "a FULL key is there");
      return true;
    }
    check(inserted == (before == null ? 1 : 0), "INSERTED of equal keys: " + inserted);
    Long after = actual.get(key);
    check(after != null, "key " + key + " is not there");
    long value = after == null ? 0 : after;
    checkValue(key, before, value, places, values, change);
    for (int i : places) {
      boolean own = outcomes[i] == Outcome.INSERTED.code();
      check(
          change != Change.FETCH || (found[i] == value && (!own || value == values[i])),
          "value that insertAndFind gave");
      check(
          !own || (change != Change.KEEP && change != Change.FETCH) || value == values[i],
          "the value of the INSERTED key is not in the map");
    }
    expected.put(key, value);
    return false;
  }

  private void checkValue(
      long key,
      @Nullable Long before,
      long after,
      List<Integer> places,
      long[] values,
      Change change) {
    var own = places.stream().mapToLong(i -> values[i]);
    boolean right =
        switch (change) {
          case KEEP, FETCH -> before == null ? own.anyMatch(v -> v == after) : before == after;
          case ASSIGN -> own.anyMatch(v -> v == after);
          case ADD -> kind.wrap(own.sum() + (before == null ? 0 : before)) == after;
          case MIN ->
              Math.min(own.min().orElseThrow(), before == null ? after : before) == after
                  && (before != null
                      || places.stream().mapToLong(i -> values[i]).min().orElseThrow() == after);
          case MAX ->
              Math.max(own.max().orElseThrow(), before == null ? after : before) == after
                  && (before != null
                      || places.stream().mapToLong(i -> values[i]).max().orElseThrow() == after);
          case AND -> own.reduce(before == null ? -1 : before, (a, b) -> a & b) == after;
          case OR -> own.reduce(before == null ? 0 : before, (a, b) -> a | b) == after;
          case XOR -> own.reduce(before == null ? 0 : before, (a, b) -> a ^ b) == after;
          case FOLD -> isFolded(before, after, own.toArray());
        };
    check(right, change + " of key " + key + " gave " + after + ", before " + before);
  }

  /** Whether a value comes of folding some to one that was there, or to any one of them. */
  private boolean isFolded(@Nullable Long before, long after, long[] values) {
    long[] behind = new long[values.length + 1];
    behind[values.length] = 1;
    for (int i = values.length - 1; i >= 0; i--) {
      behind[i] = Scale.BY_ODD.apply(behind[i + 1], values[i]);
    }
    boolean found = before != null && kind.wrap(before * behind[0]) == after;
    long ahead = 1;
    for (int i = 0; before == null && !found && i < values.length; i++) {
      found = kind.wrap(values[i] * ahead * behind[i + 1]) == after;
      ahead = Scale.BY_ODD.apply(ahead, values[i]);
    }
    return found;
  }

  /** Looks up, and checks values, outcomes and sums. */
  void find(long[] keys, boolean @Nullable [] mask, boolean withValues) {
    byte[] outcomes = new byte[keys.length];
    long[] found = new long[keys.length];
    Arrays.fill(found, UNTOUCHED);
    BulkOptions options = BulkOptions.NONE.outcomes(outcomes);
    options = mask == null ? options : options.where(mask);
    FindCounts counts = map.find(keys, withValues ? found : null, options);
    check(counts.found() == count(outcomes, Outcome.FOUND), "FOUND in sum");
    check(counts.absent() == count(outcomes, Outcome.ABSENT), "ABSENT in sum");
    for (int i = 0; i < keys.length; i++) {
      Long value = expected.get(keys[i]);
      boolean left = mask != null && !mask[i];
      Outcome outcome = left ? Outcome.SKIPPED : value == null ? Outcome.ABSENT : Outcome.FOUND;
      check(outcomes[i] == outcome.code(), "outcome of finding " + keys[i]);
      long wanted = left || !withValues ? UNTOUCHED : value == null ? 0 : value;
      check(found[i] == wanted, "value of " + keys[i] + " is " + found[i] + ", not " + wanted);
    }
  }

  void clear() {
    map.clear();
    expected.clear();
    checkAll(map.entries());
  }

  void rehash() {
    map.rehash(fixed ? capacity : Math.max(1, expected.size()));
    checkAll(map.entries());
  }

  /** Checks what must hold after every bulk operation. */
  void checkAll(Map<Long, Long> actual) {
    check(
        actual.equals(expected),
        "entries are " + actual.size() + ", not " + expected.size() + ", or others");
    check(map.size() == expected.size(), "size");
    check(map.reservedSlots() == 0, "a slot is left RESERVED");
    check(map.walked().equals(expected), "forEach");
  }

  private static long count(byte[] outcomes, Outcome outcome) {
    long count = 0;
    for (byte code : outcomes) {
      count += code == outcome.code() ? 1 : 0;
    }
    return count;
  }

  private static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }

  @Override
  public void close() {
    map.close();
  }
}
