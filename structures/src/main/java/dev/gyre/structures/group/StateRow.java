package dev.gyre.structures.group;

import dev.gyre.atomics.AddressPin;
import dev.gyre.kernels.group.Reals;
import dev.gyre.structures.group.Plan.Aggregate;
import dev.gyre.structures.group.Plan.Aggregate.Kind;
import dev.gyre.structures.group.Plan.Field;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
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

    /** Returns whether more than a count is computed. */
    boolean needsValues() {
      return sum >= 0 || min >= 0 || max >= 0;
    }

    /** Adds values that are not null to the states at some places. */
    void add(MemorySegment rows, long[] at, long[] values, int n) {
      boolean isReal = field.isReal();
      for (int i = 0; i < n; i++) {
        long state = at[i];
        long value = values[i];
        StateRow.add(rows, state, count, 1);
        if (sum >= 0 && isReal) {
          addReal(rows, state, sum, Double.longBitsToDouble(value), 0);
        } else if (sum >= 0) {
          addLong(rows, state, sum, value, value >> (Long.SIZE - 1));
        }
        if (min >= 0 || max >= 0) {
          extremes(rows, state, isReal ? Reals.ordered(Double.longBitsToDouble(value)) : value);
        }
      }
    }

    private void extremes(MemorySegment rows, long state, long value) {
      if (min >= 0) {
        raise(rows, state, min, value ^ MIN);
      }
      if (max >= 0) {
        raise(rows, state, max, value ^ MAX);
      }
    }
  }

  private final List<OfColumn> columns = new ArrayList<>();
  private final List<String> aggregated;
  private final List<String> distincts = new ArrayList<>();
  private final List<Merge> merges = new ArrayList<>();

  /** The word with the number of rows, or -1. */
  private final int rowCount;

  private final Merge[] ofWords;

  /**
   * Creates the layout of some aggregates.
   *
   * @param fields types of the aggregated columns
   */
  StateRow(List<Aggregate> aggregates, Map<String, Field> fields) {
    this.rowCount = word(aggregates.contains(new Aggregate(Kind.COUNT, null)), Merge.ADD);
    Set<String> names = new LinkedHashSet<>();
    for (Aggregate aggregate : aggregates) {
      if (aggregate.kind() == Kind.DISTINCT) {
        distincts.add(Objects.requireNonNull(aggregate.column()));
        int _ = word(true, Merge.ADD);
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
    this.aggregated = List.copyOf(names);
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

  /** Returns the names of the columns. */
  List<String> aggregated() {
    return aggregated;
  }

  /** Returns the word with the number of rows, or -1. */
  int rowCount() {
    return rowCount;
  }

  /** Returns the word with the number of distinct values of a column, which a result computes. */
  int distinct(String column) {
    return rowCount + 1 + distincts.indexOf(column);
  }

  /** Returns the columns whose distinct values are counted. */
  List<String> distincts() {
    return distincts;
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

  private static int bytes(int word) {
    // So that HotSpot knows that it is not negative.
    return (word * Long.BYTES) & Integer.MAX_VALUE;
  }

  /** Counts rows of the states at some places. */
  void count(MemorySegment rows, long[] at, int n) {
    if (rowCount >= 0) {
      increment(rows, at, n, rowCount);
    }
  }

  /** Adds 1 to a word of the states at some places. */
  static void increment(MemorySegment rows, long[] at, int n, int word) {
    for (int i = 0; i < n; i++) {
      add(rows, at[i], word, 1);
    }
  }

  /** Sets a word of all states to 0. */
  void clear(KeyRows rows, int word) {
    for (long row = rows.first(); row < rows.used(); row++) {
      rows.set(rows.state(row), bytes(word), 0);
    }
  }

  /**
   * Merges states into others, word by word, so that the accesses to rows overlap.
   *
   * @param at places of states
   * @param to places of the states into which they are merged
   */
  void merge(MemorySegment from, long[] at, MemorySegment rows, long[] to, int n) {
    for (int word = 0; word < ofWords.length && n > 0; word++) {
      switch (ofWords[word]) {
        case ADD -> {
          for (int i = 0; i < n; i++) {
            add(rows, to[i], word, get(from, at[i], word));
          }
        }
        case EXTREME -> {
          for (int i = 0; i < n; i++) {
            raise(rows, to[i], word, get(from, at[i], word));
          }
        }
        case SUM -> {
          for (int i = 0; i < n; i++) {
            long high = get(from, at[i], word + 1);
            addLong(rows, to[i], word, get(from, at[i], word), high);
          }
        }
        case REAL_SUM -> {
          for (int i = 0; i < n; i++) {
            double errors = Double.longBitsToDouble(get(from, at[i], word + 1));
            double more = Double.longBitsToDouble(get(from, at[i], word));
            addReal(rows, to[i], word, more, errors);
          }
        }
        case SECOND -> {}
      }
    }
  }

  private static long get(MemorySegment rows, long at, int word) {
    return AddressPin.getLong(rows, at, bytes(word));
  }

  private static void set(MemorySegment rows, long at, int word, long value) {
    AddressPin.setLong(rows, at, bytes(word), value);
  }

  private static void add(MemorySegment rows, long at, int word, long value) {
    set(rows, at, word, get(rows, at, word) + value);
  }

  /** Replaces a word by another one if that is greater as an unsigned number, which is rare. */
  private static void raise(MemorySegment rows, long at, int word, long value) {
    if (Long.compareUnsigned(get(rows, at, word), value) < 0) {
      set(rows, at, word, value);
    }
  }

  /** Adds a sum of two words. */
  static void addLong(MemorySegment rows, long at, int word, long low, long high) {
    long before = get(rows, at, word);
    long sum = before + low;
    set(rows, at, word, sum);
    // While the sign of the lower word stays, the upper one stays too if the number fits in a long.
    if ((before ^ sum) < 0 || high != low >> (Long.SIZE - 1)) {
      long carry = ((before & low) | ((before | low) & ~sum)) >>> (Long.SIZE - 1);
      add(rows, at, word + 1, high + carry);
    }
  }

  /** Adds a sum with its errors. */
  private static void addReal(MemorySegment rows, long at, int word, double value, double errors) {
    double before = Double.longBitsToDouble(get(rows, at, word));
    double after = before + value;
    double all =
        Double.longBitsToDouble(get(rows, at, word + 1))
            + errors
            + Reals.error(before, value, after);
    set(rows, at, word, Double.doubleToRawLongBits(after));
    set(rows, at, word + 1, Double.doubleToRawLongBits(all));
  }
}
