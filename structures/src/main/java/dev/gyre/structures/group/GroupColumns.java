package dev.gyre.structures.group;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.ParallelCopy;
import dev.gyre.structures.arrow.ArrowColumn;
import dev.gyre.structures.group.Batch.Column;
import dev.gyre.structures.group.StateRow.OfColumn;
import dev.gyre.structures.group.device.DeviceColumns;
import dev.gyre.structures.group.device.DeviceColumns.Source;
import dev.gyre.structures.group.device.Totals;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.Columns.ColumnType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
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
 * <p>Keys are one or two columns of numbers. All aggregates except {@code distinct} are supported.
 * Results, types and errors are as with {@link GroupBy#add}. Groups stay on the device until {@link
 * GroupBy#result}, {@code save}, {@code merge} or {@link #close} takes them, or until a table of a
 * gigabyte is full.
 *
 * <p><b>Nulls.</b> A device reads no nulls: the JVM adds a batch that has a null in a key or in an
 * aggregated column. {@link #hostRows} counts its rows.
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

  private static final int MAX_KEYS = 2;

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

  /** Aggregated columns that the device reads. */
  private List<String> values = List.of();

  private long rows;
  private long hostRows;
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
    require(
        launcher.parts().size() == 1,
        "one device groups rows, not several: make a GroupColumns for each of the parts()");
  }

  private static void require(boolean possible, String problem) {
    if (!possible) {
      throw new IllegalArgumentException(problem);
    }
  }

  /** Returns the number of rows that the device has added. */
  public long rows() {
    return rows;
  }

  /** Returns the number of rows that the JVM has added, because their batch has nulls. */
  public long hostRows() {
    return hostRows;
  }

  /**
   * Adds the rows of a batch.
   *
   * @throws IllegalArgumentException as {@link GroupBy#add}, or if a device cannot group the rows:
   *     if there are more than two keys, a key is a text, or distinct values are counted
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
          requireSupported(all.plan, columns);
          groups.changing(() -> add(all, columns, batch.rows()));
        });
  }

  private static void requireSupported(Plan plan, Plan.Bound columns) {
    require(
        plan.keys().size() <= MAX_KEYS,
        "a device groups by one or two columns, not by %s: use GroupBy.add".formatted(plan.keys()));
    for (String key : plan.keys()) {
      require(
          !plan.field(key).isText(),
          "a device groups by numbers, and the key %s is a text: use GroupBy.add".formatted(key));
    }
    require(
        columns.distincts().isEmpty(),
        "a device does not count distinct values: use GroupBy.add for all batches");
  }

  private void add(Running all, Plan.Bound columns, int count) {
    if (hasNull(columns.keys(), count) || hasNull(columns.values(), count)) {
      all.add(columns, count);
      hostRows += count;
      return;
    }
    List<Source> sources = new ArrayList<>();
    columns.keys().forEach(key -> sources.add(source(key)));
    List<String> names = new ArrayList<>();
    for (int i = 0; i < columns.values().size(); i++) {
      OfColumn of = all.states.columns().get(i);
      // A count is the number of rows.
      if (of.sum() >= 0 || of.min() >= 0 || of.max() >= 0) {
        names.add(of.column());
        sources.add(source(columns.values().get(i)));
      }
    }
    DeviceColumns to = device;
    if (to == null) {
      to =
          new DeviceColumns(
              launcher, columns.keys().size(), names.size(), firstSlots, pieceRows, this::take);
      device = to;
      running = all;
      values = names;
      all.devices.add(drain);
    }
    to.add(sources, count);
    rows += count;
  }

  private static boolean hasNull(List<Column> columns, int rows) {
    return columns.stream()
        .anyMatch(of -> of.hasNulls() && IntStream.range(0, rows).anyMatch(of::isNull));
  }

  private static Source source(Column column) {
    return switch (column.content()) {
      case Batch.Numbers(ColumnType type, Columns elements) -> {
        MemorySegment from = elements.segment(0);
        Memory memory = elements.memory(0);
        long offset = memory == null ? 0 : from.address() - memory.segment().address();
        yield new Source(
            type,
            memory,
            offset,
            (first, rows, to) ->
                ParallelCopy.copy(from.asSlice((long) first * type.bytes(), to.byteSize()), to));
      }
      case Batch.Arrow(ArrowColumn arrow) -> {
        ColumnType type = column.field().isReal() ? ColumnType.DOUBLE : ColumnType.LONG;
        yield new Source(type, null, 0, (first, rows, to) -> read(arrow, first, rows, to));
      }
      case Batch.Texts _ -> throw new IllegalArgumentException("a text is no number");
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
  private void take(Totals totals) {
    Running all = Objects.requireNonNull(running);
    int tasks = Math.ceilDiv(totals.count(), TASK_GROUPS);
    ParallelCopy.slices(
        tasks,
        task -> {
          int from = task * TASK_GROUPS;
          int to = from + Math.min(TASK_GROUPS, totals.count() - from);
          try (GroupState state = GroupState.of(all.plan, all.states, totals, from, to, values)) {
            all.absorb(state);
          }
        });
  }

  /** Gives all rows to the groups, and frees the memory. Further calls do nothing. */
  @Override
  public void close() {
    closed = true;
    DeviceColumns from = device;
    if (from != null) {
      try (from) {
        groups.release(drain);
      }
    }
  }
}
