package dev.gyre.structures.group;

import static dev.gyre.structures.group.GroupEntries.HEADER;

import dev.gyre.structures.group.Plan.Aggregate;
import dev.gyre.structures.group.Plan.Aggregate.Kind;
import dev.gyre.structures.group.Plan.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Layout of the state of all aggregates of a group: a row of words.
 *
 * <p>A row has a count of rows, if it is asked for. Then it has for each column the number of
 * values that are not null, and the sum, the minimum and the maximum if they are needed. The sum of
 * longs has two words, the lower one first. The sum of doubles is a double and the sum of its
 * rounding errors.
 */
final class StateRow {

  /** How a word of a state is merged with another; 0 is the state of no values. */
  private enum Merge {
    ADD,
    /** An extreme: the greater one as an unsigned number. */
    EXTREME,
    /** The lower word of a sum of longs. */
    SUM,
    /** The first word of a sum of doubles. */
    REAL_SUM,
    /** The second word of a sum, which is merged with the first one. */
    SECOND
  }

  /** The xor of a minimum and of its word, so that 0 stands for the greatest long. */
  static final long MIN = Long.MAX_VALUE;

  /** The xor of a maximum and of its word, so that 0 stands for the least long. */
  static final long MAX = Long.MIN_VALUE;

  /** The words of a column, or -1. */
  record OfColumn(String column, Field field, int count, int sum, int min, int max) {

    /** Adds values that are not null to rows of states. */
    void add(long[] rows, int[] at, long[] values, int n) {
      increment(rows, at, n, count);
      if (sum >= 0 && field.isReal()) {
        addReals(rows, at, values, n);
      } else if (sum >= 0) {
        addLongs(rows, at, values, n);
      }
      if (field.isReal() && (min >= 0 || max >= 0)) {
        for (int i = 0; i < n; i++) {
          values[i] = Reals.ordered(Double.longBitsToDouble(values[i]));
        }
      }
      extreme(rows, at, values, n, min, MIN);
      extreme(rows, at, values, n, max, MAX);
    }

    private static void extreme(
        long[] rows, int[] at, long[] values, int n, int word, long encoding) {
      for (int i = 0; i < n && word >= 0; i++) {
        rows[at[i] + word] = greater(rows[at[i] + word], values[i] ^ encoding);
      }
    }

    private void addLongs(long[] rows, int[] at, long[] values, int n) {
      for (int i = 0; i < n; i++) {
        int to = at[i] + sum;
        long value = values[i];
        long low = rows[to] + value;
        rows[to] = low;
        rows[to + 1] += (value >> (Long.SIZE - 1)) + carry(low, value);
      }
    }

    private void addReals(long[] rows, int[] at, long[] values, int n) {
      for (int i = 0; i < n; i++) {
        int to = at[i] + sum;
        double before = Double.longBitsToDouble(rows[to]);
        double value = Double.longBitsToDouble(values[i]);
        double after = before + value;
        double errors = Double.longBitsToDouble(rows[to + 1]) + Reals.error(before, value, after);
        rows[to] = Double.doubleToRawLongBits(after);
        rows[to + 1] = Double.doubleToRawLongBits(errors);
      }
    }
  }

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE;

  private final List<OfColumn> columns = new ArrayList<>();
  private final Map<String, Integer> distincts = new LinkedHashMap<>();
  private final List<Merge> merges = new ArrayList<>();
  private final boolean countsRows;
  private final Merge[] ofWords;

  /**
   * Creates the layout of some aggregates.
   *
   * @param fields types of the aggregated columns
   */
  StateRow(List<Aggregate> aggregates, Map<String, Field> fields) {
    this.countsRows = aggregates.contains(new Aggregate(Kind.COUNT, null));
    int _ = word(countsRows, Merge.ADD);
    Set<String> names = new LinkedHashSet<>();
    for (Aggregate aggregate : aggregates) {
      if (aggregate.kind() == Kind.DISTINCT) {
        distincts.put(Objects.requireNonNull(aggregate.column()), word(true, Merge.ADD));
      } else if (aggregate.column() != null) {
        names.add(aggregate.column());
      }
    }
    for (String name : names) {
      Field field = Objects.requireNonNull(fields.get(name));
      boolean mean = aggregates.contains(new Aggregate(Kind.MEAN, name));
      int count = word(true, Merge.ADD);
      int sum =
          word(
              mean || aggregates.contains(new Aggregate(Kind.SUM, name)),
              field.isReal() ? Merge.REAL_SUM : Merge.SUM);
      int _ = word(sum >= 0, Merge.SECOND);
      int min = word(aggregates.contains(new Aggregate(Kind.MIN, name)), Merge.EXTREME);
      int max = word(aggregates.contains(new Aggregate(Kind.MAX, name)), Merge.EXTREME);
      columns.add(new OfColumn(name, field, count, sum, min, max));
    }
    this.ofWords = merges.toArray(Merge[]::new);
  }

  /** Returns the state of keys alone. */
  static StateRow ofNothing() {
    return new StateRow(List.of(), Map.of());
  }

  private int word(boolean needed, Merge merge) {
    if (needed) {
      merges.add(merge);
    }
    return needed ? merges.size() - 1 : -1;
  }

  /** Returns the number of words. */
  int words() {
    return ofWords.length;
  }

  List<OfColumn> columns() {
    return columns;
  }

  /** Returns the word with the number of distinct values of a column, which a result computes. */
  int distinct(String column) {
    return Objects.requireNonNull(distincts.get(column));
  }

  /** Returns the columns whose distinct values are counted. */
  List<String> distincts() {
    return List.copyOf(distincts.keySet());
  }

  /** Returns the words of a column. */
  OfColumn of(@Nullable String column) {
    return columns.stream().filter(c -> c.column().equals(column)).findFirst().orElseThrow();
  }

  /** Returns the word with the count that an aggregate is or depends on. */
  int count(Aggregate of) {
    String column = of.column();
    if (column == null) {
      return 0;
    }
    return of.kind() == Kind.DISTINCT ? distinct(column) : of(column).count();
  }

  /** Counts rows of the states at some places. */
  void count(long[] rows, int[] at, int n) {
    if (countsRows) {
      increment(rows, at, n, 0);
    }
  }

  private static void increment(long[] rows, int[] at, int n, int word) {
    for (int i = 0; i < n; i++) {
      rows[at[i] + word]++;
    }
  }

  /**
   * Merges states into others, word by word, so that the accesses to rows overlap.
   *
   * @param at where each state begins in the rows, from an index on
   * @param to rows as in {@link GroupEntries}
   * @param numbers the number of the row for each; they are overwritten
   */
  void merge(long[] rows, int[] at, int begin, int count, MemorySegment to, long[] numbers) {
    for (int i = 0; i < count; i++) {
      numbers[i] = (numbers[i] * (HEADER + ofWords.length) + HEADER) * Long.BYTES;
    }
    for (int word = 0; word < ofWords.length; word++) {
      long byteOfWord = (long) word * Long.BYTES;
      switch (ofWords[word]) {
        case ADD -> {
          for (int i = 0; i < count; i++) {
            long place = numbers[i] + byteOfWord;
            to.set(LONG, place, to.get(LONG, place) + rows[at[begin + i] + word]);
          }
        }
        case EXTREME -> {
          for (int i = 0; i < count; i++) {
            long place = numbers[i] + byteOfWord;
            to.set(LONG, place, greater(to.get(LONG, place), rows[at[begin + i] + word]));
          }
        }
        case SUM -> {
          for (int i = 0; i < count; i++) {
            long place = numbers[i] + byteOfWord;
            int from = at[begin + i] + word;
            long low = to.get(LONG, place) + rows[from];
            long high = to.get(LONG, place + Long.BYTES) + rows[from + 1];
            to.set(LONG, place, low);
            to.set(LONG, place + Long.BYTES, high + carry(low, rows[from]));
          }
        }
        case REAL_SUM -> {
          for (int i = 0; i < count; i++) {
            long place = numbers[i] + byteOfWord;
            int from = at[begin + i] + word;
            double before = to.get(DOUBLE, place);
            double more = Double.longBitsToDouble(rows[from]);
            double errors =
                to.get(DOUBLE, place + Long.BYTES)
                    + Double.longBitsToDouble(rows[from + 1])
                    + Reals.error(before, more, before + more);
            to.set(DOUBLE, place, before + more);
            to.set(DOUBLE, place + Long.BYTES, errors);
          }
        }
        case SECOND -> {}
      }
    }
  }

  private static long greater(long a, long b) {
    return Long.compareUnsigned(a, b) < 0 ? b : a;
  }

  private static long carry(long low, long value) {
    return Long.compareUnsigned(low, value) < 0 ? 1 : 0;
  }
}
