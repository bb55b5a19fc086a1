package dev.gyre.bench.device;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.datasets.Keys;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.ClearLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.map.region.CopyHalf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Times whole calls of maps of ints in packed slots, or of longs in lines, whose keys and values
 * are on the device, and stay there: {@code ResidentMaps TARGET N[,N]... LOAD[,LOAD]... RUNS
 * [int|long|int,long [KEYS[,KEYS]...]]}. A line for what the caller waited for, and one for the
 * kernels of the call alone. What the calls counted is checked.
 *
 * <p>Inserts, additions to what is there and rehashes are timed as the map does them, and one by
 * one. Where kinds of keys are named ({@code unique}, {@code zipf} with exponent 1, {@code few}
 * different ones, {@code equal}), by regions as well, whatever the map would do; and then additions
 * to an empty map, and to one that may have no more than twice as many keys as there are different
 * ones, clearing, and inserts, finds and {@code retrieveAll} of a set; and behind the lines of a
 * type all is printed once more as tables in Markdown.
 *
 * <p>Code of the JVM is warm: the same operations were done on a small map before. What a caller
 * waits for and the kernels are of calls of their own, since kernels of one piece of work have no
 * times of their own.
 */
public final class ResidentMaps {

  static final String ONE_BY_ONE = "one-by-one";
  static final String BY_REGIONS = "by-regions";
  static final String USUAL = "usual";

  private static final String FROM = "gyre.regions.from";
  private static final String TOGETHER_FROM = "gyre.additions.from";
  private static final String NEVER = "1024t";
  private static final String ALWAYS = "1";

  /** Keys of the small map, and calls, by which code becomes warm. */
  private static final int WARM_KEYS = 1 << 16;

  private static final int WARM_RUNS = 300;

  /** Longs that are copied to see how fast that is, more than caches have, and how often. */
  private static final int COPIED = 1 << 25;

  private static final int COPIES = 10;

  /** Which keys there are. */
  private enum Kind {
    UNIQUE,
    ZIPF,
    FEW,
    EQUAL;

    private static final double MANTISSAS = 0x1p-53;
    private static final Keys RANDOM = Keys.unique(7);

    /** Different keys where there are few. */
    private static final int DIFFERENT = 1_000;

    /** Number among unique keys of one of {@code n} keys. */
    long index(long i, int n) {
      return switch (this) {
        case UNIQUE -> i;
        case ZIPF -> (long) Math.exp((RANDOM.longAt(i) >>> 11) * MANTISSAS * Math.log(n)) - 1;
        case FEW -> Math.floorMod(RANDOM.longAt(i), DIFFERENT);
        case EQUAL -> 7;
      };
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

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
      for (Launch launch : open) {
        launch.join();
        nanos += launch.kernelNanos().orElse(0);
      }
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
    public void clear(Memory... memories) {
      if (!notes) {
        launcher.clear(memories);
        return;
      }
      for (Memory m : memories) {
        long length = Math.ceilDiv(m.byteSize(), Long.BYTES);
        open.add(
            launcher.start(
                new ClearLongs(ThreadLongs.of(m), length),
                launcher.shapeFor(Math.max(1, length)),
                LaunchMode.STRIDED));
      }
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

  private final Timing launcher;
  private final KernelTimes times;
  private final Kind kind;
  private final int n;
  private final String load;
  private final int runs;
  private final boolean ofLongs;

  /** Where all is measured, and noted; null for the usual lines alone. */
  private final @Nullable ResidentTables tables;

  /** Whether nothing is printed. */
  private final boolean warms;

  private ResidentTables.Row row = new ResidentTables.Row("", 0, 0, 0);

  private ResidentMaps(
      Timing launcher,
      KernelTimes times,
      Kind kind,
      int n,
      String load,
      int runs,
      boolean ofLongs,
      @Nullable ResidentTables tables,
      boolean warms) {
    this.launcher = launcher;
    this.times = times;
    this.kind = kind;
    this.n = n;
    this.load = load;
    this.runs = runs;
    this.ofLongs = ofLongs;
    this.tables = tables;
    this.warms = warms;
  }

  /** Prints two lines per operation, and tables where kinds of keys are named. */
  public static void main(String[] args) {
    try (Timing launcher = new Timing(Launchers.open(Target.ofLabel(args[0])))) {
      KernelTimes times = KernelTimes.begin(launcher);
      int[] sizes = Arrays.stream(args[1].split(",", -1)).mapToInt(Integer::parseInt).toArray();
      String[] loads = args[2].split(",", -1);
      int runs = Integer.parseInt(args[3]);
      String[] types = (args.length > 4 ? args[4] : "int").split(",", -1);
      List<Kind> kinds =
          args.length < 6
              ? List.of(Kind.UNIQUE)
              : Arrays.stream(args[5].toUpperCase(Locale.ROOT).split(",", -1))
                  .map(Kind::valueOf)
                  .toList();
      double streaming = args.length < 6 ? 0 : streaming(launcher);
      for (String type : types) {
        ResidentTables tables = args.length < 6 ? null : new ResidentTables(streaming);
        boolean ofLongs = KernelTimes.isSecond(new String[] {type}, 0, "int", "long");
        new ResidentMaps(
                launcher,
                times,
                kinds.getFirst(),
                WARM_KEYS,
                loads[0],
                WARM_RUNS,
                ofLongs,
                tables,
                true)
            .measure();
        for (Kind kind : kinds) {
          for (int n : sizes) {
            for (String load : loads) {
              new ResidentMaps(launcher, times, kind, n, load, runs, ofLongs, tables, false)
                  .measure();
            }
          }
        }
        if (tables != null) {
          tables.print();
        }
      }
    }
  }

  /** Bytes a second that are read and written where a memory is copied, the best of some shapes. */
  private static double streaming(Launcher launcher) {
    long best = Long.MAX_VALUE;
    try (Memory memory = Memory.ofLongs(2L * COPIED)) {
      launcher.clear(memory);
      CopyHalf copy = new CopyHalf(ThreadLongs.of(memory), COPIED);
      for (int run = 0; run < COPIES; run++) {
        for (LaunchShape shape :
            List.of(
                launcher.shapeForEach(COPIED),
                launcher.shapeForEach(COPIED / 4),
                launcher.shapeFor(COPIED))) {
          best = Math.min(best, KernelTimes.nanos(launcher, copy, shape));
        }
      }
    }
    return 2.0 * COPIED * Long.BYTES / best * 1e9;
  }

  private Memory memory() {
    return ofLongs ? Memory.ofLongs(n) : Memory.ofInts(n);
  }

  private Memory memoryOf(Kind keys, long from) {
    Memory memory = memory();
    Keys unique = Keys.unique(42);
    DeviceLongs longs = ofLongs ? DeviceLongs.of(memory) : null;
    DeviceInts ints = ofLongs ? null : DeviceInts.of(memory);
    IntStream.range(0, n)
        .parallel()
        .forEach(
            i -> {
              long index = keys.index(from + i, n);
              if (longs != null) {
                longs.set(i, unique.longAt(index));
              } else if (ints != null) {
                ints.set(i, unique.intAt(index));
              }
            });
    return memory;
  }

  private void measure() {
    double loadFactor = Double.parseDouble(load);
    try (Memory keys = memoryOf(kind, 0);
        Memory absent = memoryOf(Kind.UNIQUE, n);
        Memory found = memory()) {
      launcher.clear(found);
      try (ResidentCalls map =
          ResidentCalls.ofMap(launcher, ofLongs, n, 0, loadFactor, keys, absent, found)) {
        measure(map);
      }
      if (tables != null && kind != Kind.UNIQUE) {
        int room = 2 * (int) row.distinct();
        try (ResidentCalls map =
            ResidentCalls.ofMap(launcher, ofLongs, n, room, loadFactor, keys, absent, found)) {
          for (String way : List.of(ONE_BY_ONE, USUAL)) {
            way(way);
            times("map-add-tight", way, map.clear(), map.add(), n);
          }
        }
      }
      if (tables != null) {
        try (ResidentCalls set =
            ResidentCalls.ofSet(launcher, ofLongs, n, loadFactor, keys, absent, found)) {
          tables.note(row, "set", "bytes", (double) set.bytes().getAsLong());
          for (String way : List.of(ONE_BY_ONE, BY_REGIONS, USUAL)) {
            way(way);
            times("set-insert", way, set.clear(), set.insert(), n);
          }
          times("set-find", USUAL, () -> {}, set.find(), n);
          times("set-retrieve", USUAL, () -> {}, set.retrieve(), row.distinct());
        }
      }
    }
  }

  private void measure(ResidentCalls map) {
    way(ONE_BY_ONE);
    long _ = map.insert().getAsLong();
    long distinct = map.size().getAsLong();
    String keys =
        String.format(
            Locale.ROOT,
            "%s %s, %s, load %s",
            n == Integer.highestOneBit(n) ? "2^" + Integer.numberOfTrailingZeros(n) : n,
            ofLongs ? "longs" : "ints",
            kind.label(),
            load);
    row =
        new ResidentTables.Row(
            keys, distinct, map.bytes().getAsLong(), ofLongs ? Long.BYTES : Integer.BYTES);
    for (String way :
        tables == null ? List.of(ONE_BY_ONE, USUAL) : List.of(ONE_BY_ONE, BY_REGIONS, USUAL)) {
      way(way);
      times("map-insert", way, map.clear(), map.insert(), n);
      if (tables != null) {
        times("map-add-new", way, map.clear(), map.add(), n);
      }
      times("map-add", way, () -> {}, map.add(), n);
      times("map-rehash", way, () -> {}, () -> rehashed(map), distinct);
    }
    times("map-find", USUAL, () -> {}, map.find(), n);
    times("map-find-absent", USUAL, () -> {}, map.findAbsent(), n);
    times("map-retrieve", USUAL, () -> {}, map.retrieve(), distinct);
    if (tables != null) {
      times("map-clear", USUAL, () -> {}, () -> cleared(map), 0);
    }
  }

  private static long rehashed(ResidentCalls map) {
    map.rehash().run();
    return map.size().getAsLong();
  }

  private static long cleared(ResidentCalls map) {
    map.clear().run();
    return map.size().getAsLong();
  }

  /** Has keys inserted in one of the ways from now on. */
  private void way(String way) {
    if (way.equals(ONE_BY_ONE)) {
      String _ = System.setProperty(FROM, NEVER);
      String _ = System.setProperty(TOGETHER_FROM, NEVER);
    } else if (way.equals(BY_REGIONS) || warms) {
      String _ = System.setProperty(FROM, ALWAYS);
      String _ = System.clearProperty(TOGETHER_FROM);
    } else {
      String _ = System.clearProperty(FROM);
      String _ = System.clearProperty(TOGETHER_FROM);
    }
  }

  /** Times a call that counts so many keys, before each of which something is done. */
  private void times(
      String benchmark, String way, Runnable before, LongSupplier call, long expected) {
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
      if (count != expected) {
        throw new IllegalStateException(
            "%s, %s, %s: %d keys, not %d".formatted(row.keys(), benchmark, way, count, expected));
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
        (ofLongs && benchmark.startsWith("map") ? "gyre-line-" : "gyre-packed-") + way,
        tables == null ? "load=" + load : "load=%s keys=%s".formatted(load, kind.label()),
        new KernelTimes.Work(n, (ofLongs ? 16L : 8L) * n, 0, "op/s"),
        nanos);
    if (tables != null) {
      long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
      tables.note(row, benchmark, way, sorted[sorted.length / 2] / 1e6);
    }
  }
}
