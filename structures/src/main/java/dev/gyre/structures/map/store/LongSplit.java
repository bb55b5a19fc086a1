package dev.gyre.structures.map.store;

import dev.gyre.atomics.IntTwin;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.LongLongConsumer;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.work.LongShares;
import dev.gyre.structures.map.work.Pieces;
import dev.gyre.structures.map.work.SharedRoom;
import dev.gyre.structures.map.work.Sums;
import java.lang.foreign.MemorySegment;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * A bulk operation on the stores that a map is spread over: the keys are cut into pieces, several
 * of which are under way at a time. The keys of a piece are shared out to their stores, each does
 * its own, and what comes back is put in the order of the keys.
 */
@IntTwin
final class LongSplit {

  /** What is done in a store with the keys of a piece that belong there. */
  @FunctionalInterface
  private interface Operation {
    void run(LongStore store, Longs keys, Longs values, Longs found, BulkOptions options);
  }

  /** Memory for a piece. */
  private static final class Lane {
    final LongShares shares;
    final long[] all;
    final long[][] keys;

    /** Of keys to be inserted; what was found takes their place. */
    final long[][] values;

    Lane(int stores, int most) {
      this.shares = new LongShares(stores, most);
      this.all = new long[most];
      this.keys = new long[stores][most];
      this.values = new long[stores][most];
    }
  }

  /** Entries on their way to the stores of another map, many at a time. */
  static final class Copy implements LongLongConsumer {

    private static final int MOST = 1 << 18;

    private final Shards others;
    private final long[] keys = new long[MOST];
    private final long[] values = new long[MOST];
    private int count;

    Copy(Shards others) {
      this.others = others;
    }

    @Override
    public void accept(/* int */ long key, /* int */ long value) {
      if (count == MOST) {
        flush();
      }
      keys[count] = key;
      values[count++] = value;
    }

    /** Sends what is left. */
    void flush() {
      var _ =
          spread(
              others,
              Longs.of(keys).part(0, count),
              Longs.of(values).part(0, count),
              Change.Policy.KEEP,
              null,
              BulkOptions.NONE);
      count = 0;
    }
  }

  private final Shards shards;
  private final Longs keys;
  private final @Nullable Longs values;
  private final @Nullable Longs found;
  private final BulkOptions options;
  private final Operation operation;
  private final int most;
  private final Deque<Lane> lanes = new ConcurrentLinkedDeque<>();

  private LongSplit(
      Shards shards,
      Longs keys,
      @Nullable Longs values,
      @Nullable Longs found,
      BulkOptions options,
      Operation operation) {
    this.shards = shards;
    this.keys = keys;
    this.values = values;
    this.found = found;
    this.options = options;
    this.operation = operation;
    this.most = (int) Math.min(keys.length(), shards.lengthFor(keys.length()));
  }

  /** Keys that are inserted where room is counted over all stores. */
  private record Given(
      Shards shards,
      Longs keys,
      Longs values,
      Change change,
      @Nullable Longs found,
      @Nullable EntryPredicate predicate)
      implements SharedRoom.Keys {

    @Override
    public long count() {
      return keys.length();
    }

    /** A copy, since it is looked up and inserted. */
    @Override
    public Given part(long from, int length) {
      return new Given(
          shards,
          keys.copied(from, length),
          values.copied(from, length),
          change,
          found == null ? null : found.part(from, length),
          predicate);
    }

    @Override
    public boolean isChosen(int index) {
      return predicate == null || predicate.test(one(keys, index)[0], one(values, index)[0]);
    }

    private static long[] one(Longs numbers, int index) {
      long[] one = new long[1];
      numbers.read(index, one, 1);
      return one;
    }

    @Override
    public InsertCounts insert(BulkOptions options) {
      return spread(shards, keys, values, change, found, options);
    }

    @Override
    public void find(BulkOptions options) {
      var _ = LongSplit.find(shards, keys, null, options);
    }

    @Override
    public void refuse(int index) {
      if (found != null) {
        found.write(index, one(values, index), 1);
      }
    }
  }

  /** Inserts keys, as far as there is room for them. */
  static InsertCounts insert(
      Shards shards,
      Longs keys,
      Longs values,
      Change change,
      @Nullable Longs found,
      BulkOptions options) {
    SharedRoom room = shards.room();
    if (room == null) {
      return spread(shards, keys, values, change, found, options);
    }
    requireOnHost(options, keys, values, found);
    return room.insert(
        shards, new Given(shards, keys, values, change, found, options.entries()), options);
  }

  /** Inserts keys, each into its store. */
  private static InsertCounts spread(
      Shards shards,
      Longs keys,
      Longs values,
      Change change,
      @Nullable Longs found,
      BulkOptions options) {
    Sums sums = new Sums();
    requireOnHost(options, keys, values, found);
    BulkOptions _ = options.skipAll(keys.length());
    if (LongExchange.suits(shards, keys.length())) {
      return LongExchange.insert(shards, keys, values, change, found, options);
    }
    LongSplit split =
        new LongSplit(
            shards,
            keys,
            values,
            found,
            options,
            (store, its, theirs, back, of) ->
                sums.addInserts(
                    () -> store.insert(its, theirs, change, found == null ? null : back, of)));
    return sums.inserts(keys.length(), split::run);
  }

  /** Looks up keys, each in its store. */
  static FindCounts find(Shards shards, Longs keys, @Nullable Longs found, BulkOptions options) {
    requireOnHost(options, keys, found);
    BulkOptions _ = options.skipAll(keys.length());
    if (LongExchange.suits(shards, keys.length())) {
      return LongExchange.find(shards, keys, found, options);
    }
    Sums sums = new Sums();
    new LongSplit(
            shards,
            keys,
            null,
            found,
            options,
            (store, its, _, back, of) -> {
              sums.add(store.find(its, found == null ? null : back, of));
            })
        .run();
    return sums.finds();
  }

  /** Refuses what is on one device, of which others know nothing. */
  static void requireOnHost(BulkOptions options, @Nullable Longs... all) {
    for (Longs some : all) {
      if (some != null && some.isOnDevice()) {
        throw new StructureException(
            "keys or values are on one device, and the map is spread over a group: read them back"
                + " and give them as they are on the host, or move the map to the device by runOn");
      }
    }
    options.requireOn(false);
  }

  private void run() {
    EntryPredicate _ = options.entries();
    if (keys.length() == 1 && !options.isMasked()) {
      runOne();
      return;
    }
    Pieces.run(
        keys.length(), Math.max(1, most), shards.lanes(), (from, length, _) -> run(from, length));
  }

  /** Without memory for a piece. */
  private void runOne() {
    long[] key = new long[1];
    keys.read(0, key, 1);
    boolean _ =
        shards.on(
            (int) Hashing.home(key[0], shards.seed(), shards.count()),
            store -> {
              operation.run(
                  (LongStore) store,
                  Longs.of(key),
                  values == null ? keys : values,
                  found == null ? keys : found,
                  options);
              return true;
            });
  }

  private void run(long from, int length) {
    Lane free = lanes.poll();
    Lane lane = free == null ? new Lane(shards.count(), most) : free;
    LongShares shares = lane.shares;
    long[] all = lane.all;
    keys.read(from, all, length);
    long seed = shards.seed();
    int count = shards.count();
    shares.share(length, i -> (int) Hashing.home(all[i], seed, count), options, from);
    shares.deal(all, lane.keys);
    if (values != null) {
      values.read(from, all, length);
      shares.deal(all, lane.values);
    }
    boolean told = options.outcomes() != null || (found != null && options.entries() != null);
    shares.expectOutcomes(told);
    try {
      // Not all begin with the same store.
      int first = (int) (from / most % count);
      for (int i = 0; i < count; i++) {
        run(lane, (first + i) % count);
      }
      putBack(lane, from, length);
    } finally {
      MemorySegment outcomes = options.outcomes();
      if (outcomes != null) {
        shares.collectOutcomes(outcomes, from);
      }
      lanes.push(lane);
    }
  }

  private void run(Lane lane, int index) {
    int count = lane.shares.count(index);
    if (count > 0) {
      BulkOptions of = lane.shares.withOutcomes(options.ofAll(), index);
      boolean _ =
          shards.on(
              index,
              store -> {
                operation.run(
                    (LongStore) store,
                    Longs.of(lane.keys[index]).part(0, count),
                    Longs.of(lane.values[index]).part(0, count),
                    Longs.of(lane.values[index]).part(0, count),
                    of);
                return true;
              });
    }
  }

  private void putBack(Lane lane, long from, int length) {
    if (found != null) {
      if (!options.takeAll()) {
        // What is left out stays as it is.
        found.read(from, lane.all, length);
      }
      lane.shares.collect(lane.values, lane.all);
      found.write(from, lane.all, length);
    }
  }
}
