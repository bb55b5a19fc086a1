package dev.gyre.bench.device;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.datasets.Keys;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
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

/**
 * Times the kernels that insert and find unique random int keys at a load factor of 0.5: {@code
 * MapKernels TARGET N RUNS [BLOCKS:SIZE]}, by a device thread for each key, or by so many blocks of
 * a size. What they did is checked after each run.
 */
public final class MapKernels {

  private static final long SEED = 42;
  private static final long POLLS = 1 << 20;

  private final Launcher launcher;
  private final int n;
  private final int runs;
  private final LaunchShape shape;
  private final long slots;
  private final DeviceInts keys;
  private final DeviceInts absent;
  private final DeviceInts values;
  private final DeviceInts found;
  private final Bytes outcomes;
  private final KernelCounters counters;
  private final KernelTimes times;

  private MapKernels(Launcher launcher, int n, int runs, LaunchShape shape) {
    this.launcher = launcher;
    this.times = KernelTimes.begin(launcher);
    this.n = n;
    this.runs = runs;
    this.shape = shape;
    this.slots = 2L * n;
    this.keys = DeviceInts.of(Memory.ofInts(n));
    this.absent = DeviceInts.of(Memory.ofInts(n));
    this.values = DeviceInts.of(Memory.ofInts(n));
    this.found = DeviceInts.of(Memory.ofInts(n));
    this.outcomes = Bytes.of(Memory.ofBytes(8));
    this.counters = KernelCounters.of(launcher);
    Keys unique = Keys.unique(SEED);
    for (int i = 0; i < n; i++) {
      keys.set(i, unique.intAt(i));
      absent.set(i, unique.intAt((long) n + i));
      values.set(i, i);
    }
  }

  /** Prints a line per layout and operation. */
  public static void main(String[] args) {
    try (Launcher launcher = Launchers.open(Target.ofLabel(args[0]))) {
      int n = Integer.parseInt(args[1]);
      LaunchShape shape = args.length > 3 ? shape(args[3]) : launcher.shapeForEach(n);
      MapKernels all = new MapKernels(launcher, n, Integer.parseInt(args[2]), shape);
      all.measureReference();
      all.measureLines();
      all.measurePacked();
    }
  }

  private static LaunchShape shape(String text) {
    int colon = text.indexOf(':');
    return new LaunchShape(
        Integer.parseInt(text.substring(0, colon)), Integer.parseInt(text.substring(colon + 1)));
  }

  private void measureReference() {
    List<Memory> memories =
        List.of(Memory.ofInts(slots), Memory.ofInts(slots), Memory.ofInts(slots));
    DeviceInts s = DeviceInts.of(memories.get(0));
    DeviceInts k = DeviceInts.of(memories.get(1));
    DeviceInts v = DeviceInts.of(memories.get(2));
    measure("reference", memories, new IntSlots(s, k, v, slots, SEED));
  }

  private void measureLines() {
    List<Memory> memories = List.of(Memory.ofLongs(IntLines.words(slots)));
    measure("line", memories, new IntLines(DeviceLongs.of(memories.getFirst()), slots, SEED));
  }

  private void measurePacked() {
    List<Memory> memories = List.of(Memory.ofLongs(PackedSlots.words(slots)));
    measure("packed", memories, new PackedSlots(DeviceLongs.of(memories.getFirst()), slots, SEED));
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
        () -> {
          launcher.clear(memories.toArray(Memory[]::new));
          return time(insert(table), MapCodes.INSERTED);
        });
    int concurrent = MapCodes.VALUES + MapCodes.STRIPED;
    int quiescent = concurrent + MapCodes.QUIESCENT;
    times("map-find-absent", name, () -> time(find(table, absent, concurrent), MapCodes.ABSENT));
    times(
        "map-find-absent",
        name + "-quiescent",
        () -> time(find(table, absent, quiescent), MapCodes.ABSENT));
    times("map-find", name, () -> time(find(table, keys, concurrent), MapCodes.FOUND));
    times(
        "map-find", name + "-quiescent", () -> time(find(table, keys, quiescent), MapCodes.FOUND));
    launcher.readBack(found.memory());
    for (int i = 0; i < n; i++) {
      if (found.get(i) != i) {
        throw new IllegalStateException(
            "%s: key %d has the value %d, not %d".formatted(name, keys.get(i), found.get(i), i));
      }
    }
    memories.forEach(Memory::close);
  }

  private void times(String benchmark, String name, LongSupplier once) {
    times.print(
        benchmark,
        "gyre-" + name,
        "load=0.5",
        new KernelTimes.Work(n, 8L * n, shape.threads(), "op/s"),
        KernelTimes.repeated(runs, once));
  }

  private long time(Kernel kernel, int counter) {
    counters.zero();
    long nanos = KernelTimes.nanos(launcher, kernel, shape);
    counters.require(kernel.name(), counter, n);
    return nanos;
  }
}
