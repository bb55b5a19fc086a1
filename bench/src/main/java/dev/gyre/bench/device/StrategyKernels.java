package dev.gyre.bench.device;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceDoubles;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.datasets.Keys;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.Insert;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Times what users' strategies cost, and additions of doubles: {@code StrategyKernels TARGET N
 * RUNS}.
 *
 * <ul>
 *   <li>{@code apply}: a sum into keys that are there, by the hardware's addition and by a fold of
 *       a user's, where each key comes once, and where all are one key;
 *   <li>{@code insert}: unique keys, with our hash, and with ones of users': the same code, and a
 *       multiplication;
 *   <li>{@code double-add}: fetch-and-add of doubles, to 2^20 places and to one.
 * </ul>
 *
 * <p>What they did is checked after each run.
 */
public final class StrategyKernels {

  private static final long SEED = 42;
  private static final long POLLS = 1 << 20;
  private static final int PLACES = 1 << 20;

  /** What the hardware does, as a user would write it. */
  record Sum() implements Fold {
    @Override
    public long apply(long present, long given) {
      return present + given;
    }
  }

  /** Our hash, as a user would write it. */
  record Same() implements Hash {
    @Override
    public long hash(long key, long seed) {
      return Hashing.hash(key, seed);
    }
  }

  /** A cheap one, good enough for keys that are random. */
  record Fibonacci() implements Hash {
    @Override
    public long hash(long key, long seed) {
      return (key ^ seed) * 0x9e3779b97f4a7c15L;
    }
  }

  /** Adds 1 to places by turns. */
  record AddDoubles(DeviceDoubles sums, long mask, long n) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (long i = thread; i < n; i += shape.threads()) {
        sums.fetchAddRelaxed(i & mask, 1.0);
      }
    }
  }

  private final Launcher launcher;
  private final int n;
  private final int runs;
  private final LaunchShape shape;
  private final long slots;
  private final List<Memory> table;
  private final DeviceLongs keys;
  private final DeviceLongs ones;
  private final Bytes outcomes;
  private final DeviceLongs counters;

  private StrategyKernels(Launcher launcher, int n, int runs) {
    this.launcher = launcher;
    this.n = n;
    this.runs = runs;
    this.shape = launcher.shapeForEach(n);
    this.slots = 2L * n;
    this.table = List.of(Memory.ofInts(slots), Memory.ofLongs(slots), Memory.ofLongs(slots));
    this.keys = DeviceLongs.of(Memory.ofLongs(n));
    this.ones = DeviceLongs.of(Memory.ofLongs(n));
    this.outcomes = Bytes.of(Memory.ofBytes(8));
    this.counters = DeviceLongs.of(Memory.ofLongs(MapCodes.STRIPED_COUNTERS));
    for (int i = 0; i < n; i++) {
      ones.set(i, 1);
    }
  }

  /** Prints a line per way. */
  public static void main(String[] args) {
    try (Launcher launcher = Launchers.open(Target.ofLabel(args[0]))) {
      KernelTimes.printHeader(System.out);
      StrategyKernels all =
          new StrategyKernels(launcher, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
      all.measureFolds(true);
      all.measureFolds(false);
      all.measureHash("ours", new Hashing.OfLongs());
      all.measureHash("same", new Same());
      all.measureHash("fibonacci", new Fibonacci());
      all.measureDoubles("one", 0);
      all.measureDoubles("2^20", PLACES - 1);
    }
  }

  private void fillKeys(boolean unique) {
    Keys random = Keys.unique(SEED);
    for (int i = 0; i < n; i++) {
      keys.set(i, unique ? random.longAt(i) : 7);
    }
    launcher.hostWrote(keys.memory());
  }

  /** On the JVM by hand: a launcher clears what a device holds. */
  private void empty() {
    Memory[] memories = table.toArray(Memory[]::new);
    for (Memory memory : table) {
      if (launcher.device().target() == Target.JVM) {
        memory.segment().fill((byte) 0);
      }
    }
    launcher.clear(memories);
  }

  private void measureFolds(boolean unique) {
    fillKeys(unique);
    empty();
    Hash ours = new Hashing.OfLongs();
    long _ = time(insert(ours, Change.Policy.KEEP), MapCodes.INSERTED, unique ? n : 1);
    String what = unique ? "each key once" : "one key";
    Change add = new Change.Policy(MapCodes.ADD);
    times("apply", "add", what, () -> time(insert(ours, add), MapCodes.PRESENT, n));
    Change sum = Change.of(new Sum());
    times("apply", "fold", what, () -> time(insert(ours, sum), MapCodes.PRESENT, n));
    launcher.readBack(table.getLast());
    DeviceLongs values = DeviceLongs.of(table.getLast());
    long all = 0;
    for (long i = 0; i < slots; i++) {
      all += values.get(i);
    }
    // The first insert, and of each way one run more than is timed.
    long expected = (unique ? n : 1) + 2L * (runs + 1) * n;
    require(all == expected, "the sum is %d, not %d".formatted(all, expected));
  }

  private void measureHash(String name, Hash hash) {
    fillKeys(true);
    times(
        "insert",
        name,
        "hash",
        () -> {
          empty();
          return time(insert(hash, Change.Policy.KEEP), MapCodes.INSERTED, n);
        });
  }

  private void measureDoubles(String name, long mask) {
    try (Memory memory = Memory.ofDoubles(PLACES)) {
      DeviceDoubles sums = DeviceDoubles.of(memory);
      times("double-add", name, "fetch-add", () -> time(new AddDoubles(sums, mask, n)));
      launcher.readBack(memory);
      double all = 0;
      for (long i = 0; i < PLACES; i++) {
        all += sums.get(i);
      }
      double expected = (runs + 1.0) * n;
      require(all == expected, "the sum is %s, not %s".formatted(all, expected));
    }
  }

  private static void require(boolean right, String what) {
    if (!right) {
      throw new IllegalStateException(what);
    }
  }

  private Kernel insert(Hash hash, Change change) {
    LongSlots.Reference reference =
        new LongSlots.Reference(
            DeviceInts.of(table.get(0)),
            DeviceLongs.of(table.get(1)),
            DeviceLongs.of(table.get(2)),
            slots,
            SEED,
            hash);
    Batch batch = new Batch(new Numbers.Longs(keys), new Numbers.Longs(ones), outcomes);
    return new Insert(reference, batch, counters, 0, n, change, MapCodes.STRIPED, POLLS);
  }

  private void times(String benchmark, String name, String params, LongSupplier once) {
    long _ = once.getAsLong();
    List<Long> nanos = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      nanos.add(once.getAsLong());
    }
    new KernelTimes(benchmark, "gyre-" + name, params, nanos)
        .print(
            System.out,
            launcher.device().target().label(),
            launcher.device().name(),
            n,
            8L * n,
            shape.threads(),
            "op/s");
  }

  private long time(Kernel kernel) {
    long start = System.nanoTime();
    Launch launch = launcher.start(kernel, shape, LaunchMode.STRIDED);
    launch.join();
    long wall = System.nanoTime() - start;
    return launch.kernelNanos().orElse(wall);
  }

  private long time(Kernel kernel, int counter, long expected) {
    for (int i = 0; i < MapCodes.STRIPED_COUNTERS; i++) {
      counters.set(i, 0);
    }
    launcher.hostWrote(counters.memory());
    long nanos = time(kernel);
    launcher.readBack(counters.memory());
    long count = 0;
    for (int stripe = 0; stripe < MapCodes.COUNTER_STRIPES; stripe++) {
      count += counters.get((long) stripe * MapCodes.STRIPE_LONGS + counter);
    }
    require(count == expected, kernel.name() + ": " + count + " keys, not " + expected);
    return nanos;
  }
}
