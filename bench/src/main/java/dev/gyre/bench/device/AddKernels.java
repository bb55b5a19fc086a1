package dev.gyre.bench.device;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SharedInts;
import dev.gyre.datasets.Keys;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Insert;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.Options;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.together.AddApart;
import dev.gyre.kernels.map.together.AddTogether;
import dev.gyre.kernels.map.together.SampleKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;

/**
 * Times the kernels that add to packed slots, one by one and together in blocks, with keys that are
 * unique, that follow Zipf's law with exponent 1, and that are all equal: {@code AddKernels TARGET
 * N RUNS BLOCK[,BLOCK]...}; a block is its threads, its places for keys, and the keys of a thread
 * where none is frequent, {@code 256:1024:8}. Counts and sums are checked. The parameters have the
 * time of each kernel of the last run, in nanoseconds.
 */
public final class AddKernels {

  private static final long SEED = 42;
  private static final long POLLS = 1 << 20;
  private static final Change ADD = new Change.Policy(MapCodes.ADD);
  private static final Options COUNTS = new Options.Counts();

  private final Launcher launcher;
  private final int n;
  private final int runs;
  private final long slots;
  private final String[] blocks;
  private final DeviceInts keys;
  private final DeviceInts values;
  private final Bytes outcomes = Bytes.of(Memory.ofBytes(8));
  private final KernelTimes times;
  private final KernelCounters counts;
  private final DeviceLongs counters;
  private final PackedSlots table;

  private AddKernels(Launcher launcher, int n, int runs, String[] blocks) {
    this.blocks = blocks;
    this.launcher = launcher;
    this.times = KernelTimes.begin(launcher);
    this.counts = KernelCounters.of(launcher);
    this.counters = counts.longs();
    this.n = n;
    this.runs = runs;
    this.slots = 2L * n;
    this.keys = DeviceInts.of(Memory.ofInts(n));
    this.values = DeviceInts.of(Memory.ofInts(n));
    this.table =
        new PackedSlots(DeviceLongs.of(Memory.ofLongs(PackedSlots.words(slots))), slots, SEED);
    for (int i = 0; i < n; i++) {
      values.set(i, 1);
    }
  }

  /** Prints a line for each kind of keys and each kernel. */
  public static void main(String[] args) {
    try (Launcher launcher = Launchers.open(Target.ofLabel(args[0]))) {
      AddKernels all =
          new AddKernels(
              launcher,
              Integer.parseInt(args[1]),
              Integer.parseInt(args[2]),
              args[3].split(",", -1));
      Keys unique = Keys.unique(SEED);
      SplittableRandom random = new SplittableRandom(SEED);
      double most = Math.log(all.n);
      all.measure("zipf", _ -> (long) Math.exp(random.nextDouble() * most), unique);
      all.measure("unique", i -> i, unique);
      all.measure("equal", _ -> 7, unique);
    }
  }

  private void measure(String kind, IntToLongFunction rank, Keys unique) {
    for (int i = 0; i < n; i++) {
      keys.set(i, unique.intAt(rank.applyAsLong(i)));
    }
    launcher.hostWrote(keys.memory());
    Numbers from = Numbers.of(keys);
    Numbers given = Numbers.of(values);
    Batch in = new Batch(from, given, outcomes);
    Insert single = new Insert(table, in, counters, 0, n, ADD, MapCodes.STRIPED, POLLS);
    print(kind, "gyre-one-by-one", List.of(new ChainLink(single, launcher.shapeForEach(n))));
    for (String block : blocks) {
      int[] numbers = Arrays.stream(block.split(":", -1)).mapToInt(Integer::parseInt).toArray();
      int blockSize = numbers[0];
      int places = numbers[1];
      int each = numbers[2];
      Kernel sample = new SampleKeys(from, counters, 0, n, SharedInts.of(SampleKeys.SHARED_INTS));
      AddTogether together =
          new AddTogether(
              table,
              from,
              given,
              counters,
              0,
              n,
              POLLS,
              SharedInts.of(AddTogether.sharedInts(table, places, blockSize, COUNTS)),
              places,
              COUNTS);
      Kernel apart = new AddApart(new Insert(table, in, counters, 0, n, ADD, COUNTS, POLLS));
      print(
          kind,
          "gyre-together-" + block,
          List.of(
              new ChainLink(sample, new LaunchShape(1, 512)),
              new ChainLink(together, together.shape(launcher, blockSize)),
              new ChainLink(apart, launcher.shapeForEach(Math.ceilDiv(n, each)))));
    }
  }

  private void print(String kind, String name, List<ChainLink> links) {
    List<Long> all = new ArrayList<>();
    long[] each = new long[links.size()];
    for (int run = 0; run <= runs; run++) {
      counts.zero();
      launcher.clear(table.words().memory());
      long sum = 0;
      for (int k = 0; k < links.size(); k++) {
        each[k] = KernelTimes.nanos(launcher, links.get(k).kernel(), links.get(k).shape());
        sum += each[k];
      }
      if (run > 0) {
        all.add(sum);
      }
    }
    long inserted = counts.of(MapCodes.INSERTED);
    check(kind, name, inserted, inserted + counts.of(MapCodes.PRESENT));
    times.print(
        "map-add-" + kind,
        name,
        "load=0.5 distinct=" + inserted + " last=" + Arrays.toString(each).replace(", ", "+"),
        new KernelTimes.Work(n, 8L * n, links.getLast().shape().threads(), "op/s"),
        all);
  }

  private void check(String kind, String name, long inserted, long all) {
    launcher.readBack(table.words().memory());
    long sum = 0;
    long filled = 0;
    for (long slot = 0; slot <= slots; slot++) {
      long word = table.words().get(slot);
      sum += word == 0 ? 0 : PackedSlots.valueOf(word);
      filled += word == 0 ? 0 : 1;
    }
    if (sum != n || filled != inserted || all != n) {
      throw new IllegalStateException(
          "%s, %s: sum %d, filled %d, inserted %d, counted %d of %d"
              .formatted(kind, name, sum, filled, inserted, all, n));
    }
  }
}
