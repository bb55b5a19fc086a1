package dev.gyre.bench.device;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceDoubles;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.datasets.Keys;
import dev.gyre.kernels.Kernel;
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
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Times what users' strategies cost, and additions of doubles: {@code StrategyKernels TARGET N
 * RUNS}.
 *
 * <ul>
 *   <li>{@code apply}: a sum into keys that are there, by the hardware's addition and by a fold of
 *       a user's, where each key comes once; and {@value #CONTENDED} times into one key, by few
 *       threads and by many: of those that fold at the same time one gets on, and all others try
 *       again, so that a fold into one key takes the more time for each, the more threads there
 *       are. With as many threads as a device runs at once it would not end in minutes;
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

  /** Folds into one key. */
  private static final int CONTENDED = 1 << 14;

  /** How many threads do them, in blocks of {@link #CONTENDING_BLOCK}. */
  private static final int[] CONTENDING = {32, 1 << 10, 1 << 13};

  private static final int CONTENDING_BLOCK = 32;

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
  private final KernelCounters counters;
  private final KernelTimes times;

  private StrategyKernels(Launcher launcher, int n, int runs) {
    this.launcher = launcher;
    this.times = KernelTimes.begin(launcher);
    this.n = n;
    this.runs = runs;
    this.shape = launcher.shapeForEach(n);
    this.slots = 2L * n;
    this.table = List.of(Memory.ofInts(slots), Memory.ofLongs(slots), Memory.ofLongs(slots));
    this.keys = DeviceLongs.of(Memory.ofLongs(n));
    this.ones = DeviceLongs.of(Memory.ofLongs(n));
    this.outcomes = Bytes.of(Memory.ofBytes(8));
    this.counters = KernelCounters.of(launcher);
    for (int i = 0; i < n; i++) {
      ones.set(i, 1);
    }
  }

  /** Prints a line per way. */
  public static void main(String[] args) {
    try (Launcher launcher = Launchers.open(Target.ofLabel(args[0]))) {
      StrategyKernels all =
          new StrategyKernels(launcher, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
      all.measureFolds(true, all.n, all.shape, "each key once");
      for (int threads : CONTENDING) {
        LaunchShape few = new LaunchShape(threads / CONTENDING_BLOCK, CONTENDING_BLOCK);
        all.measureFolds(false, Math.min(all.n, CONTENDED), few, "one key");
      }
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

  private void measureFolds(boolean unique, int count, LaunchShape by, String what) {
    fillKeys(unique);
    empty();
    Hash ours = new Hashing.OfLongs();
    long _ = time(insert(ours, Change.Policy.KEEP, count), by, MapCodes.INSERTED, unique ? n : 1);
    Kernel add = insert(ours, new Change.Policy(MapCodes.ADD), count);
    times("apply", "add", what, count, by, () -> time(add, by, MapCodes.PRESENT, count));
    Kernel sum = insert(ours, Change.of(new Sum()), count);
    times("apply", "fold", what, count, by, () -> time(sum, by, MapCodes.PRESENT, count));
    launcher.readBack(table.getLast());
    DeviceLongs values = DeviceLongs.of(table.getLast());
    long all = 0;
    for (long i = 0; i < slots; i++) {
      all += values.get(i);
    }
    // The first insert, and of each way one run more than is timed.
    long expected = (unique ? count : 1) + 2L * (runs + 1) * count;
    require(all == expected, "the sum is %d, not %d".formatted(all, expected));
  }

  private void measureHash(String name, Hash hash) {
    fillKeys(true);
    times(
        "insert",
        name,
        "hash",
        n,
        shape,
        () -> {
          empty();
          return time(insert(hash, Change.Policy.KEEP, n), shape, MapCodes.INSERTED, n);
        });
  }

  private void measureDoubles(String name, long mask) {
    try (Memory memory = Memory.ofDoubles(PLACES)) {
      DeviceDoubles sums = DeviceDoubles.of(memory);
      Kernel add = new AddDoubles(sums, mask, n);
      times(
          "double-add", name, "fetch-add", n, shape, () -> KernelTimes.nanos(launcher, add, shape));
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

  private Kernel insert(Hash hash, Change change, int count) {
    LongSlots.Reference reference =
        new LongSlots.Reference(
            DeviceInts.of(table.get(0)),
            DeviceLongs.of(table.get(1)),
            DeviceLongs.of(table.get(2)),
            slots,
            SEED,
            hash);
    Batch batch = new Batch(Numbers.of(keys), Numbers.of(ones), outcomes);
    return new Insert(
        reference, batch, counters.longs(), 0, count, change, MapCodes.STRIPED, POLLS);
  }

  private void times(
      String benchmark, String name, String params, int count, LaunchShape by, LongSupplier once) {
    times.print(
        benchmark,
        "gyre-" + name,
        params,
        new KernelTimes.Work(count, 8L * count, by.threads(), "op/s"),
        KernelTimes.repeated(runs, once));
  }

  private long time(Kernel kernel, LaunchShape by, int counter, long expected) {
    counters.zero();
    long nanos = KernelTimes.nanos(launcher, kernel, by);
    counters.require(kernel.name(), counter, expected);
    return nanos;
  }
}
