package dev.gyre.bench.measure;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.bench.map.KeyChoice;
import dev.gyre.bench.map.MapData;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.MemoryKindException;
import dev.gyre.kernels.Target;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.Ints;
import dev.gyre.structures.map.Layout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Locale;

/**
 * Times what a caller waits for on a warm device: a launch, a copy, launches that may overlap, and
 * bulk calls of a map from arrays and memories of the host to others: {@code MeasureCalls
 * target=ptx bits=10,20,24 runs=11 turns=3000000}.
 */
public final class MeasureCalls {

  private static final LaunchShape ONE = LaunchShape.ofThreads(1);
  private static final int WARMUPS = 5;

  /** One thread that takes its time, so that two of them fit on any device. */
  record Turns(DeviceLongs word, long turns) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (long i = 0; i < turns; i++) {
        word.fetchAddRelaxed(0, 1);
      }
    }
  }

  /** A call to be timed. */
  private interface Call {
    void run();

    default void before() {}
  }

  private final Launcher launcher;
  private final int runs;

  private MeasureCalls(Launcher launcher, int runs) {
    this.launcher = launcher;
    this.runs = runs;
  }

  /** Prints a line for each: what, median and least milliseconds, and GB/s of what it moves. */
  public static void main(String[] args) {
    Arguments arguments = new Arguments(args);
    Target target = Target.ofLabel(arguments.text("target", "opencl"));
    try (Launcher launcher = Launchers.open(target)) {
      MeasureCalls measure = new MeasureCalls(launcher, arguments.number("runs", 11));
      System.out.println("@device " + launcher.device().name());
      measure.launches();
      measure.overlap(arguments.number("turns", 3_000_000));
      for (String bits : arguments.text("bits", "10,20,24").split(",", -1)) {
        measure.maps(1 << Integer.parseInt(bits));
        measure.memories(1 << Integer.parseInt(bits));
      }
    }
  }

  private void launches() {
    try (Memory memory = Memory.ofLongs(64)) {
      Kernel kernel = new Turns(DeviceLongs.of(memory), 1);
      time("launch", 0, () -> launcher.run(kernel, ONE));
      time("launch and read back", 0, () -> launcher.runAndReadBack(kernel, ONE, memory));
      time(
          "host wrote, launch, read back",
          0,
          () -> {
            launcher.hostWrote(memory);
            launcher.runAndReadBack(kernel, ONE, memory);
          });
    }
  }

  private void overlap(int turns) {
    try (Memory one = Memory.ofLongs(64);
        Memory other = Memory.ofLongs(64)) {
      Kernel first = new Turns(DeviceLongs.of(one), turns);
      Kernel second = new Turns(DeviceLongs.of(other), turns);
      time("a long launch", 0, () -> launcher.run(first, ONE));
      time("two on one memory", 0, () -> two(first, first));
      time("two on different memories", 0, () -> two(first, second));
    }
  }

  private void two(Kernel first, Kernel second) {
    Launch one = launcher.start(first, ONE, LaunchMode.STRIDED);
    Launch other = launcher.start(second, ONE, LaunchMode.STRIDED);
    one.join();
    other.join();
  }

  private void maps(int n) {
    MapData<int[]> data = MapData.ofInts(KeyChoice.UNIQUE, n, 100);
    long[] result = new long[1];
    try (IntIntMap map =
        IntIntMap.builder().layout(Layout.PACKED).launcher(launcher).capacity(n).seed(1).build()) {
      time(
          "insert " + n,
          2L * Integer.BYTES * n,
          new Call() {
            @Override
            public void before() {
              map.clear();
            }

            @Override
            public void run() {
              result[0] = map.insert(data.keys(), data.values()).inserted();
            }
          });
      data.checkInserted(result[0]);
      time(
          "find " + n,
          2L * Integer.BYTES * n,
          () -> result[0] = map.find(data.queries(), data.found()).found());
      data.checkFound(result[0]);
    }
  }

  /** The same from and to memories. */
  private void memories(int n, Memory keys, Memory values, String kind) {
    MapData<int[]> data = MapData.ofInts(KeyChoice.UNIQUE, n, 100);
    MemorySegment.copy(data.keys(), 0, keys.segment(), ValueLayout.JAVA_INT, 0, n);
    MemorySegment.copy(data.values(), 0, values.segment(), ValueLayout.JAVA_INT, 0, n);
    long[] result = new long[1];
    try (IntIntMap map =
        IntIntMap.builder().layout(Layout.PACKED).launcher(launcher).capacity(n).seed(1).build()) {
      time(
          "insert %d, %s memory".formatted(n, kind),
          2L * Integer.BYTES * n,
          new Call() {
            @Override
            public void before() {
              map.clear();
            }

            @Override
            public void run() {
              result[0] =
                  map.insert(Ints.of(keys, n), Ints.of(values, n), BulkOptions.NONE).inserted();
            }
          });
      data.checkInserted(result[0]);
      time(
          "find %d, %s memory".formatted(n, kind),
          2L * Integer.BYTES * n,
          () ->
              result[0] = map.find(Ints.of(keys, n), Ints.of(values, n), BulkOptions.NONE).found());
      if (result[0] != map.size()) {
        throw new IllegalStateException(result[0] + " keys found, not " + map.size());
      }
    }
  }

  private void memories(int n) {
    long bytes = (long) n * Integer.BYTES;
    try (Memory keys = Memory.ofBytes(bytes);
        Memory values = Memory.ofBytes(bytes)) {
      memories(n, keys, values, "ordinary");
    }
    try (Memory keys = launcher.memory(MemoryKind.PINNED, bytes);
        Memory values = launcher.memory(MemoryKind.PINNED, bytes)) {
      memories(n, keys, values, "pinned");
    } catch (MemoryKindException e) {
      System.out.println(e.getMessage());
    }
  }

  private void time(String what, long bytes, Call call) {
    long[] nanos = new long[runs];
    for (int i = -WARMUPS; i < runs; i++) {
      call.before();
      long begin = System.nanoTime();
      call.run();
      long end = System.nanoTime();
      if (i >= 0) {
        nanos[i] = end - begin;
      }
    }
    Arrays.sort(nanos);
    double median = nanos[runs / 2] / 1e6;
    System.out.printf(
        Locale.ROOT,
        "%-32s %10.3f ms, least %10.3f%s%n",
        what,
        median,
        nanos[0] / 1e6,
        bytes == 0 ? "" : ", %.1f GB/s".formatted(bytes / 1e6 / median));
  }
}
