package dev.gyre.structures.group;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.group.Plan.Aggregate;
import dev.gyre.structures.group.Plan.Aggregate.Kind;
import dev.gyre.structures.group.Plan.Field;
import dev.gyre.structures.group.StateRow.OfColumn;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Copies groups to the columns of a result, with a task for each partition. */
final class GroupResult {

  private static final Field LONGS = new Field(GroupColumn.Type.LONG, 0);

  private final Plan plan;
  private final long rows;
  private final Memory texts;
  private final List<GroupColumn> columns = new ArrayList<>();

  /** The words of the column of each aggregate; null for a count. */
  private final List<@Nullable OfColumn> ofColumns = new ArrayList<>();

  private final int[] counts;

  /** Where the texts of each part begin. */
  private final long[] firstBytes;

  private GroupResult(Plan plan, StateRow states, List<KeyRows> parts) {
    this.plan = plan;
    this.rows = parts.stream().mapToLong(KeyRows::count).sum();
    this.firstBytes = new long[parts.size() + 1];
    InParallel.run(parts.size(), i -> firstBytes[i + 1] = length(parts.get(i)));
    Arrays.parallelPrefix(firstBytes, Long::sum);
    this.texts = Memory.ofBytes(firstBytes[parts.size()]);
    this.counts = plan.aggregates().stream().mapToInt(states::count).toArray();
    for (Aggregate of : plan.aggregates()) {
      ofColumns.add(isCount(of) ? null : states.of(of.column()));
    }
  }

  private static long length(KeyRows part) {
    long length = 0;
    for (long row = 1; row < part.used(); row++) {
      length += part.length(row);
    }
    return length;
  }

  private static boolean isCount(Aggregate of) {
    return of.kind() == Kind.COUNT || of.kind() == Kind.DISTINCT;
  }

  /** Returns a copy of the groups of partitions, which the caller closes. */
  static Groups of(Plan plan, StateRow states, List<KeyRows> parts) {
    GroupResult result = new GroupResult(plan, states, parts);
    try {
      result.makeColumns();
      long[] firstRow = new long[parts.size() + 1];
      for (int i = 0; i < parts.size(); i++) {
        firstRow[i + 1] = firstRow[i] + parts.get(i).count();
      }
      InParallel.run(parts.size(), i -> result.copy(parts.get(i), firstRow[i], result.firstBytes[i]));
      return new Groups(result.rows, result.columns, result.texts::close);
    } catch (RuntimeException | Error e) {
      result.columns.forEach(GroupColumn::free);
      result.texts.close();
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
    for (String key : plan.keys()) {
      columns.add(new GroupColumn(key, plan.field(key), false, true, rows, texts.segment()));
    }
    for (Aggregate of : plan.aggregates()) {
      String column = of.column();
      boolean count = isCount(of);
      Field field = count || column == null ? LONGS : plan.field(column);
      boolean mean = of.kind() == Kind.MEAN;
      columns.add(new GroupColumn(of.name(), field, mean, !count, rows, MemorySegment.NULL));
    }
  }

  /**
   * Copies a partition.
   *
   * @param firstRow its first row in the result
   * @param firstByte where its texts begin in the result
   */
  private void copy(KeyRows from, long firstRow, long firstByte) {
    int count = plan.keys().size();
    // Block i of these has the keys of the first i + 1 columns together.
    KeyBlock[] together = new KeyBlock[count];
    KeyBlock[] blocks = new KeyBlock[count];
    for (int key = 0; key < count; key++) {
      together[key] = new KeyBlock();
      blocks[key] = key == 0 ? together[0] : new KeyBlock();
      blocks[key].areTexts = plan.field(plan.keys().get(key)).isText();
    }
    long[] moves = new long[KeyBlock.ROWS];
    long byteAt = firstByte;
    for (long row = from.first(); row < from.used(); row += KeyBlock.ROWS) {
      KeyBlock all = from.read(row, together[count - 1]);
      for (int i = 0; i < all.count && all.areTexts; i++) {
        moves[i] = byteAt - all.offsets[i];
        MemorySegment.copy(all.bytes, all.offsets[i], texts.segment(), byteAt, all.lengths[i]);
        byteAt += all.lengths[i];
      }
      for (int key = count - 1; key > 0; key--) {
        together[key - 1].areTexts = key > 1 || blocks[0].areTexts;
        PairKeys.split(together[key], together[key - 1], blocks[key]);
      }
      long to = firstRow + row - from.first();
      for (int key = 0; key < count; key++) {
        copyKeys(columns.get(key), to, blocks[key], moves);
      }
      for (int i = 0; i < counts.length; i++) {
        copyStates(i, from, row, all.count, to - row);
      }
    }
  }

  private static void copyKeys(GroupColumn column, long firstRow, KeyBlock keys, long[] moves) {
    for (int i = 0; i < keys.count; i++) {
      if (keys.hasNulls && keys.nulls[i]) {
        column.setNull(firstRow + i);
      } else if (keys.areTexts) {
        column.set(firstRow + i, 0, moves[i] + keys.offsets[i]);
        column.set(firstRow + i, 1, keys.lengths[i]);
      } else {
        column.set(firstRow + i, 0, keys.numbers[i]);
      }
    }
  }

  /** Copies an aggregate of some rows. */
  private void copyStates(int index, KeyRows from, long begin, int size, long firstRow) {
    GroupColumn to = columns.get(plan.keys().size() + index);
    Aggregate aggregate = plan.aggregates().get(index);
    OfColumn of = ofColumns.get(index);
    for (long row = begin; row < begin + size; row++) {
      long count = state(from, row, counts[index]);
      if (of == null) {
        to.set(firstRow + row, 0, count);
      } else if (count == 0) {
        to.setNull(firstRow + row);
      } else {
        copyValue(aggregate, of, from, row, to, firstRow + row);
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
      to.set(row, 0, real ? Double.doubleToRawLongBits(Reals.ofOrdered(value)) : value);
      return;
    }
    long low = state(from, at, of.sum());
    long high = state(from, at, of.sum() + 1);
    if (real) {
      double sum = Double.longBitsToDouble(low) + Double.longBitsToDouble(high);
      to.set(row, 0, Double.doubleToLongBits(mean ? sum / state(from, at, of.count()) : sum));
      return;
    }
    to.set(row, 0, low);
    if (mean) {
      to.set(row, 1, high);
      to.set(row, 2, state(from, at, of.count()));
    } else if (high != low >> (Long.SIZE - 1)) {
      throw new ArithmeticException(
          "%s of a group does not fit in 64 bits: its upper 64 bits are %d, its lower %s"
              .formatted(aggregate.name(), high, Long.toUnsignedString(low)));
    }
  }
}
