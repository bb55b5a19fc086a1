package dev.gyre.structures.group;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.ParallelCopy;
import dev.gyre.structures.arrow.ArrowColumn;
import dev.gyre.structures.group.Batch.Column;
import dev.gyre.structures.group.StateRow.OfColumn;
import dev.gyre.structures.group.device.ColumnSource;
import dev.gyre.structures.group.device.ColumnSource.Reader;
import dev.gyre.structures.group.device.DeviceColumns;
import dev.gyre.structures.group.device.Totals;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.Columns.ColumnType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Groups rows of batches on a device, for a {@link GroupBy}.
 *
 * <pre>{@code
 * try (Launcher launcher = Launchers.open(Target.CUDA);
 *     GroupBy groups = GroupBy.on("customer").count().sum("amount");
 *     GroupColumns device = new GroupColumns(launcher, groups)) {
 *   device.add(batch); // many batches
 *   try (Groups result = groups.result()) { ... }
 * }
 * }</pre>
 *
 * <p>All aggregates except {@code distinct} are supported. Results, types and errors are as with
 * {@link GroupBy#add}. Groups stay on the device until {@link GroupBy#result}, {@code save}, {@code
 * merge} or {@link #close} takes them, or until a table of a gigabyte is full.
 *
 * <p><b>Keys.</b> The device reads one or two columns of numbers, with their nulls. If a key is a
 * text, or if there are more columns, the host first numbers the different keys, on all cores. It
 * keeps them until this object is closed.
 *
 * <p><b>Memory.</b> Columns in {@linkplain dev.gyre.kernels.MemoryKind#PINNED pinned} memory of the
 * launcher are copied to the device directly, others through buffers.
 *
 * <p><b>Threads.</b> One thread at a time uses this object. For several devices, make one object
 * per device for the same {@link GroupBy}, and use each from its own thread. The launcher may be
 * used by others, and must stay open until this object is closed.
 *
 * <p><b>Errors.</b> If {@code add} throws an IllegalArgumentException, the groups are unchanged.
 * After any other exception they are incomplete, as {@link GroupBy} describes.
 *
 * @since 0.1.0
 */
public final class GroupColumns implements AutoCloseable {

  /** Largest number of key columns that a device reads. */
  private static final int DEVICE_KEYS = 2;

  /** Groups of the device that one thread takes at a time. */
  private static final int TASK_GROUPS = 1 << 14;

  private final Launcher launcher;
  private final GroupBy groups;
  private final int firstSlots;
  private final int pieceRows;
  private final Runnable drain = this::drain;

  // Null before the first batch.
  private @Nullable Running running;
  private @Nullable DeviceColumns device;

  /** Numbers the keys that the device does not read; null if it reads them. */
  private @Nullable KeyNumbers numbers;

  /** Aggregated columns. If only nulls of a column are counted, it comes after the others. */
  private List<OfColumn> values = List.of();

  private long rows;
  private boolean closed;

  /**
   * Creates an object without rows.
   *
   * @param groups takes the groups
   * @throws IllegalArgumentException if the launcher is one of several devices
   */
  public GroupColumns(Launcher launcher, GroupBy groups) {
    this(launcher, groups, DeviceColumns.FIRST_SLOTS, DeviceColumns.PIECE_ROWS);
  }

  GroupColumns(Launcher launcher, GroupBy groups, int firstSlots, int pieceRows) {
    this.launcher = Objects.requireNonNull(launcher, "launcher");
    this.groups = Objects.requireNonNull(groups, "groups");
    this.firstSlots = firstSlots;
    this.pieceRows = pieceRows;
    Plan.require(
        launcher.parts().size() == 1,
        "one device groups rows, not several: make a GroupColumns for each of the parts()");
  }

  /** Returns the number of rows that the device has added. */
  public long rows() {
    return rows;
  }

  /**
   * Adds the rows of a batch.
   *
   * @throws IllegalArgumentException as {@link GroupBy#add}, or if a device cannot group the rows:
   *     if distinct values are counted
   * @throws dev.gyre.kernels.LaunchException if the device fails
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory for the groups is not available
   * @throws dev.gyre.atomics.ClosedException if this object or the groups are closed
   */
  public void add(Batch batch) {
    if (closed) {
      throw new ClosedException("GroupColumns");
    }
    groups.adding(
        batch,
        (all, columns) -> {
          Plan.require(
              columns.distincts().isEmpty(),
              "a device does not count distinct values: use GroupBy.add for all batches");
          groups.changing(() -> add(all, columns, batch.rows()));
        });
  }

  private void add(Running all, Plan.Bound columns, int count) {
    DeviceColumns to = device;
    if (to == null) {
      to = start(all);
      device = to;
      all.devices.add(drain);
    }
    List<ColumnSource> sources = new ArrayList<>();
    KeyNumbers of = numbers;
    if (of == null) {
      columns.keys().forEach(key -> sources.add(source(key, true)));
    } else {
      Reader reader = (first, rows, out) -> of.read(columns.keys(), first, rows, out);
      sources.add(new ColumnSource(ColumnType.LONG, null, 0, reader, null));
    }
    for (OfColumn value : values) {
      Column column = columns.values().get(all.states.columns().indexOf(value));
      sources.add(source(column, value.needsValues()));
    }
    to.add(sources, count);
    rows += count;
  }

  private DeviceColumns start(Running all) {
    List<String> keys = all.plan.keys();
    running = all;
    // A count needs no values.
    values = new ArrayList<>(all.states.columns());
    values.sort(Comparator.comparing(of -> !of.needsValues()));
    if (keys.size() > DEVICE_KEYS || keys.stream().anyMatch(key -> all.plan.field(key).isText())) {
      numbers = new KeyNumbers(keys.size());
    }
    return new DeviceColumns(
        launcher,
        numbers == null ? keys.size() : 1,
        (int) values.stream().filter(OfColumn::needsValues).count(),
        values.size(),
        firstSlots,
        pieceRows,
        this::take);
  }

  private static ColumnSource source(Column column, boolean needsValues) {
    IntToLongFunction valid = column.hasNulls() ? column::valid : null;
    return switch (column.content()) {
      case Batch.Numbers(ColumnType type, Columns elements) when needsValues -> {
        MemorySegment from = elements.segment(0);
        Memory memory = elements.memory(0);
        long offset = memory == null ? 0 : from.address() - memory.segment().address();
        Reader reader =
            (first, rows, to) ->
                ParallelCopy.copy(from.asSlice((long) first * type.bytes(), to.byteSize()), to);
        yield new ColumnSource(type, memory, offset, reader, valid);
      }
      case Batch.Arrow(ArrowColumn arrow) when needsValues -> {
        ColumnType type = column.field().isReal() ? ColumnType.DOUBLE : ColumnType.LONG;
        Reader reader = (first, rows, to) -> read(arrow, first, rows, to);
        yield new ColumnSource(type, null, 0, reader, valid);
      }
      default -> new ColumnSource(null, null, 0, (_, _, _) -> {}, valid);
    };
  }

  private static void read(ArrowColumn arrow, int first, int rows, MemorySegment to) {
    long[] block = new long[KeyBlock.ROWS];
    for (int i = 0; i < rows; i += block.length) {
      int count = Math.min(block.length, rows - i);
      arrow.read(first + i, count, block);
      MemorySegment.copy(block, 0, to, ValueLayout.JAVA_LONG, (long) i * Long.BYTES, count);
    }
  }

  private void drain() {
    Objects.requireNonNull(device).drain();
  }

  /** Adds the groups of the device, on all cores. */
  private void take(Totals totals, Totals.Words words) {
    Running all = Objects.requireNonNull(running);
    KeyNumbers numbered = numbers;
    List<String> names = values.stream().map(OfColumn::column).toList();
    int tasks = Math.ceilDiv(totals.count(), TASK_GROUPS);
    ParallelCopy.slices(
        tasks,
        task -> {
          int from = task * TASK_GROUPS;
          int to = from + Math.min(TASK_GROUPS, totals.count() - from);
          KeyBlock keys = new KeyBlock();
          try (KeyReader reader = new KeyReader(all.plan.keys().size());
              KeyRows copies = KeyRows.of(Blocks.SINGLE, true, Seed.next(), 0)) {
            Function<int[], KeyBlock> ofGroups =
                groups ->
                    numbered == null
                        ? reader.read(keys(words, groups), 0, groups.length)
                        : numbered.read(words, groups, copies, keys);
            all.with(worker -> worker.absorb(totals, from, to, names, ofGroups));
          }
        });
  }

  /** Returns the keys of groups as columns: a double is the long that {@link Reals#key} returns. */
  private static List<Column> keys(Totals.Words words, int[] groups) {
    Batch keys = new Batch(groups.length);
    List<Column> columns = new ArrayList<>();
    for (int key = 0; key < words.keys(); key++) {
      String name = "" + key;
      long[] numbers = new long[groups.length];
      long[] valid = new long[KeyBlock.ROWS / Long.SIZE];
      for (int i = 0; i < groups.length; i++) {
        numbers[i] = words.word(groups[i], key);
        valid[i >> 6] |= words.isNull(groups[i], key) ? 0 : 1L << i;
      }
      columns.add(keys.numbers(name, Columns.longs(numbers)).valid(name, valid).column(name));
    }
    return columns;
  }

  /**
   * Gives all rows to the groups, and frees the memory. Further calls do nothing.
   *
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory for the groups is not
   *     available; then the groups are incomplete. After a {@link GroupBy#result} there is nothing
   *     to give.
   */
  @Override
  public void close() {
    closed = true;
    DeviceColumns from = device;
    if (from != null) {
      try (KeyNumbers _ = numbers;
          from) {
        groups.release(drain);
      }
    }
  }
}
