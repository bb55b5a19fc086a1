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
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.Options;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.region.BlockRegion;
import dev.gyre.kernels.map.region.BuildRegions;
import dev.gyre.kernels.map.region.CountRegions;
import dev.gyre.kernels.map.region.Entries;
import dev.gyre.kernels.map.region.InsertLeft;
import dev.gyre.kernels.map.region.InsertSpilled;
import dev.gyre.kernels.map.region.Level;
import dev.gyre.kernels.map.region.OrderByRegion;
import dev.gyre.kernels.map.region.Pairs;
import dev.gyre.kernels.map.region.PlaceRegions;
import dev.gyre.kernels.map.region.RegionSlots;
import java.util.Arrays;

/**
 * Times the kernels that insert unique random numbers by regions, in milliseconds: ints into packed
 * slots, or longs into lines, by {@code RegionKernels TARGET N LOAD RUNS SHAPE[;SHAPE]...
 * [int|long]}. A shape is the bits of parents and of their children, the threads of a block that
 * orders, the entries of its tile, the threads of a block that builds, the tiles that a block
 * orders of a parent, and the way: {@code 7,8,256,2048,256,4,0}.
 *
 * <ul>
 *   <li>0: a block searches the slots of each region.
 *   <li>1: places are computed; ints only.
 *   <li>2: as 0, but of a table that is not known to be new: it is read first.
 * </ul>
 *
 * <p>An eighth number is how many tiles a block orders by parents; where it is 0, or is none, there
 * are as many blocks as a device keeps of 2,048 threads, and where it is less, as it keeps of these
 * kernels.
 *
 * <p>A line has the times of counting and ordering by parents, of the same by children, of placing,
 * building or inserting, and of what was spilled, and their sum; the first line is all keys one by
 * one. Below are the bytes that each must at least move, per time: of one by one 64 for each key,
 * of a table that is not new the table read and written. What was inserted is counted, and found
 * again.
 */
public final class RegionKernels {

  private static final long SEED = 42;
  private static final long POLLS = 1 << 20;

  /** Bytes that go to and from memory where a slot is reached at random. */
  private static final long AT_RANDOM = 64;

  private final Launcher launcher;
  private final int n;
  private final int runs;
  private final long slots;
  private final boolean ofLongs;
  private final Numbers keys;
  private final Numbers values;
  private final Bytes outcomes = Bytes.of(Memory.ofBytes(8));
  private final KernelCounters counts;
  private final DeviceLongs counters;
  private final Pairs first;
  private final Pairs second;
  private final Memory words;
  private final NumberTable table;
  private final int blocks;

  private RegionKernels(Launcher launcher, int n, double load, int runs, boolean ofLongs) {
    this.launcher = launcher;
    this.counts = KernelCounters.of(launcher);
    this.counters = counts.longs();
    this.n = n;
    this.runs = runs;
    this.ofLongs = ofLongs;
    this.slots = (long) (n / load);
    this.keys = numbers();
    this.values = numbers();
    this.first = pairs();
    this.second = pairs();
    this.words =
        Memory.ofLongs(ofLongs ? LongSlots.Line.SLOT_LONGS * slots : PackedSlots.words(slots));
    this.table =
        ofLongs
            ? new LongSlots.Line(DeviceInts.of(words), DeviceLongs.of(words), slots, SEED)
            : new PackedSlots(DeviceLongs.of(words), slots, SEED);
    this.blocks = launcher.shapeFor(Integer.MAX_VALUE).blocks();
    Keys unique = Keys.unique(SEED);
    for (int i = 0; i < n; i++) {
      keys.set(i, ofLongs ? unique.longAt(i) : unique.intAt(i));
      values.set(i, i);
    }
    launcher.clear(first.words().memory(), second.words().memory());
  }

  private Numbers numbers() {
    return ofLongs
        ? Numbers.of(DeviceLongs.of(Memory.ofLongs(n)))
        : Numbers.of(DeviceInts.of(Memory.ofInts(n)));
  }

  private Pairs pairs() {
    return ofLongs
        ? new Pairs.OfLongs(DeviceLongs.of(Memory.ofLongs(2L * n)))
        : new Pairs.OfInts(DeviceLongs.of(Memory.ofLongs(n)));
  }

  /** Prints two lines for each shape. */
  public static void main(String[] args) {
    try (Launcher launcher = Launchers.open(Target.ofLabel(args[0]))) {
      RegionKernels all =
          new RegionKernels(
              launcher,
              Integer.parseInt(args[1]),
              Double.parseDouble(args[2]),
              Integer.parseInt(args[3]),
              KernelTimes.isSecond(args, 5, "int", "long"));
      all.oneByOne();
      for (String shape : args[4].split(";", -1)) {
        all.regions(Arrays.stream(shape.split(",")).mapToInt(Integer::parseInt).toArray());
      }
    }
  }

  private void reset() {
    counts.zero();
    launcher.clear(words);
  }

  private void oneByOne() {
    Batch in = new Batch(keys, values, outcomes);
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
    print("one by one", t, new long[] {n * (pair() + AT_RANDOM)});
  }

  /** Bytes of a key and its value. */
  private long pair() {
    return (long) Long.BYTES * first.longs();
  }

  private void print(String name, long[][] t, long[] bytes) {
    StringBuilder b = new StringBuilder(String.format("%d/%d %-34s", n, slots, name));
    StringBuilder rates = new StringBuilder(String.format("%-40s GB/s", ""));
    long sum = 0;
    for (int k = 0; k < t.length; k++) {
      long[] x = t[k];
      Arrays.sort(x);
      long nanos = x[x.length / 2];
      b.append(String.format(" %8.4f", nanos / 1e6));
      rates.append(String.format(" %8.0f", nanos == 0 ? 0 : (double) bytes[k] / nanos));
      sum += nanos;
    }
    System.out.println(b.append(String.format(" = %.4f ms", sum / 1e6)));
    System.out.println(rates);
  }

  /** One shape, whose numbers are as for {@link #main}. */
  private void regions(int[] s) {
    int block = s[2];
    int tile = s[3];
    int way = s[6];
    long two = Level.ints(s[0]);
    DeviceInts numbers = DeviceInts.of(Memory.ofInts((two + Level.ints(s[0] + s[1]) + 1) / 2 * 2));
    Level up = new Level(numbers, counters, 0, 0, n, 0, s[0]);
    Level down = new Level(numbers, counters, up.begins(), two, n, s[0], s[1]);
    int parents = 1 << s[0];
    int children = 1 << s[1];
    Entries given = new Entries.Given(keys, values, outcomes, new Options.Counts(), 0);
    int parts = Math.max(1, n / parents / tile / s[5]);
    LaunchShape deep = new LaunchShape(parents * parts, block);
    LaunchShape each = new LaunchShape(parents * children, s[4]);
    LaunchShape last = launcher.shapeFor(n);
    Kernel[] kernels = new Kernel[7];
    kernels[0] = count(given, up);
    kernels[1] = order(given, first, up, block, tile);
    kernels[2] = count(first, down);
    kernels[3] = order(first, second, down, block, tile);
    LaunchShape wide = wide(kernels[1], block, tile, s.length > 7 ? s[7] : 0);
    build(kernels, way, s, numbers, down);
    LaunchShape[] shapes = {wide, wide, deep, deep, each, each, last};
    long whole = words.byteSize();
    long pairs = (long) n * pair();
    long[] bytes = {
      pairs / 2,
      2 * pairs,
      pairs,
      2 * pairs,
      pairs + whole,
      pairs + (way == 2 ? 2 * whole : whole),
      0
    };
    long[][] t = new long[7][runs];
    long spilled = 0;
    for (int r = 0; r < runs; r++) {
      reset();
      launcher.clear(numbers.memory());
      for (int k = 0; k < 7; k++) {
        t[k][r] = kernels[k] == null ? 0 : KernelTimes.nanos(launcher, kernels[k], shapes[k]);
      }
      launcher.readBack(counters.memory());
      spilled = counters.get(MapCodes.SPILLED);
      counts.require("insert", MapCodes.INSERTED, n);
      if (r == 0) {
        counts.zero();
        Batch in = new Batch(keys, values, outcomes);
        long _ =
            KernelTimes.nanos(
                launcher,
                new Find(table, in, counters, 0, n, MapCodes.STRIPED, POLLS),
                launcher.shapeForEach(n));
        counts.require("find", MapCodes.FOUND, n);
      }
    }
    print(Arrays.toString(s) + " spilled " + spilled, t, bytes);
    Memory memory = numbers.memory();
    memory.close();
  }

  private static ThreadLongs known(DeviceInts numbers) {
    return ThreadLongs.of(numbers.memory());
  }

  private Kernel count(Entries entries, Level level) {
    return new CountRegions(
        table, entries, level, SharedInts.of(level.children()), Integer.MAX_VALUE);
  }

  private Kernel order(Entries entries, Pairs ordered, Level level, int block, int tile) {
    return new OrderByRegion(
        table,
        entries,
        ordered,
        level,
        tile,
        SharedLongs.of(tile * ordered.longs()),
        SharedInts.of(OrderByRegion.sharedInts(level.bits(), block, tile)));
  }

  private LaunchShape wide(Kernel kernel, int block, int tile, int tilesOfBlock) {
    int tiles = Math.ceilDiv(n, tile);
    int most =
        Math.max(1, tilesOfBlock < 0 ? launcher.blocksAtOnce(kernel, block) : blocks * 256 / block);
    int usual = Math.min(tiles, most);
    return new LaunchShape(tilesOfBlock > 0 ? Math.ceilDiv(tiles, tilesOfBlock) : usual, block);
  }

  /** The kernels that build regions, and insert what those have no slot for. */
  private void build(Kernel[] kernels, int way, int[] s, DeviceInts numbers, Level level) {
    boolean places = way == 1;
    RegionSlots layout =
        table instanceof LongSlots.Line lines
            ? new RegionSlots.LongLines(lines)
            : new RegionSlots.Packed((PackedSlots) table);
    int biggest = (int) (slots >> (s[0] + s[1])) + 1;
    if (places) {
      RegionSlots.OfInts ints = (RegionSlots.OfInts) layout;
      kernels[4] =
          new PlaceRegions(
              ints,
              ints.pairs(second.words()),
              level,
              ints.pairs(first.words()),
              new Change.None(),
              SharedLongs.of(biggest),
              SharedLongs.of(BlockRegion.NOTED),
              SharedInts.of(PlaceRegions.sharedInts(biggest, s[4])),
              biggest);
    }
    kernels[5] =
        new BuildRegions(
            new BlockRegion(
                layout,
                first,
                n,
                level.counters(),
                SharedLongs.of(biggest * layout.longs()),
                SharedLongs.of(BlockRegion.NOTED * layout.longsOfEntry()),
                SharedInts.of(BlockRegion.SHARED_INTS)),
            second,
            level,
            new Change.None(),
            way != 2,
            places);
    kernels[6] = left(level, known(numbers), numbers.memory().byteSize() / Long.BYTES);
  }

  private Kernel left(Level level, ThreadLongs known, long length) {
    if (first instanceof Pairs.OfInts ints) {
      return new InsertSpilled(table, ints, level, new Change.None(), POLLS, known, length);
    }
    Batch in = new Batch(new Pairs.Keys(first), new Pairs.Values(first), outcomes);
    Insert insert =
        new Insert(table, in, counters, 0, 0, new Change.None(), new Options.Counts(), POLLS);
    return new InsertLeft(insert, known, length);
  }
}
