package dev.gyre.bench.device;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.datasets.Keys;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Find;
import dev.gyre.kernels.map.Insert;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.Options;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.region.BuildRegions;
import dev.gyre.kernels.map.region.CountRegions;
import dev.gyre.kernels.map.region.Entries;
import dev.gyre.kernels.map.region.InsertSpilled;
import dev.gyre.kernels.map.region.Level;
import dev.gyre.kernels.map.region.OrderByRegion;
import dev.gyre.kernels.map.region.Pairs;
import dev.gyre.kernels.map.region.PlaceRegions;
import dev.gyre.kernels.map.region.RegionSlots;
import java.util.Arrays;

/**
 * Times the kernels that insert unique random ints into packed slots by regions, in milliseconds:
 * {@code RegionKernels TARGET N LOAD RUNS SHAPE[;SHAPE]...}. A shape is the bits of parents and of
 * their children, the threads of a block that orders, the entries of its tile, the threads of a
 * block that builds, the tiles that a block orders of a parent, and whether places are computed:
 * {@code 7,8,256,2048,256,4,0}.
 *
 * <p>A line has the times of counting and ordering by parents, of the same by children, of placing,
 * building and of what was spilled, and their sum; the first line is all keys one by one. What was
 * inserted is counted, and found again.
 */
public final class RegionKernels {

  private static final long SEED = 42;
  private static final long POLLS = 1 << 20;

  private final Launcher launcher;
  private final int n;
  private final int runs;
  private final long slots;
  private final DeviceInts keys;
  private final DeviceInts values;
  private final Bytes outcomes = Bytes.of(Memory.ofBytes(8));
  private final KernelCounters counts;
  private final DeviceLongs counters;
  private final DeviceLongs first;
  private final DeviceLongs second;
  private final PackedSlots table;
  private final int blocks;

  private RegionKernels(Launcher launcher, int n, double load, int runs) {
    this.launcher = launcher;
    this.counts = KernelCounters.of(launcher);
    this.counters = counts.longs();
    this.n = n;
    this.runs = runs;
    this.slots = (long) (n / load);
    this.keys = DeviceInts.of(Memory.ofInts(n));
    this.values = DeviceInts.of(Memory.ofInts(n));
    this.first = DeviceLongs.of(Memory.ofLongs(n));
    this.second = DeviceLongs.of(Memory.ofLongs(n));
    this.table =
        new PackedSlots(DeviceLongs.of(Memory.ofLongs(PackedSlots.words(slots))), slots, SEED);
    this.blocks = launcher.shapeFor(Integer.MAX_VALUE).blocks();
    Keys unique = Keys.unique(SEED);
    for (int i = 0; i < n; i++) {
      keys.set(i, unique.intAt(i));
      values.set(i, i);
    }
    launcher.clear(first.memory(), second.memory());
  }

  /** Prints a line for each shape. */
  public static void main(String[] args) {
    try (Launcher launcher = Launchers.open(Target.ofLabel(args[0]))) {
      RegionKernels all =
          new RegionKernels(
              launcher,
              Integer.parseInt(args[1]),
              Double.parseDouble(args[2]),
              Integer.parseInt(args[3]));
      all.oneByOne();
      for (String shape : args[4].split(";", -1)) {
        all.regions(Arrays.stream(shape.split(",")).mapToInt(Integer::parseInt).toArray());
      }
    }
  }

  private void reset() {
    counts.zero();
    launcher.clear(table.words().memory());
  }

  private void oneByOne() {
    Batch in = new Batch(Numbers.of(keys), Numbers.of(values), outcomes);
    long[][] t = new long[1][runs];
    for (int r = 0; r < runs; r++) {
      reset();
      t[0][r] =
          KernelTimes.nanos(
              launcher,
              new Insert(table, in, counters, 0, n, MapCodes.KEEP, MapCodes.STRIPED, POLLS),
              launcher.shapeForEach(n));
      counts.require("insert", MapCodes.INSERTED, n);
    }
    print("one by one", t);
  }

  private void print(String name, long[][] t) {
    StringBuilder b = new StringBuilder(String.format("%d/%d %-34s", n, slots, name));
    long sum = 0;
    for (long[] x : t) {
      Arrays.sort(x);
      b.append(String.format(" %8.4f", x[x.length / 2] / 1e6));
      sum += x[x.length / 2];
    }
    System.out.println(b.append(String.format(" = %.4f ms", sum / 1e6)));
  }

  /** One shape, whose numbers are as for {@link #main}. */
  private void regions(int[] s) {
    int block = s[2];
    int tile = s[3];
    int per = 2048 / block;
    long two = Level.ints(s[0]);
    DeviceInts numbers = DeviceInts.of(Memory.ofInts(two + Level.ints(s[0] + s[1])));
    Level up = new Level(numbers, counters, 0, 0, n, 0, s[0]);
    Level down = new Level(numbers, counters, up.begins(), two, n, s[0], s[1]);
    int parents = 1 << s[0];
    int children = 1 << s[1];
    int biggest = (int) (slots >> (s[0] + s[1])) + 1;
    Entries given =
        new Entries.Given(Numbers.of(keys), Numbers.of(values), outcomes, new Options.Counts(), 0);
    Pairs.OfInts a = new Pairs.OfInts(first);
    Pairs.OfInts b = new Pairs.OfInts(second);
    int most = Integer.MAX_VALUE;
    LaunchShape wide = new LaunchShape(Math.min(blocks / 8 * per, Math.ceilDiv(n, tile)), block);
    int parts = Math.max(1, n / parents / tile / s[5]);
    LaunchShape deep = new LaunchShape(parents * parts, block);
    int real = parents * children;
    boolean places = s[6] != 0;
    Kernel[] kernels = {
      new CountRegions(table, given, up, SharedInts.of(parents), most),
      new OrderByRegion(
          table,
          given,
          a,
          up,
          tile,
          SharedLongs.of(tile),
          SharedInts.of(OrderByRegion.sharedInts(s[0], block, tile))),
      new CountRegions(table, a, down, SharedInts.of(children), most),
      new OrderByRegion(
          table,
          a,
          b,
          down,
          tile,
          SharedLongs.of(tile),
          SharedInts.of(OrderByRegion.sharedInts(s[1], block, tile))),
      new PlaceRegions(
          new RegionSlots.Packed(table),
          b,
          down,
          a,
          new Change.None(),
          SharedLongs.of(biggest),
          SharedLongs.of(BuildRegions.NOTED),
          SharedInts.of(PlaceRegions.sharedInts(biggest, s[4])),
          biggest),
      new BuildRegions(
          new RegionSlots.Packed(table),
          b,
          down,
          a,
          new Change.None(),
          true,
          places,
          SharedLongs.of(biggest),
          SharedLongs.of(BuildRegions.NOTED),
          SharedInts.of(BuildRegions.SHARED_INTS)),
      new InsertSpilled(
          table,
          a,
          down,
          new Change.None(),
          POLLS,
          ThreadLongs.of(numbers.memory()),
          numbers.memory().byteSize() / Long.BYTES),
    };
    LaunchShape each = new LaunchShape(real, s[4]);
    LaunchShape last = launcher.shapeFor(n);
    LaunchShape[] shapes = {wide, wide, deep, deep, each, each, last};
    long[][] t = new long[7][runs];
    long spilled = 0;
    for (int r = 0; r < runs; r++) {
      reset();
      launcher.clear(numbers.memory());
      for (int k = 0; k < 7; k++) {
        if (k != 4 || places) {
          t[k][r] = KernelTimes.nanos(launcher, kernels[k], shapes[k]);
        }
      }
      launcher.readBack(counters.memory());
      spilled = counters.get(MapCodes.SPILLED);
      counts.require("insert", MapCodes.INSERTED, n);
      if (r == 0) {
        counts.zero();
        Batch in = new Batch(Numbers.of(keys), Numbers.of(values), outcomes);
        long _ =
            KernelTimes.nanos(
                launcher,
                new Find(table, in, counters, 0, n, MapCodes.STRIPED, POLLS),
                launcher.shapeForEach(n));
        counts.require("find", MapCodes.FOUND, n);
      }
    }
    print(Arrays.toString(s) + " " + parents + "x" + children + " spilled " + spilled, t);
    Memory memory = numbers.memory();
    memory.close();
  }
}
