package dev.gyre.bench.device;

import dev.gyre.datasets.Keys;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Changes;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.RecordMap;
import dev.gyre.structures.map.RecordSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Times whole calls of maps whose keys are two ints, beside those of a map of longs with the same
 * bits in its keys: {@code RecordTimes TARGET N RUNS}. Keys are unique and values are longs; rows
 * have two columns. The ways take turns in each run.
 *
 * <ul>
 *   <li>{@code insert} into a map that has room;
 *   <li>{@code apply}: a sum into keys that are there;
 *   <li>{@code find} of all keys.
 * </ul>
 */
public final class RecordTimes {

  record Edge(int from, int to) {}

  record Count(long count) {}

  record Sums(long count, double weight) {}

  private static final Changes COUNTS = Changes.of("count", Apply.ADD);
  private static final Changes SUMS = COUNTS.and("weight", Apply.ADD);

  private final Launcher launcher;
  private final int n;
  private final long[] packed;
  private final Columns edges;
  private final long[] ones;
  private final long[] found;
  private final Columns rows;
  private final Columns foundRows;
  private final TreeMap<String, List<Long>> nanos = new TreeMap<>();

  private RecordTimes(Launcher launcher, int n) {
    this.launcher = launcher;
    this.n = n;
    this.packed = new long[n];
    this.ones = new long[n];
    this.found = new long[n];
    int[] from = new int[n];
    int[] to = new int[n];
    Keys keys = Keys.unique(42);
    for (int i = 0; i < n; i++) {
      packed[i] = keys.longAt(i);
      from[i] = (int) (packed[i] >> 32);
      to[i] = (int) packed[i];
      ones[i] = 1;
    }
    this.edges = Columns.ints(from, to);
    this.rows = Columns.longs(ones).and(Columns.doubles(new double[n]));
    this.foundRows = Columns.longs(found).and(Columns.doubles(new double[n]));
  }

  /** Prints a line per way. */
  public static void main(String[] args) {
    try (Launcher launcher = Launchers.open(Target.ofLabel(args[0]))) {
      int runs = Integer.parseInt(args[2]);
      RecordTimes times = new RecordTimes(launcher, Integer.parseInt(args[1]));
      for (int run = 0; run <= runs; run++) {
        if (run == 1) {
          // The first is not counted.
          times.nanos.clear();
        }
        times.longs();
        times.pairs();
        times.rows();
      }
      KernelTimes print = KernelTimes.begin(launcher);
      times.nanos.forEach((what, took) -> times.print(print, what, took));
    }
  }

  private void print(KernelTimes times, String what, List<Long> took) {
    String[] words = what.split(" ", 2);
    int threads = launcher.shapeForEach(n).threads();
    times.print(
        words[0],
        "gyre-" + words[1],
        "whole call",
        new KernelTimes.Work(n, 16L * n, threads, "op/s"),
        took);
  }

  private void time(String what, long expected, LongSupplier call) {
    long start = System.nanoTime();
    long count = call.getAsLong();
    long took = System.nanoTime() - start;
    if (count != expected) {
      throw new IllegalStateException("%s: %d keys, not %d".formatted(what, count, expected));
    }
    nanos.computeIfAbsent(what, _ -> new ArrayList<>()).add(took);
  }

  private void longs() {
    try (LongLongMap map = LongLongMap.builder().capacity(n).launcher(launcher).build()) {
      Longs keys = Longs.of(packed);
      Longs values = Longs.of(ones);
      time("insert longs", n, () -> map.insert(packed, ones).inserted());
      time(
          "apply longs",
          n,
          () -> map.insertOrApply(keys, values, Apply.ADD, BulkOptions.NONE).present());
      time("find longs", n, () -> map.find(packed, found).found());
    }
  }

  private void pairs() {
    var schema = RecordSchema.of(Edge.class, Count.class);
    try (var map = RecordMap.builder(schema).capacity(n).launcher(launcher).build()) {
      Columns values = Columns.longs(ones);
      time("insert pairs", n, () -> map.insert(edges, values).inserted());
      time("apply pairs", n, () -> map.insertOrApply(edges, values, COUNTS).present());
      time("find pairs", n, () -> map.find(edges, Columns.longs(found)).found());
    }
  }

  private void rows() {
    var schema = RecordSchema.of(Edge.class, Sums.class);
    try (var map = RecordMap.builder(schema).capacity(n).launcher(launcher).build()) {
      time("insert rows", n, () -> map.insert(edges, rows).inserted());
      time("apply rows", n, () -> map.insertOrApply(edges, rows, SUMS).present());
      time("find rows", n, () -> map.find(edges, foundRows).found());
    }
  }
}
