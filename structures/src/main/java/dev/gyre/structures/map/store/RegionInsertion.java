package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.Settings;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.region.RegionOrder;
import dev.gyre.structures.map.region.RegionScratch;
import dev.gyre.structures.map.region.RegionWay;
import dev.gyre.structures.map.table.BlockAddition;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.work.DeviceRates;
import dev.gyre.structures.map.work.MeasuredRates;
import dev.gyre.structures.map.work.Scratch;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Workers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bulk insert by regions on a device, of keys that are there, into a table that nobody else
 * updates, of packed slots, lines, or int keys alone: keys are put in the order of the table, and
 * then each region of it is built by one block ({@link RegionWay}, {@link
 * dev.gyre.kernels.map.region}).
 *
 * <p>It pays where a table is much larger than the device's cache, so that to reach its slots at
 * random is slow; where keys are so many that to read and write the whole table costs less; and
 * where they are spread, since the keys of a region are one block's. To search the slots of a table
 * that becomes nearly full takes long, so that it pays later there; of a new one, places are
 * computed. What either way takes is reckoned from the {@linkplain MeasuredRates measured rates} of
 * the device; what was chosen is an event ({@link Span#choice}). Additions of frequent keys are
 * done by {@link BlockAddition}, ahead of it all. Outcomes per key would have to be put back in
 * their places at random, so that nothing would be won; they are not asked for here.
 */
final class RegionInsertion {

  /**
   * Size of a table from which on keys are inserted by regions; without it that depends on the
   * device. For who measures, and for tests.
   */
  static final String FROM = "gyre.regions.from";

  /**
   * The same where the device's rates cannot be measured: past the caches of devices of today, of
   * which a part is taken by the keys themselves.
   */
  private static final long BEYOND_CACHES = 1L << 27;

  /** Where nothing was measured: so many times as large is a table that becomes nearly full. */
  private static final int WHERE_FULL = 4;

  /** Fewer keys, and smaller tables, are done before several kernels have begun. */
  private static final long LEAST_KEYS = 1L << 18;

  private static final long LEAST_TABLE = 1L << 24;

  /** Fewest keys for which shapes of launches are asked: a block's. */
  private static final int SOME = 2_048;

  /** Most longs of entries: numbers of them are ints, also a few blocks behind the last. */
  private static final int MOST_LONGS = Integer.MAX_VALUE - (1 << 10);

  private RegionInsertion() {}

  /**
   * Whether keys are worth to be inserted so.
   *
   * @param untaken how many of them have no room in the table yet
   * @param isNew whether the table has no keys
   * @param options of the insert
   */
  static boolean suits(
      Store<?, ?> store,
      FixedTable table,
      long keys,
      long untaken,
      boolean isNew,
      Change change,
      int options) {
    RegionWay way = RegionWay.of(table.inKernels());
    if (way == null) {
      return false;
    }
    boolean known =
        way.bits() <= 2 * RegionScratch.MOST_BITS
            && !(way.waits() && store.defers())
            && keys < MOST_LONGS / way.longs()
            && change.policy() != MapCodes.FETCH
            && (options & ~MapCodes.MASKED) == 0;
    if (!known) {
      return false;
    }
    boolean fills = isFull(table, table.taken() + untaken);
    DeviceRates rates = rates(store, table.byteSize(), keys);
    if (rates == null) {
      boolean searched = fills && !(isNew && way.computesPlaces());
      return keys >= table.slots / way.slotsPerKey(isNew)
          && table.byteSize() / (searched ? WHERE_FULL : 1) >= assumed(store.workers());
    }
    Span choice = Span.choice();
    double single = way.singleNanos(rates, table.byteSize(), keys, fills);
    double regions = way.regionNanos(rates, table.byteSize(), keys, isNew, fills);
    choice.chose(
        regions < single ? "insert by regions" : "insert one by one",
        keys,
        table.byteSize(),
        (long) single,
        (long) regions);
    return regions < single;
  }

  /**
   * Whether a table is within the caches of the device, with so many more keys too: so fast at
   * random that who inserts into it may wait for the bus at each key.
   */
  static boolean isCached(Store<?, ?> store, FixedTable table, long keys) {
    double fuller = Math.max(1, (table.taken() + keys) / (double) table.capacity);
    long bytes = (long) (table.byteSize() * fuller);
    RegionWay way = RegionWay.of(table.inKernels());
    DeviceRates rates = way == null ? null : rates(store, bytes, keys);
    return bytes
        < (rates == null || way == null
            ? Settings.bytes(FROM).orElse(BEYOND_CACHES)
            : way.payFrom(rates));
  }

  /** Rates of a device by which it is chosen; null where they do not decide, or are not known. */
  private static @Nullable DeviceRates rates(Store<?, ?> store, long table, long keys) {
    boolean asks =
        Settings.bytes(FROM).isEmpty()
            && keys >= LEAST_KEYS
            && table >= LEAST_TABLE
            && hasBlocks(store.workers());
    return asks ? MeasuredRates.of(store.workers().launcher()).orElse(null) : null;
  }

  /** Whether to search slots takes long where so many are taken. */
  private static boolean isFull(FixedTable table, long taken) {
    return taken > table.slots / 4 * 3;
  }

  private static long assumed(Workers workers) {
    return Settings.bytes(FROM).orElse(hasBlocks(workers) ? BEYOND_CACHES : Long.MAX_VALUE);
  }

  /** Where blocks are of one thread there is nothing that they could share. */
  private static boolean hasBlocks(Workers workers) {
    return !workers.onJvm() && workers.launcher().shapeFor(SOME).blockSize() > 1;
  }

  /**
   * Inserts the keys of a step for which there is room, and counts what becomes of them; returns
   * false, having done nothing, where there is not the memory for it, a region has too many keys,
   * or some are so frequent that it does not pay.
   *
   * @param isNew whether the table has no keys
   * @param counters all 0
   */
  static boolean run(
      Store<?, ?> store,
      FixedTable table,
      Batch batch,
      Step step,
      Change change,
      int flags,
      boolean isNew,
      DeviceLongs counters) {
    Workers workers = store.workers();
    RegionWay way = RegionWay.of(table.inKernels());
    if (BlockAddition.hasFrequent(workers, table.inKernels(), batch, counters, step, change)) {
      Scratch.clear(counters);
      return false;
    }
    RegionScratch scratch = way == null ? null : scratch(store, step.size() * way.longs());
    if (scratch == null || way == null) {
      return false;
    }
    return store
        .regions()
        .use(
            scratch,
            () -> {
              RegionOrder order =
                  new RegionOrder(
                      workers.launcher(),
                      way.table(),
                      batch,
                      step,
                      change,
                      flags,
                      scratch,
                      counters,
                      store.pollLimit());
              List<ChainLink> links = new ArrayList<>();
              if (!store.defers() && BlockAddition.suits(workers, table, step, change, flags)) {
                links.addAll(
                    BlockAddition.together(
                        workers, way.table(), batch, counters, step, 0, store.pollLimit()));
              }
              links.addAll(way.chain(order, isNew, isFull(table, table.taken())));
              workers.launch(links, counters);
              boolean crowded =
                  counters.get(MapCodes.CROWDED) != 0 && counters.get(MapCodes.FREQUENT) == 0;
              if (crowded) {
                Scratch.clear(counters);
              }
              return !crowded;
            });
  }

  /** Scratch memory of so many longs; null where there is not as much. */
  private static @Nullable RegionScratch scratch(Store<?, ?> store, long longs) {
    Workers workers = store.workers();
    RegionScratch scratch = null;
    try {
      scratch = store.regions().borrow((int) longs, workers.count());
      scratch.make(workers);
      return scratch;
    } catch (MemoryExhaustedException | LaunchException e) {
      if (scratch != null) {
        scratch.close();
      }
      if (e instanceof LaunchException && !(e.getCause() instanceof MemoryExhaustedException)) {
        throw e;
      }
      return null;
    }
  }
}
