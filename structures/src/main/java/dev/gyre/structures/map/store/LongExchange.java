package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntTwin;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.Settings;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.Homes;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.TakeOwn;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.Pieces;
import dev.gyre.structures.map.work.Sums;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ObjLongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A bulk operation on the stores that a map is spread over, of which the host shares nothing out:
 * the keys are cut into pieces, several of which go {@linkplain LongRound round} the devices at a
 * time.
 *
 * <p>All devices are sent all keys, and each does those that are its own. It pays where devices
 * reach each other faster than the host reaches them.
 */
@IntTwin
final class LongExchange {

  /**
   * Number of keys from which on an operation is done so; without it that depends on the devices.
   * For who measures, and for tests.
   */
  static final String FROM = "gyre.exchange.from";

  /** Keys of a piece; without it that depends on how many there are. For the same. */
  static final String PIECE = "gyre.exchange.piece";

  /** Fewest keys of a piece where there are as many: else what is done takes less than to begin. */
  private static final int SMALLEST = (1 << 25) / Long.BYTES;

  /** Most keys of a piece, which takes that much scratch memory on every device. */
  private static final int LARGEST = (1 << 26) / Long.BYTES;

  /** Pieces under way at a time, for each device that they come to first. */
  private static final int AT_ONCE = 3;

  /** Fewer keys have been shared out by the host before they could go round. */
  private static final long WORTH = 1 << 16;

  /** What is done in a store with the keys of a batch that belong there. */
  @FunctionalInterface
  interface Operation {

    /**
     * Does it.
     *
     * @param later keys that are to come
     */
    void run(LongStore store, LongBatch batch, long later, Sums sums);
  }

  final Shards shards;
  final Homes homes;
  final Longs keys;
  final @Nullable Longs values;
  final @Nullable Longs found;
  final BulkOptions options;

  /** What comes back: OUTCOMES, VALUES, both, or nothing. */
  final int back;

  final Operation operation;

  /** By store. */
  final List<Sums> sums;

  /** How many pieces are under way at the same time. */
  final int atOnce;

  /** By store: who has it is sending a piece there, all of which is to come before the next one. */
  final List<ReentrantLock> sending;

  private LongExchange(
      Shards shards,
      Longs keys,
      @Nullable Longs values,
      @Nullable Longs found,
      BulkOptions options,
      boolean inOrder,
      Operation operation) {
    this.shards = shards;
    this.homes = new Homes.OfLongs(shards.seed(), shards.count());
    this.keys = keys;
    this.values = values;
    this.found = found;
    this.options = options;
    this.back =
        (found == null ? 0 : MapCodes.VALUES) + (isTold(found, options) ? MapCodes.OUTCOMES : 0);
    this.operation = operation;
    this.sums = Stream.generate(Sums::new).limit(shards.count()).toList();
    this.atOnce = inOrder ? 1 : AT_ONCE * shards.count();
    this.sending = Stream.generate(ReentrantLock::new).limit(shards.count()).toList();
  }

  /** Whether outcomes come back: they are asked for, or say which values were found. */
  private static boolean isTold(@Nullable Longs found, BulkOptions options) {
    return options.outcomes() != null || (found != null && !options.takeAll());
  }

  /** Whether it pays to do so many keys so. */
  static boolean suits(Shards shards, long keys) {
    return keys >= Settings.bytes(FROM).orElse(shards.areOnDevices() ? WORTH : Long.MAX_VALUE);
  }

  /** Inserts keys, each into its store; their outcomes are SKIPPED before. */
  static InsertCounts insert(
      Shards shards,
      Longs keys,
      Longs values,
      Change change,
      @Nullable Longs found,
      BulkOptions options) {
    EntryPredicate predicate = options.entries();
    int flags = MapCodes.MASKED + (isTold(found, options) ? MapCodes.OUTCOMES : 0);
    Operation insert =
        (store, batch, later, sums) ->
            LongInsertion.run(store, batch, change, predicate, flags, later, sums);
    LongExchange all =
        new LongExchange(shards, keys, values, found, options, shards.isInOrder(), insert);
    Sums sums = new Sums();
    return sums.inserts(keys.length(), () -> all.run("insert", sums, LongRound::run));
  }

  /** Looks up keys, each in its store. */
  static FindCounts find(Shards shards, Longs keys, @Nullable Longs found, BulkOptions options) {
    EntryPredicate predicate = options.entries();
    int flags =
        MapCodes.MASKED
            + (options.outcomes() == null && predicate == null ? 0 : MapCodes.OUTCOMES)
            + (found == null && predicate == null ? 0 : MapCodes.VALUES);
    Operation find =
        (store, batch, _, sums) -> LongLookup.run(store, batch, predicate, flags, sums);
    LongExchange all = new LongExchange(shards, keys, null, found, options, false, find);
    Sums sums = new Sums();
    // What is told of keys, or asked of entries, is brought together by rounds.
    try (Reach reach = options.isNone() ? Reach.of(all) : null) {
      all.run(
          "find", sums, reach == null ? LongRound::run : (round, _) -> round.find(reach, flags));
    }
    return sums.finds();
  }

  /**
   * Goes on with all keys, and adds what became of them.
   *
   * @param way what is done with a piece, and is told how many keys are to come
   */
  private void run(String name, Sums all, ObjLongConsumer<LongRound> way) {
    try {
      run(name, way);
    } finally {
      sums.forEach(all::add);
    }
  }

  private void run(String name, ObjLongConsumer<LongRound> way) {
    int count = shards.count();
    int usual = Math.max(SMALLEST, Pieces.lengthFor(keys.length(), LARGEST));
    int most = (int) Math.min(Settings.bytes(PIECE).orElse(usual), LARGEST);
    Pieces.run(
        keys.length(),
        most,
        atOnce,
        (from, length, later) ->
            way.accept(new LongRound(this, from, length, (int) (from / most % count)), later));
    for (int i = 0; i < count; i++) {
      Sums ofOne = sums.get(i);
      var _ =
          shards.named(
              i,
              store -> {
                ofOne.requireNoneStuck(store.name(), name, store.device());
                return ofOne;
              });
    }
  }

  /**
   * The tables of all stores, where kernels of each device read those of the others where they lie,
   * while nobody updates one. A piece of the keys of a find then comes to one device only, whose
   * kernels look up one table after the other, without the host between them.
   */
  static final class Reach implements AutoCloseable {

    private final LongExchange all;
    private final List<LongTable> tables = new ArrayList<>();
    private final Deque<Runnable> ends = new ArrayDeque<>();

    private Reach(LongExchange all) {
      this.all = all;
    }

    /** Of the stores of a find; null where they are not reached so, or are updated. */
    static @Nullable Reach of(LongExchange all) {
      Reach made = new Reach(all);
      boolean reached = false;
      try {
        reached = made.enterAll() && made.reachAll();
      } finally {
        if (!reached) {
          made.close();
        }
      }
      return reached ? made : null;
    }

    private boolean enterAll() {
      boolean quiescent = true;
      for (int i = 0; quiescent && i < all.shards.count(); i++) {
        quiescent = all.shards.named(i, store -> enter((LongStore) store));
      }
      return quiescent;
    }

    private boolean enter(LongStore store) {
      Entry entry = store.lock().enterRead();
      ends.push(entry::close);
      tables.add(store.table());
      return entry.isQuiescent();
    }

    private boolean reachAll() {
      for (int i = 0; i < tables.size(); i++) {
        for (int j = 0; j < tables.size(); j++) {
          if (!reach(i, j)) {
            return false;
          }
        }
      }
      return true;
    }

    private boolean reach(int from, int to) {
      Launcher there = all.shards.group().parts().get(to);
      Memory[] memories = tables.get(to).memories().toArray(Memory[]::new);
      return all.shards.named(
          from,
          store ->
              store.workers().launcher().reach(there, memories).map(this::endsBy).orElse(false));
    }

    private boolean endsBy(Runnable end) {
      ends.push(end);
      return true;
    }

    /** Looks up the keys of a piece. */
    void find(LongStore store, LongBatch batch, LongScratch stage, int flags, Sums sums) {
      int length = (int) batch.length();
      DeviceLongs counters = stage.freshCounters(0);
      int options = flags + MapCodes.QUIESCENT + store.workers().options();
      List<Kernel> kernels = new ArrayList<>();
      for (int i = 0; i < tables.size(); i++) {
        kernels.add(
            new TakeOwn(Numbers.of(stage.keys), all.homes, i, stage.outcomes, counters, 0, length));
        kernels.add(
            tables
                .get(i)
                .find(
                    store.workers(),
                    stage,
                    counters,
                    batch.whole(),
                    options,
                    store.pollsOfLaunch()));
      }
      store.workers().launch(kernels, length, counters);
      sums.add(counters);
    }

    /** All of it ends, whatever becomes of one: who is kept out of a table waits for ever. */
    @Override
    public void close() {
      Runnable end = ends.poll();
      if (end != null) {
        try {
          end.run();
        } finally {
          close();
        }
      }
    }
  }
}
