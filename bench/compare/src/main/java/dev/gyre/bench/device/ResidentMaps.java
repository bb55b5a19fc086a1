package dev.gyre.bench.device;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.datasets.Keys;
import dev.gyre.kernels.Launcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Times calls of maps of ints in packed slots, or of longs in lines, and of sets, whose keys and
 * values are on the device and stay there: a line for what the caller waits for, and one for the
 * kernels of the call alone, which are of runs of their own.
 *
 * <p>Code of the JVM is warm: the same operations were done on a small map before.
 */
final class ResidentMaps {

  private static final String USUAL = "usual";
  private static final String REGIONS_FROM = "gyre.regions.from";
  private static final String ADDITIONS_FROM = "gyre.additions.from";
  private static final String NEVER = "1024t";
  private static final String ALWAYS = "1";
  private static final int WARM_KEYS = 1 << 16;
  private static final int WARM_RUNS = 300;

  /** Different keys if there are few. */
  private static final int FEW = 1_000;

  private static final double MANTISSAS = 0x1p-53;
  private static final Keys RANDOM = Keys.unique(7);

  private final PhaseLauncher launcher;
  private final boolean ofLongs;
  private final String kind;
  private final double load;
  private final int n;
  private final int runs;

  /** Whether nothing is printed. */
  private final boolean warms;

  private ResidentMaps(
      DeviceBenchmark benchmark, PhaseLauncher launcher, int n, int runs, boolean warms) {
    this.launcher = launcher;
    this.ofLongs = benchmark.text("type", "int").equals("long");
    this.kind = benchmark.text("keys", "unique");
    this.load = Double.parseDouble(benchmark.text("load", "0.5"));
    this.n = n;
    this.runs = runs;
    this.warms = warms;
  }

  static void measure(DeviceBenchmark benchmark, Launcher device) {
    // The caller closes the device.
    PhaseLauncher launcher = new PhaseLauncher(device, true);
    List<String> ways = List.of(benchmark.text("ways", USUAL).split(","));
    new ResidentMaps(benchmark, launcher, WARM_KEYS, WARM_RUNS, true).measure(ways);
    int n = benchmark.number("n", 1 << 20);
    new ResidentMaps(benchmark, launcher, n, benchmark.runs(), false).measure(ways);
  }

  /** Returns the number, among unique keys, of one of the keys. */
  private long index(String keys, long i) {
    return switch (keys) {
      case "unique" -> i;
      case "zipf" -> (long) Math.exp((RANDOM.longAt(i) >>> 11) * MANTISSAS * Math.log(n)) - 1;
      case "few" -> Math.floorMod(RANDOM.longAt(i), FEW);
      case "equal" -> 7;
      default -> throw new IllegalArgumentException("keys are unique, zipf, few or equal");
    };
  }

  private Memory memory() {
    return ofLongs ? Memory.ofLongs(n) : Memory.ofInts(n);
  }

  private Memory memoryOf(String keys, long from) {
    Memory memory = memory();
    Keys unique = Keys.unique(42);
    IntStream range = IntStream.range(0, n).parallel();
    if (ofLongs) {
      DeviceLongs longs = DeviceLongs.of(memory);
      range.forEach(i -> longs.set(i, unique.longAt(index(keys, from + i))));
    } else {
      DeviceInts ints = DeviceInts.of(memory);
      range.forEach(i -> ints.set(i, unique.intAt(index(keys, from + i))));
    }
    return memory;
  }

  private void measure(List<String> ways) {
    try (Memory keys = memoryOf(kind, 0);
        Memory absent = memoryOf("unique", n);
        Memory found = memory()) {
      launcher.clear(found);
      try (ResidentCalls map =
          ResidentCalls.ofMap(launcher, ofLongs, n, load, keys, absent, found)) {
        measure("map", map, ways);
        for (String way : ways) {
          choose(way);
          times("map-add", way, "", () -> {}, map.add(), n);
          times("map-rehash", way, "", () -> {}, map.rehashed(), map.size().getAsLong());
        }
      }
      try (ResidentCalls set =
          ResidentCalls.ofSet(launcher, ofLongs, n, load, keys, absent, found)) {
        measure("set", set, ways);
      }
    }
  }

  private void measure(String what, ResidentCalls calls, List<String> ways) {
    for (String way : ways) {
      choose(way);
      times(what + "-insert", way, "", calls.clear(), calls.insert(), n);
    }
    choose(USUAL);
    times(what + "-find", USUAL, " hits=100", () -> {}, calls.find(), n);
    times(what + "-find", USUAL, " hits=0", () -> {}, calls.findAbsent(), n);
    times(what + "-retrieve", USUAL, "", () -> {}, calls.retrieve(), calls.size().getAsLong());
  }

  /** Has keys inserted in one of the ways from now on. */
  private void choose(String way) {
    switch (way) {
      case "one-by-one" -> {
        String _ = System.setProperty(REGIONS_FROM, NEVER);
        String _ = System.setProperty(ADDITIONS_FROM, NEVER);
      }
      case "by-regions" -> {
        String _ = System.setProperty(REGIONS_FROM, ALWAYS);
        String _ = System.clearProperty(ADDITIONS_FROM);
      }
      default -> {
        String _ = System.clearProperty(REGIONS_FROM);
        String _ = System.clearProperty(ADDITIONS_FROM);
      }
    }
  }

  /** Times a call that counts so many keys, before each of which something is done. */
  private void times(
      String what, String way, String hits, Runnable before, LongSupplier call, long expected) {
    List<Long> calls = new ArrayList<>();
    List<Long> kernels = new ArrayList<>();
    long[] count = new long[1];
    Runnable counted = () -> count[0] = call.getAsLong();
    for (int run = 0; run <= runs; run++) {
      before.run();
      calls.add(launcher.nanos(counted));
      before.run();
      kernels.add(launcher.measure(counted).kernel());
      if (count[0] != expected) {
        throw new IllegalStateException(
            "%s, %s: %d keys, not %d".formatted(what, way, count[0], expected));
      }
    }
    if (!warms) {
      print(what, way, hits + " state=warm time=call", calls);
      print(what, way, hits + " state=warm time=kernel", kernels);
    }
  }

  private void print(String what, String way, String more, List<Long> nanos) {
    String layout = ofLongs && what.startsWith("map") ? "gyre-line-" : "gyre-packed-";
    DeviceBenchmark.print(
        launcher.device(),
        what,
        layout + (way.equals(USUAL) ? "resident" : "resident-" + way),
        String.format(
            Locale.ROOT, "type=%s keys=%s load=%s%s", ofLongs ? "long" : "int", kind, load, more),
        new DeviceBenchmark.Work(n, (ofLongs ? 16L : 8L) * n, 0, "keys/s"),
        // The first ones compile.
        nanos.subList(1, nanos.size()));
  }
}
