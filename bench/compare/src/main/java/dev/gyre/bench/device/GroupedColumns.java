package dev.gyre.bench.device;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.bench.device.DeviceBenchmark.Work;
import dev.gyre.datasets.generators.Keys;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.MemoryKindException;
import dev.gyre.structures.group.Batch;
import dev.gyre.structures.group.GroupBy;
import dev.gyre.structures.group.GroupColumn;
import dev.gyre.structures.group.GroupColumns;
import dev.gyre.structures.group.Groups;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.Columns.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * Times of {@code SELECT k, count(*), sum(v), min(v), max(v) ... GROUP BY k} over rows of a long
 * key and a long or double value, which are in pinned memory: of the kernels alone, of the call
 * that adds them, and of that call with the result. Results are compared with one of the JVM.
 */
final class GroupedColumns {

  private static final long SEED = 17;
  private static final int VALUES = 1 << 20;

  private final DeviceBenchmark benchmark;
  private final int rows;
  private final int groups;
  private final String zipf;
  private final ColumnType type;

  GroupedColumns(DeviceBenchmark benchmark) {
    this.benchmark = benchmark;
    this.rows = benchmark.number("rows", 100_000_000);
    this.groups = benchmark.number("groups", 100_000);
    this.zipf = benchmark.text("zipf", "0");
    this.type = benchmark.text("type", "long").equals("long") ? ColumnType.LONG : ColumnType.DOUBLE;
  }

  void measure() {
    try (Launcher device = benchmark.open();
        Memory keys = memory(device);
        Memory values = memory(device)) {
      PhaseLauncher launcher = new PhaseLauncher(device, true);
      fill(keys, values);
      Batch batch =
          new Batch(rows)
              .numbers("k", Columns.of(ColumnType.LONG, keys, rows))
              .numbers("v", Columns.of(type, values, rows));
      long expected;
      try (GroupBy by = groups()) {
        by.add(batch);
        expected = sum(by);
      }
      print(launcher, "kernel", batch, expected, call -> launcher.measure(call).kernel());
      print(launcher, "call", batch, expected, launcher::nanos);
    }
  }

  private Memory memory(Launcher device) {
    long bytes = (long) rows * Long.BYTES;
    try {
      return device.memory(MemoryKind.PINNED, bytes);
    } catch (MemoryKindException e) {
      return Memory.ofBytes(bytes);
    }
  }

  /** Values are integers, so that sums of doubles are exact in any order. */
  private void fill(Memory keys, Memory values) {
    Keys of = Keys.zipf(SEED, groups, Double.parseDouble(zipf));
    Keys numbers = Keys.uniform(SEED + 1, VALUES);
    DeviceLongs toKeys = DeviceLongs.of(keys);
    DeviceLongs toValues = DeviceLongs.of(values);
    LongStream.range(0, rows)
        .parallel()
        .forEach(
            i -> {
              toKeys.set(i, of.longAt(i));
              long value = numbers.longAt(i) - VALUES / 2;
              toValues.set(
                  i, type == ColumnType.LONG ? value : Double.doubleToRawLongBits((double) value));
            });
  }

  private static GroupBy groups() {
    return GroupBy.on("k").count().sum("v").min("v").max("v");
  }

  /** Returns a number that depends on all groups and not on their order. */
  private static long sum(GroupBy by) {
    long sum = 0;
    try (Groups result = by.result()) {
      for (long row = 0; row < result.rows(); row++) {
        long hash = 0;
        for (GroupColumn column : result.columns()) {
          boolean real = column.type() == GroupColumn.Type.DOUBLE;
          long word = real ? Double.doubleToLongBits(column.getDouble(row)) : column.getLong(row);
          hash = (hash ^ word) * 0x9e37_79b9_7f4a_7c15L;
          hash ^= hash >>> 32;
        }
        sum += hash;
      }
    }
    return sum;
  }

  private void print(
      PhaseLauncher launcher,
      String time,
      Batch batch,
      long expected,
      ToLongFunction<Runnable> measuring) {
    List<Long> results = new ArrayList<>();
    List<Long> nanos =
        benchmark.repeated(
            () -> {
              try (GroupBy by = groups();
                  GroupColumns all = new GroupColumns(launcher.launcher(), by)) {
                long start = System.nanoTime();
                long added = measuring.applyAsLong(() -> all.add(batch));
                by.result().close();
                results.add(System.nanoTime() - start);
                if (all.rows() != rows || sum(by) != expected) {
                  throw new AssertionError("the result is not that of the JVM");
                }
                return added;
              }
            });
    print(launcher, time, nanos);
    if (time.equals("call")) {
      print(launcher, "call-and-result", results.subList(1, results.size()));
    }
  }

  private void print(PhaseLauncher launcher, String time, List<Long> nanos) {
    DeviceBenchmark.print(
        launcher.launcher().device(),
        "group-columns",
        "gyre",
        "groups=%d zipf=%s type=%s time=%s".formatted(groups, zipf, type, time),
        new Work(rows, 16L * rows, 0, "rows/s"),
        nanos);
  }
}
