package dev.gyre.bench.device;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.bench.map.KeyChoice;
import dev.gyre.datasets.generators.Keys;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.Ints;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.MapBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Times calls of a map whose keys and values are on the device and stay there: a line for what the
 * caller waits for, and one for the kernels of the call alone, which are of runs of their own.
 */
final class ResidentMaps {

  private static final int WARM_KEYS = 1 << 16;

  private final PhaseLauncher launcher;
  private final boolean ofLongs;
  private final Layout layout;
  private final KeyChoice choice;
  private final double load;
  private final int n;
  private final int runs;
  private final boolean prints;

  private ResidentMaps(
      DeviceBenchmark benchmark, PhaseLauncher launcher, int n, int runs, boolean prints) {
    this.launcher = launcher;
    this.ofLongs = benchmark.text("type", "int").equals("long");
    this.layout = benchmark.layout(ofLongs ? Layout.LINE : Layout.PACKED);
    this.choice = KeyChoice.valueOf(benchmark.text("keys", "unique").toUpperCase(Locale.ROOT));
    this.load = Double.parseDouble(benchmark.text("load", "0.5"));
    this.n = n;
    this.runs = runs;
    this.prints = prints;
  }

  /** Does all on a small map before, so that the code of the JVM is warm. */
  static void measure(DeviceBenchmark benchmark, Launcher device) {
    // The caller closes the device.
    PhaseLauncher launcher = new PhaseLauncher(device, true);
    new ResidentMaps(benchmark, launcher, WARM_KEYS, benchmark.number("warm", 300), false)
        .measure();
    new ResidentMaps(benchmark, launcher, benchmark.number("n", 1 << 20), benchmark.runs(), true)
        .measure();
  }

  /** Operations of a map on all keys; each returns how many keys it counted. */
  private record Calls(
      Runnable clear,
      LongSupplier insert,
      LongSupplier add,
      LongSupplier find,
      LongSupplier findAbsent,
      LongSupplier retrieve,
      LongSupplier size,
      Runnable close) {}

  private <M> M build(MapBuilder<M> builder) {
    return builder
        .layout(layout)
        .launcher(launcher.launcher())
        .capacity(n)
        .loadFactor(load)
        .build();
  }

  private Calls calls(Memory in, Memory other, Memory to) {
    BulkOptions none = BulkOptions.NONE;
    if (ofLongs) {
      LongLongMap map = build(LongLongMap.builder());
      Longs keys = Longs.onDevice(in, n);
      Longs absent = Longs.onDevice(other, n);
      Longs out = Longs.onDevice(to, n);
      return new Calls(
          map::clear,
          () -> all(map.insert(keys, keys, none)),
          () -> all(map.insertOrApply(keys, keys, Apply.ADD, none)),
          () -> map.find(keys, out, none).found(),
          () -> map.find(absent, out, none).absent(),
          () -> map.retrieveAll(out, absent),
          map::size,
          map::close);
    }
    IntIntMap map = build(IntIntMap.builder());
    Ints keys = Ints.onDevice(in, n);
    Ints absent = Ints.onDevice(other, n);
    Ints out = Ints.onDevice(to, n);
    return new Calls(
        map::clear,
        () -> all(map.insert(keys, keys, none)),
        () -> all(map.insertOrApply(keys, keys, Apply.ADD, none)),
        () -> map.find(keys, out, none).found(),
        () -> map.find(absent, out, none).absent(),
        () -> map.retrieveAll(out, absent),
        map::size,
        map::close);
  }

  private static long all(InsertCounts counts) {
    return counts.inserted() + counts.present();
  }

  private Memory memory() {
    return ofLongs ? Memory.ofLongs(n) : Memory.ofInts(n);
  }

  private Memory memory(Keys keys, long from) {
    Memory memory = memory();
    IntStream range = IntStream.range(0, n).parallel();
    if (ofLongs) {
      DeviceLongs longs = DeviceLongs.of(memory);
      range.forEach(i -> longs.set(i, keys.longAt(from + i)));
    } else {
      DeviceInts ints = DeviceInts.of(memory);
      range.forEach(i -> ints.set(i, keys.intAt(from + i)));
    }
    return memory;
  }

  private void measure() {
    try (Memory keys = memory(choice.keys(n), 0);
        Memory absent = memory(KeyChoice.UNIQUE.keys(n), n);
        Memory found = memory()) {
      launcher.launcher().clear(found);
      Calls calls = calls(keys, absent, found);
      times("map-insert", "", calls.clear, calls.insert, n);
      times("map-find", " hits=100", () -> {}, calls.find, n);
      times("map-find", " hits=0", () -> {}, calls.findAbsent, n);
      times("map-add", "", () -> {}, calls.add, n);
      // Last: it overwrites the absent keys.
      times("map-retrieve", "", () -> {}, calls.retrieve, calls.size.getAsLong());
      calls.close.run();
    }
  }

  /** Times a call that counts so many keys, before each of which something is done. */
  private void times(String what, String hits, Runnable before, LongSupplier call, long expected) {
    List<Long> calls = new ArrayList<>();
    List<Long> kernels = new ArrayList<>();
    long[] count = new long[1];
    Runnable counted = () -> count[0] = call.getAsLong();
    // The first run compiles.
    for (int run = 0; run <= runs; run++) {
      before.run();
      calls.add(launcher.nanos(counted));
      before.run();
      kernels.add(launcher.measure(counted).kernel());
      if (count[0] != expected) {
        throw new IllegalStateException(what + ": " + count[0] + " keys, not " + expected);
      }
    }
    if (prints) {
      print(what, hits + " state=warm time=call", calls.subList(1, calls.size()));
      print(what, hits + " state=warm time=kernel", kernels.subList(1, kernels.size()));
    }
  }

  private void print(String what, String more, List<Long> nanos) {
    DeviceBenchmark.print(
        launcher.launcher().device(),
        what,
        "gyre-" + layout.name().toLowerCase(Locale.ROOT),
        "type=%s keys=%s load=%s%s".formatted(ofLongs ? "long" : "int", choice.label(), load, more),
        new DeviceBenchmark.Work(n, (ofLongs ? 16L : 8L) * n, 0, "keys/s"),
        nanos);
  }
}
