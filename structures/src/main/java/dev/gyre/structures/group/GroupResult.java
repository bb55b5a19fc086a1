package dev.gyre.structures.group;

import dev.gyre.structures.group.Plan.Aggregate;
import dev.gyre.structures.group.Plan.Aggregate.Kind;
import dev.gyre.structures.group.Plan.Field;
import dev.gyre.structures.group.StateRow.OfColumn;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Copies groups to the columns of a result, with several threads. */
final class GroupResult {

  private static final Field LONGS = new Field(GroupColumn.Type.LONG, 0);

  /** Number of rows of a task. */
  private static final long TASK_ROWS = 1 << 16;

  private final Plan plan;
  private final GroupEntries entries;
  private final List<GroupColumn> columns = new ArrayList<>();

  /** The words of the column of each aggregate; null for a count. */
  private final List<@Nullable OfColumn> ofColumns = new ArrayList<>();

  private final int[] counts;

  private GroupResult(Plan plan, StateRow states, GroupEntries entries) {
    this.plan = plan;
    this.entries = entries;
    this.counts = plan.aggregates().stream().mapToInt(states::count).toArray();
    for (Aggregate of : plan.aggregates()) {
      ofColumns.add(isCount(of) ? null : states.of(of.column()));
    }
  }

  private static boolean isCount(Aggregate of) {
    return of.kind() == Kind.COUNT || of.kind() == Kind.DISTINCT;
  }

  /** Returns the groups; the caller closes the result, which frees the entries. */
  static Groups of(Plan plan, StateRow states, GroupEntries entries) {
    GroupResult result = new GroupResult(plan, states, entries);
    try {
      result.makeColumns();
      long tasks = (entries.count() + TASK_ROWS - 1) / TASK_ROWS;
      InParallel.run((int) tasks, task -> result.copy(task * TASK_ROWS));
      return new Groups(entries.count(), result.columns, entries::close);
    } catch (RuntimeException | Error e) {
      result.columns.forEach(GroupColumn::free);
      entries.close();
      throw e;
    }
  }

  /** Returns groups without rows, whose types are unknown. */
  static Groups ofNothing(List<String> keys, List<Aggregate> aggregates) {
    List<String> names = new ArrayList<>(keys);
    aggregates.forEach(aggregate -> names.add(aggregate.name()));
    return new Groups(
        0,
        names.stream()
            .map(name -> new GroupColumn(name, LONGS, false, false, 0, MemorySegment.NULL))
            .toList(),
        () -> {});
  }

  private void makeColumns() {
    long rows = entries.count();
    for (String key : plan.keys()) {
      columns.add(new GroupColumn(key, plan.field(key), false, true, rows, entries.texts()));
    }
    for (Aggregate of : plan.aggregates()) {
      String column = of.column();
      boolean count = isCount(of);
      Field field = count || column == null ? LONGS : plan.field(column);
      boolean mean = of.kind() == Kind.MEAN;
      columns.add(new GroupColumn(of.name(), field, mean, !count, rows, MemorySegment.NULL));
    }
  }

  /** Copies a task's rows. */
  private void copy(long first) {
    int count = plan.keys().size();
    // Block i of these has the keys of the first i + 1 columns together.
    KeyBlock[] together = new KeyBlock[count];
    KeyBlock[] blocks = new KeyBlock[count];
    for (int key = 0; key < count; key++) {
      together[key] = new KeyBlock();
      blocks[key] = key == 0 ? together[0] : new KeyBlock();
      blocks[key].areTexts = plan.field(plan.keys().get(key)).isText();
    }
    long end = Math.min(first + TASK_ROWS, entries.count());
    for (long row = first; row < end; row += KeyBlock.ROWS) {
      int _ = entries.read(row, together[count - 1]);
      for (int key = count - 1; key > 0; key--) {
        together[key - 1].areTexts = key > 1 || blocks[0].areTexts;
        PairKeys.split(together[key], together[key - 1], blocks[key]);
      }
      for (int key = 0; key < count; key++) {
        copyKeys(columns.get(key), row, blocks[key]);
      }
    }
    long[] state = new long[entries.stride() - GroupEntries.HEADER];
    for (long row = first; row < end; row++) {
      entries.copyState(row, state, 0);
      copyState(row, state);
    }
  }

  private static void copyKeys(GroupColumn column, long firstRow, KeyBlock keys) {
    for (int i = 0; i < keys.count; i++) {
      if (keys.hasNulls && keys.nulls[i]) {
        column.setNull(firstRow + i);
      } else if (keys.areTexts) {
        column.set(firstRow + i, 0, keys.offsets[i]);
        column.set(firstRow + i, 1, keys.lengths[i]);
      } else {
        column.set(firstRow + i, 0, keys.numbers[i]);
      }
    }
  }

  private void copyState(long row, long[] state) {
    for (int i = 0; i < counts.length; i++) {
      GroupColumn to = columns.get(plan.keys().size() + i);
      OfColumn of = ofColumns.get(i);
      if (of == null) {
        to.set(row, 0, state[counts[i]]);
      } else if (state[counts[i]] == 0) {
        to.setNull(row);
      } else {
        copyValue(plan.aggregates().get(i), of, to, row, state);
      }
    }
  }

  private static void copyValue(
      Aggregate aggregate, OfColumn of, GroupColumn to, long row, long[] state) {
    boolean real = of.field().isReal();
    boolean mean = aggregate.kind() == Kind.MEAN;
    if (aggregate.kind() == Kind.MIN || aggregate.kind() == Kind.MAX) {
      boolean min = aggregate.kind() == Kind.MIN;
      long value = min ? state[of.min()] ^ StateRow.MIN : state[of.max()] ^ StateRow.MAX;
      to.set(row, 0, real ? Double.doubleToRawLongBits(Reals.ofOrdered(value)) : value);
      return;
    }
    long low = state[of.sum()];
    long high = state[of.sum() + 1];
    if (real) {
      double sum = Double.longBitsToDouble(low) + Double.longBitsToDouble(high);
      to.set(row, 0, Double.doubleToLongBits(mean ? sum / state[of.count()] : sum));
      return;
    }
    to.set(row, 0, low);
    if (mean) {
      to.set(row, 1, high);
      to.set(row, 2, state[of.count()]);
    } else if (high != low >> (Long.SIZE - 1)) {
      throw new ArithmeticException(
          "%s of a group does not fit in 64 bits: its upper 64 bits are %d, its lower %s"
              .formatted(aggregate.name(), high, Long.toUnsignedString(low)));
    }
  }
}
