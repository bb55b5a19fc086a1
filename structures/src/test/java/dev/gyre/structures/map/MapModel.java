package dev.gyre.structures.map;

import dev.gyre.structures.map.MapAdapter.Change;
import dev.gyre.structures.map.MapAdapter.Kind;
import dev.gyre.structures.map.MapAdapter.Scale;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A {@code HashMap} beside a map under test, which says after each operation whether it was right.
 */
final class MapModel implements AutoCloseable {

  private static final long UNTOUCHED = 77;

  final Kind kind;
  final MapAdapter map;
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
    long[] own = new long[places.size()];
    int inserted = 0;
    int full = 0;
    for (int n = 0; n < own.length; n++) {
      int i = places.get(n);
      own[n] = values[i];
      inserted += outcomes[i] == Outcome.INSERTED.code() ? 1 : 0;
      full += outcomes[i] == Outcome.FULL.code() ? 1 : 0;
    }
    if (full > 0) {
      check(full == places.size() && before == null, "some of equal keys are FULL, or one present");
      check(!actual.containsKey(key), "a FULL key is there");
      return true;
    }
    if (inserted != (before == null ? 1 : 0)) {
      throw new AssertionError("INSERTED of equal keys " + key + ": " + inserted);
    }
    Long after = actual.get(key);
    if (after == null) {
      throw new AssertionError("key " + key + " is not there");
    }
    long value = after;
    if (!isRight(before, value, own, change)) {
      throw new AssertionError(change + " of key " + key + " gave " + after + ", before " + before);
    }
    for (int i : places) {
      boolean its = outcomes[i] == Outcome.INSERTED.code();
      check(
          change != Change.FETCH || (found[i] == value && (!its || value == values[i])),
          "value that insertAndFind gave");
      check(
          !its || (change != Change.KEEP && change != Change.FETCH) || value == values[i],
          "the value of the INSERTED key is not in the map");
    }
    expected.put(key, value);
    return false;
  }

  /** Whether a value can come of those that were given for its key. */
  private boolean isRight(@Nullable Long before, long after, long[] own, Change change) {
    LongStream given = Arrays.stream(own);
    return switch (change) {
      case KEEP, FETCH -> before == null ? given.anyMatch(v -> v == after) : before == after;
      case ASSIGN -> given.anyMatch(v -> v == after);
      case ADD -> kind.wrap(given.sum() + (before == null ? 0 : before)) == after;
      case MIN -> {
        long least = given.min().orElseThrow();
        yield (before == null ? least : Math.min(least, before)) == after;
      }
      case MAX -> {
        long greatest = given.max().orElseThrow();
        yield (before == null ? greatest : Math.max(greatest, before)) == after;
      }
      case AND -> given.reduce(before == null ? -1 : before, (a, b) -> a & b) == after;
      case OR -> given.reduce(before == null ? 0 : before, (a, b) -> a | b) == after;
      case XOR -> given.reduce(before == null ? 0 : before, (a, b) -> a ^ b) == after;
      case FOLD -> isFolded(before, after, own);
    };
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
      long wanted = left || !withValues ? UNTOUCHED : value == null ? 0 : value;
      if (outcomes[i] != outcome.code() || found[i] != wanted) {
        throw new AssertionError(
            "find of %d gave outcome %d and %d, not %s and %d"
                .formatted(keys[i], outcomes[i], found[i], outcome, wanted));
      }
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
