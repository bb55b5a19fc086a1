package dev.gyre.bench.device;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.datasets.Keys;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Find;
import dev.gyre.kernels.map.Insert;
import dev.gyre.kernels.map.IntLines;
import dev.gyre.kernels.map.IntSlots;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.Slots;
import java.util.List;
import java.util.function.LongSupplier;

/** Times the kernels that insert and find unique random int keys, at a load factor of 0.5. */
final class MapKernels {

  private static final long SEED = 42;
  private static final long POLLS = 1 << 20;

  private final DeviceBenchmark benchmark;
  private final Launcher launcher;
  private final int n;
  private final LaunchShape shape;
  private final long slots;
  private final DeviceInts keys;
  private final DeviceInts absent;
  private final DeviceInts values;
  private final DeviceInts found;
  private final Bytes outcomes = Bytes.of(Memory.ofBytes(8));
  private final KernelCounters counters;

  MapKernels(DeviceBenchmark benchmark, Launcher launcher) {
    this.benchmark = benchmark;
    this.launcher = launcher;
    this.n = benchmark.number("n", 1 << 16);
    this.shape = launcher.shapeForEach(n);
    this.slots = 2L * n;
    this.keys = DeviceInts.of(Memory.ofInts(n));
    this.absent = DeviceInts.of(Memory.ofInts(n));
    this.values = DeviceInts.of(Memory.ofInts(n));
    this.found = DeviceInts.of(Memory.ofInts(n));
    this.counters = KernelCounters.of(launcher);
    Keys unique = Keys.unique(SEED);
    for (int i = 0; i < n; i++) {
      keys.set(i, unique.intAt(i));
      absent.set(i, unique.intAt((long) n + i));
      values.set(i, i);
    }
  }

  /** Prints a line for each layout and operation. */
  void measure() {
    List<Memory> columns =
        List.of(Memory.ofInts(slots), Memory.ofInts(slots), Memory.ofInts(slots));
    DeviceInts states = DeviceInts.of(columns.get(0));
    measure(
        "reference",
        columns,
        new IntSlots(
            states, DeviceInts.of(columns.get(1)), DeviceInts.of(columns.get(2)), slots, SEED));
    Memory lines = Memory.ofLongs(IntLines.words(slots));
    measure("line", List.of(lines), new IntLines(DeviceLongs.of(lines), slots, SEED));
    Memory packed = Memory.ofLongs(PackedSlots.words(slots));
    measure("packed", List.of(packed), new PackedSlots(DeviceLongs.of(packed), slots, SEED));
  }

  private Kernel insert(Slots table) {
    Batch batch = new Batch(Numbers.of(keys), Numbers.of(values), outcomes);
    return new Insert(table, batch, counters.longs(), 0, n, MapCodes.KEEP, MapCodes.STRIPED, POLLS);
  }

  private Kernel find(Slots table, DeviceInts asked, int options) {
    Batch batch = new Batch(Numbers.of(asked), Numbers.of(found), outcomes);
    return new Find(table, batch, counters.longs(), 0, n, options, POLLS);
  }

  private void measure(String name, List<Memory> memories, Slots table) {
    times(
        "map-insert",
        name,
        "",
        () -> {
          launcher.clear(memories.toArray(Memory[]::new));
          return time(insert(table), MapCodes.INSERTED);
        });
    int concurrent = MapCodes.VALUES + MapCodes.STRIPED;
    int quiescent = concurrent + MapCodes.QUIESCENT;
    for (int options : List.of(concurrent, quiescent)) {
      String full = options == quiescent ? name + "-quiescent" : name;
      times("map-find", full, " hits=0", () -> time(find(table, absent, options), MapCodes.ABSENT));
      times("map-find", full, " hits=100", () -> time(find(table, keys, options), MapCodes.FOUND));
    }
    launcher.readBack(found.memory());
    for (int i = 0; i < n; i++) {
      if (found.get(i) != i) {
        throw new IllegalStateException(
            "%s: key %d has the value %d, not %d".formatted(name, keys.get(i), found.get(i), i));
      }
    }
    memories.forEach(Memory::close);
  }

  private void times(String what, String name, String hits, LongSupplier once) {
    DeviceBenchmark.print(
        launcher.device(),
        what,
        "gyre-" + name,
        "type=int keys=unique load=0.5" + hits + " state=warm time=kernel",
        new DeviceBenchmark.Work(n, 8L * n, shape.threads(), "keys/s"),
        benchmark.repeated(once));
  }

  private long time(Kernel kernel, int counter) {
    counters.zero();
    long nanos = DeviceBenchmark.nanos(launcher, kernel, shape);
    counters.require(kernel.name(), counter, n);
    return nanos;
  }
}
