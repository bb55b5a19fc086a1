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
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.Ints;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.Longs;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Times whole calls of a map of ints in packed slots, or of longs in lines, whose keys and values
 * are on the device, and stay there: {@code ResidentMaps TARGET N LOAD RUNS [int|long]}. A line for
 * what the caller waited for, and one for the kernels of the call alone. What the calls counted is
 * checked.
 *
 * <p>Inserts are timed as the map does them, and one by one. Code of the JVM is warm: the same
 * operations were done on a small map before. What a caller waits for and the kernels are of calls
 * of their own, since kernels of one piece of work have no times of their own.
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

  /** Calls of a map, each of which returns how many keys it counted. */
  private interface Calls extends AutoCloseable {
    void clear();

    long insert();

    long find();

    long findAbsent();

    long retrieve();

    long rehash();

    @Override
    void close();
  }

  /** Those of a map of ints. */
  private record OfInts(IntIntMap map, Ints keys, Ints absent, Ints out) implements Calls {
    @Override
    public void clear() {
      map.clear();
    }

    @Override
    public long insert() {
      return map.insert(keys, keys, BulkOptions.NONE).inserted();
    }

    @Override
    public long find() {
      return map.find(keys, out, BulkOptions.NONE).found();
    }

    @Override
    public long findAbsent() {
      return map.find(absent, out, BulkOptions.NONE).absent();
    }

    @Override
    public long retrieve() {
      return map.retrieveAll(out, absent);
    }

    @Override
    public long rehash() {
      map.rehash(map.capacity());
      return map.size();
    }

    @Override
    public void close() {
      map.close();
    }
  }

  /** Those of a map of longs. */
  private record OfLongs(LongLongMap map, Longs keys, Longs absent, Longs out) implements Calls {
    @Override
    public void clear() {
      map.clear();
    }

    @Override
    public long insert() {
      return map.insert(keys, keys, BulkOptions.NONE).inserted();
    }

    @Override
    public long find() {
      return map.find(keys, out, BulkOptions.NONE).found();
    }

    @Override
    public long findAbsent() {
      return map.find(absent, out, BulkOptions.NONE).absent();
    }

    @Override
    public long retrieve() {
      return map.retrieveAll(out, absent);
    }

    @Override
    public long rehash() {
      map.rehash(map.capacity());
      return map.size();
    }

    @Override
    public void close() {
      map.close();
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
      boolean ofLongs = args.length > 4 && args[4].equals("long");
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
        ? new OfLongs(
            LongLongMap.builder()
                .launcher(launcher)
                .layout(Layout.LINE)
                .capacity(n)
                .loadFactor(loadFactor)
                .build(),
            Longs.onDevice(keys, n),
            Longs.onDevice(absent, n),
            Longs.onDevice(out, n))
        : new OfInts(
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
        times("map-insert", way, calls, calls::insert);
      }
      times("map-find", "usual", null, calls::find);
      times("map-find-absent", "usual", null, calls::findAbsent);
      times("map-retrieve", "usual", null, calls::retrieve);
      times("map-rehash", "usual", null, calls::rehash);
    }
  }

  /** Times a call; of a map that is cleared before each, if one is given. */
  private void times(String benchmark, String way, @Nullable Calls cleared, LongSupplier call) {
    List<Long> walls = new ArrayList<>();
    List<Long> kernels = new ArrayList<>();
    for (int run = 0; run < 2 * (runs + 1); run++) {
      launcher.notes = run % 2 == 1;
      if (cleared != null) {
        cleared.clear();
      }
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
