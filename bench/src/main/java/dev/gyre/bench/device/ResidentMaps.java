package dev.gyre.bench.device;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.datasets.Keys;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.Ints;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.Longs;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Times whole calls of a map of ints in packed slots, or of longs in lines, whose keys and values
 * are on the device, and stay there: {@code ResidentMaps TARGET N LOAD RUNS [int|long]}. A line for
 * what the caller waited for, and one for the kernels of the call alone. What the calls counted is
 * checked.
 *
 * <p>Inserts, additions to what is there and rehashes are timed as the map does them, and one by
 * one. Code of the JVM is warm: the same operations were done on a small map before. What a caller
 * waits for and the kernels are of calls of their own, since kernels of one piece of work have no
 * times of their own.
 */
public final class ResidentMaps {

  private static final String FROM = "gyre.regions.from";
  private static final String NEVER = "1024t";
  private static final String ALWAYS = "1";

  /** Keys of the small map, and calls, by which code becomes warm. */
  private static final int WARM_KEYS = 1 << 16;

  private static final int WARM_RUNS = 300;

  /** Notes how long the device ran kernels, where it is told to. */
  private static final class Timing extends MeasuredLauncher {
    private boolean notes;
    private long nanos;

    /** Kernels that were started and not waited for yet. */
    private final List<Launch> open = new ArrayList<>();

    Timing(Launcher launcher) {
      super(launcher);
    }

    long taken() {
      open.forEach(l -> nanos += l.kernelNanos().orElse(0));
      open.clear();
      long all = nanos;
      nanos = 0;
      return all;
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      Launch launch = launcher.start(kernel, shape, mode);
      if (notes) {
        open.add(launch);
      }
      return launch;
    }

    @Override
    public void runAndReadBack(Kernel kernel, LaunchShape shape, Memory... memories) {
      runChain(List.of(new ChainLink(kernel, shape)), memories);
    }

    @Override
    public void runChain(List<ChainLink> links, Memory... memories) {
      if (notes) {
        super.runChain(links, memories);
      } else {
        launcher.runChain(links, memories);
      }
    }
  }

  /**
   * Calls of a map, each of which returns how many keys it counted.
   *
   * @param insert of all keys, of which there is none
   * @param add to the values of all, which are there
   */
  private record Calls(
      Runnable clear,
      LongSupplier insert,
      LongSupplier add,
      LongSupplier find,
      LongSupplier findAbsent,
      LongSupplier retrieve,
      LongSupplier rehash,
      Runnable end)
      implements AutoCloseable {

    static Calls of(IntIntMap map, Ints keys, Ints absent, Ints out) {
      return new Calls(
          map::clear,
          () -> map.insert(keys, keys, BulkOptions.NONE).inserted(),
          () -> map.insertOrApply(keys, keys, Apply.ADD, BulkOptions.NONE).present(),
          () -> map.find(keys, out, BulkOptions.NONE).found(),
          () -> map.find(absent, out, BulkOptions.NONE).absent(),
          () -> map.retrieveAll(out, absent),
          () -> rehashed(() -> map.rehash(map.capacity()), map::size),
          map::close);
    }

    static Calls of(LongLongMap map, Longs keys, Longs absent, Longs out) {
      return new Calls(
          map::clear,
          () -> map.insert(keys, keys, BulkOptions.NONE).inserted(),
          () -> map.insertOrApply(keys, keys, Apply.ADD, BulkOptions.NONE).present(),
          () -> map.find(keys, out, BulkOptions.NONE).found(),
          () -> map.find(absent, out, BulkOptions.NONE).absent(),
          () -> map.retrieveAll(out, absent),
          () -> rehashed(() -> map.rehash(map.capacity()), map::size),
          map::close);
    }

    private static long rehashed(Runnable rehash, LongSupplier size) {
      rehash.run();
      return size.getAsLong();
    }

    @Override
    public void close() {
      end.run();
    }
  }

  private final Timing launcher;
  private final KernelTimes times;
  private final int n;
  private final String load;
  private final int runs;
  private final boolean warms;
  private final boolean ofLongs;

  private ResidentMaps(
      Timing launcher,
      KernelTimes times,
      int n,
      String load,
      int runs,
      boolean warms,
      boolean ofLongs) {
    this.launcher = launcher;
    this.times = times;
    this.n = n;
    this.load = load;
    this.runs = runs;
    this.warms = warms;
    this.ofLongs = ofLongs;
  }

  /** Prints two lines per operation. */
  public static void main(String[] args) {
    try (Timing launcher = new Timing(Launchers.open(Target.ofLabel(args[0])))) {
      KernelTimes times = KernelTimes.begin(launcher);
      int n = Integer.parseInt(args[1]);
      int runs = Integer.parseInt(args[3]);
      boolean ofLongs = KernelTimes.isSecond(args, 4, "int", "long");
      new ResidentMaps(launcher, times, WARM_KEYS, args[2], WARM_RUNS, true, ofLongs).measure();
      new ResidentMaps(launcher, times, n, args[2], runs, false, ofLongs).measure();
    }
  }

  private Memory memory() {
    return ofLongs ? Memory.ofLongs(n) : Memory.ofInts(n);
  }

  private Memory memoryOf(Keys keys, int from) {
    Memory memory = memory();
    for (int i = 0; i < n; i++) {
      if (ofLongs) {
        DeviceLongs.of(memory).set(i, keys.longAt((long) from + i));
      } else {
        DeviceInts.of(memory).set(i, keys.intAt((long) from + i));
      }
    }
    return memory;
  }

  private Calls calls(Memory keys, Memory absent, Memory out) {
    double loadFactor = Double.parseDouble(load);
    return ofLongs
        ? Calls.of(
            LongLongMap.builder()
                .launcher(launcher)
                .layout(Layout.LINE)
                .capacity(n)
                .loadFactor(loadFactor)
                .build(),
            Longs.onDevice(keys, n),
            Longs.onDevice(absent, n),
            Longs.onDevice(out, n))
        : Calls.of(
            IntIntMap.builder().launcher(launcher).capacity(n).loadFactor(loadFactor).build(),
            Ints.onDevice(keys, n),
            Ints.onDevice(absent, n),
            Ints.onDevice(out, n));
  }

  private void measure() {
    Keys unique = Keys.unique(42);
    try (Memory keys = memoryOf(unique, 0);
        Memory absent = memoryOf(unique, n);
        Memory found = memory();
        Calls calls = calls(keys, absent, found)) {
      launcher.clear(found);
      for (String way : List.of("one-by-one", "usual")) {
        if (way.equals("one-by-one")) {
          String _ = System.setProperty(FROM, NEVER);
        } else if (warms) {
          String _ = System.setProperty(FROM, ALWAYS);
        } else {
          String _ = System.clearProperty(FROM);
        }
        times("map-insert", way, calls.clear(), calls.insert());
        times("map-add", way, () -> {}, calls.add());
        times("map-rehash", way, () -> {}, calls.rehash());
      }
      times("map-find", "usual", () -> {}, calls.find());
      times("map-find-absent", "usual", () -> {}, calls.findAbsent());
      times("map-retrieve", "usual", () -> {}, calls.retrieve());
    }
  }

  /** Times a call, before each of which something is done. */
  private void times(String benchmark, String way, Runnable before, LongSupplier call) {
    List<Long> walls = new ArrayList<>();
    List<Long> kernels = new ArrayList<>();
    for (int run = 0; run < 2 * (runs + 1); run++) {
      launcher.notes = run % 2 == 1;
      before.run();
      long _ = launcher.taken();
      long start = System.nanoTime();
      long count = call.getAsLong();
      long wall = System.nanoTime() - start;
      long nanos = launcher.taken();
      if (count != n) {
        throw new IllegalStateException(
            "%s, %s: %d keys, not %d".formatted(benchmark, way, count, n));
      }
      // The first ones compile.
      if (run > 1) {
        (launcher.notes ? kernels : walls).add(launcher.notes ? nanos : wall);
      }
    }
    if (!warms) {
      print(benchmark, way + "-call", walls);
      print(benchmark, way + "-kernels", kernels);
    }
  }

  private void print(String benchmark, String way, List<Long> nanos) {
    times.print(
        benchmark,
        (ofLongs ? "gyre-line-" : "gyre-packed-") + way,
        "load=" + load,
        new KernelTimes.Work(n, (ofLongs ? 16L : 8L) * n, 0, "op/s"),
        nanos);
  }
}
