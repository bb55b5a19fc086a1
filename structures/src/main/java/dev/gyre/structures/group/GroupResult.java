package dev.gyre.structures.group;

import dev.gyre.kernels.group.Reals;
import dev.gyre.structures.ParallelCopy;
import dev.gyre.structures.group.Plan.Aggregate;
import dev.gyre.structures.group.Plan.Aggregate.Kind;
import dev.gyre.structures.group.Plan.Field;
import dev.gyre.structures.group.StateRow.OfColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.ObjLongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Copies groups to the columns of a result. */
final class GroupResult {

  private static final int TASK_ROWS = 1 << 12;
  private static final Field LONGS = new Field(GroupColumn.Type.LONG, 0);

  private final Plan plan;
  private final long rows;
  private final List<GroupColumn> columns = new ArrayList<>();

  /** The words of the column of each aggregate; null for a count. */
  private final List<@Nullable OfColumn> ofColumns = new ArrayList<>();

  private final int[] counts;

  private GroupResult(Plan plan, StateRow states, List<KeyRows> parts) {
    this.plan = plan;
    this.rows = parts.stream().mapToLong(KeyRows::count).sum();
    this.counts = plan.aggregates().stream().mapToInt(states::count).toArray();
    for (Aggregate of : plan.aggregates()) {
      ofColumns.add(isCount(of) ? null : states.of(of.column()));
    }
  }

  private static boolean isCount(Aggregate of) {
    return of.kind() == Kind.COUNT || of.kind() == Kind.DISTINCT;
  }

  /** Returns a copy of the groups of partitions, which the caller closes. */
  static Groups of(Plan plan, StateRow states, List<KeyRows> parts) {
    GroupResult result = new GroupResult(plan, states, parts);
    try {
      // Where the rows of each partition begin, and the texts of each key in it.
      long[] firstRow = new long[parts.size() + 1];
      long[][] bytes = new long[parts.size() + 1][plan.keys().size()];
      if (plan.keys().stream().anyMatch(key -> plan.field(key).isText())) {
        result.forEach(parts, i -> result.count(parts.get(i), bytes[i + 1]));
      }
      for (int i = 0; i < parts.size(); i++) {
        firstRow[i + 1] = firstRow[i] + parts.get(i).count();
        for (int key = 0; key < bytes[i].length; key++) {
          bytes[i + 1][key] += bytes[i][key];
        }
      }
      result.makeColumns(bytes[parts.size()]);
      result.forEach(parts, i -> result.copy(parts.get(i), firstRow[i], bytes[i]));
      return new Groups(result.rows, result.columns);
    } catch (RuntimeException | Error e) {
      result.columns.forEach(GroupColumn::free);
      throw e;
    }
  }

  /** Does work with each partition, by a task for so many rows. */
  private void forEach(List<KeyRows> parts, IntConsumer work) {
    int tasks = (int) Math.min(parts.size(), rows / TASK_ROWS + 1);
    ParallelCopy.slices(
        tasks,
        task ->
            IntStream.range(parts.size() * task / tasks, parts.size() * (task + 1) / tasks)
                .forEach(work));
  }

  /** Returns groups without rows, whose types are unknown. */
  static Groups ofNothing(List<String> keys, List<Aggregate> aggregates) {
    List<String> names = new ArrayList<>(keys);
    aggregates.forEach(aggregate -> names.add(aggregate.name()));
    return new Groups(
        0, names.stream().map(name -> new GroupColumn(name, LONGS, false, false, 0, 0)).toList());
  }

  /** Makes the columns, with the size of the texts of each key. */
  private void makeColumns(long[] bytes) {
    for (int key = 0; key < bytes.length; key++) {
      String name = plan.keys().get(key);
      columns.add(new GroupColumn(name, plan.field(name), false, true, rows, bytes[key]));
    }
    for (Aggregate of : plan.aggregates()) {
      String column = of.column();
      boolean count = isCount(of);
      Field field = count || column == null ? LONGS : plan.field(column);
      boolean mean = of.kind() == Kind.MEAN;
      columns.add(new GroupColumn(of.name(), field, mean, !count, rows, 0));
    }
  }

  /** Counts the bytes of the texts of each key of a partition. */
  private void count(KeyRows from, long[] bytes) {
    forEachBlock(
        plan,
        from,
        null,
        (blocks, _) -> {
          for (int key = 0; key < bytes.length; key++) {
            for (int i = 0; i < blocks[key].count && blocks[key].areTexts; i++) {
              bytes[key] += blocks[key].lengths[i];
            }
          }
        });
  }

  /**
   * Copies a partition.
   *
   * @param firstRow its first row in the result
   * @param firstByte where the texts of each key begin in the result; they are moved on
   */
  private void copy(KeyRows from, long firstRow, long[] firstByte) {
    long shift = firstRow - from.first();
    forEachBlock(
        plan,
        from,
        null,
        (blocks, row) -> {
          for (int key = 0; key < blocks.length; key++) {
            firstByte[key] = copyKeys(columns.get(key), shift + row, blocks[key], firstByte[key]);
          }
          for (int i = 0; i < counts.length; i++) {
            copyStates(i, from, row, blocks[0].count, shift);
          }
        });
  }

  /**
   * Throws an IllegalArgumentException if a row does not have the keys of a plan.
   *
   * @param distinct column whose values follow the keys, or null
   */
  static void requireKeys(Plan plan, KeyRows rows, @Nullable String distinct) {
    forEachBlock(plan, rows, distinct, (_, _) -> {});
  }

  /** Passes blocks of rows: the keys of each column, and the number of the first row. */
  private static void forEachBlock(
      Plan plan, KeyRows from, @Nullable String distinct, ObjLongConsumer<KeyBlock[]> action) {
    KeyBlock keys = new KeyBlock();
    KeyBlock[] columns =
        plan.keys().size() == 1
            ? new KeyBlock[] {keys}
            : plan.keys().stream().map(key -> block(plan, key)).toArray(KeyBlock[]::new);
    for (long row = from.first(); row < from.used(); row += KeyBlock.ROWS) {
      if (distinct == null) {
        from.read(row, keys);
      } else {
        keys.areTexts = plan.areKeysTexts();
        CompositeKeys.split(from.read(row, new KeyBlock()), keys, block(plan, distinct));
      }
      if (columns.length > 1) {
        CompositeKeys.split(keys, columns);
      }
      action.accept(columns, row);
    }
  }

  /** Returns a block for the values of a column. */
  static KeyBlock block(Plan plan, String column) {
    KeyBlock block = new KeyBlock();
    block.areTexts = plan.field(column).isText();
    return block;
  }

  /** Copies keys; returns where the next texts begin. */
  private static long copyKeys(GroupColumn column, long firstRow, KeyBlock keys, long firstByte) {
    long at = firstByte;
    for (int i = 0; i < keys.count; i++) {
      if (keys.isNull(i)) {
        column.setNull(firstRow + i);
      }
      if (keys.areTexts) {
        column.setText(firstRow + i, at, keys.bytes, keys.offsets[i], keys.lengths[i]);
        at += keys.lengths[i];
      } else if (!keys.isNull(i)) {
        column.setNumber(firstRow + i, keys.numbers[i]);
      }
    }
    return at;
  }

  /**
   * Copies an aggregate of some rows.
   *
   * @param shift what is added to the number of a row for its number in the result
   */
  private void copyStates(int index, KeyRows from, long begin, int size, long shift) {
    GroupColumn to = columns.get(plan.keys().size() + index);
    Aggregate aggregate = plan.aggregates().get(index);
    OfColumn of = ofColumns.get(index);
    for (long row = begin; row < begin + size; row++) {
      long count = state(from, row, counts[index]);
      if (of == null) {
        to.set(shift + row, 0, count);
      } else if (count == 0) {
        to.setNull(shift + row);
      } else {
        copyValue(aggregate, of, from, row, to, shift + row);
      }
    }
  }

  private static long state(KeyRows from, long row, int word) {
    return from.word(from.state(row) + (long) word * Long.BYTES);
  }

  private static void copyValue(
      Aggregate aggregate, OfColumn of, KeyRows from, long at, GroupColumn to, long row) {
    boolean real = of.field().isReal();
    boolean mean = aggregate.kind() == Kind.MEAN;
    if (aggregate.kind() == Kind.MIN || aggregate.kind() == Kind.MAX) {
      boolean min = aggregate.kind() == Kind.MIN;
      long value =
          min ? state(from, at, of.min()) ^ StateRow.MIN : state(from, at, of.max()) ^ StateRow.MAX;
      to.setNumber(row, real ? Double.doubleToRawLongBits(Reals.ofOrdered(value)) : value);
      return;
    }
    long low = state(from, at, of.sum());
    long high = state(from, at, of.sum() + 1);
    if (real) {
      double sum = Double.longBitsToDouble(low) + Double.longBitsToDouble(high);
      to.set(row, 0, Double.doubleToLongBits(mean ? sum / state(from, at, of.count()) : sum));
      return;
    }
    if (mean) {
      to.setMean(row, low, high, state(from, at, of.count()));
      return;
    }
    to.setNumber(row, low);
    if (high != low >> (Long.SIZE - 1)) {
      throw new ArithmeticException(
          "%s of a group does not fit in 64 bits: its upper 64 bits are %d, its lower %s"
              .formatted(aggregate.name(), high, Long.toUnsignedString(low)));
    }
  }
}
