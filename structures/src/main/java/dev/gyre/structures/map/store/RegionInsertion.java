package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.Settings;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.IntLines;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.region.PlacedSlots;
import dev.gyre.kernels.map.region.RegionSlots;
import dev.gyre.structures.map.table.BlockAddition;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.table.RegionChain;
import dev.gyre.structures.map.table.RegionScratch;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.Workers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bulk insert by regions on a device, of keys that are there, into a table that nobody else
 * updates, of packed slots or lines, of longs a new one: keys are put in the order of the table, and
 * each region of it is built by one block, in memory that the block shares ({@link RegionChain}).
 *
 * <p>It pays where a table is much larger than the device's cache, so that to reach its slots at
 * random is slow; where keys are so many that to read and write the whole table costs less; and
 * where they are spread, since the keys of a region are one block's.  A table that becomes nearly
 * full, and was not new, takes longer to be searched, so that it pays later there.
 * Outcomes per key would have to be put back in their places at random, so that nothing would be
 * won; they are not asked for here. A new table that becomes full has places computed.
 */
final class RegionInsertion {

  /**
   * Size of a table from which on keys are inserted by regions; without it that depends on the
   * device. For who measures, and for tests.
   */
  static final String FROM = "gyre.regions.from";

  /** Past the caches of devices of today, of which a part is taken by the keys themselves. */
  private static final long BEYOND_CACHES = 1L << 27;

  /** So many times as large is a table that becomes fuller than three quarters. */
  private static final int WHERE_FULL = 4;

  /** Fewer keys than one for so many slots leave most of a table as it is. */
  private static final int SLOTS_PER_KEY = 8;

  /** In place of how many were inserted. */
  static final long NOT_DONE = -1;

  /**
   * Whether keys are worth to be inserted so.
   *
   * @param untaken how many of them have no room in the table yet
   * @param options of the insert
   */
  static boolean suits(
      Store<?, ?> store, FixedTable table, long keys, long untaken, Change change, int options) {
    PlacedSlots layout = layout(table);
    // Less than what is new, where a table had keys before.
    boolean isNew = table.taken() + untaken <= keys;
    boolean known =
        layout != null
            && RegionChain.canBuild(layout)
            && (layout instanceof RegionSlots || isNew)
            && (layout instanceof RegionSlots.Packed || !store.defers())
            && change.policy() != MapCodes.FETCH
            && (options & ~MapCodes.MASKED) == 0;
    boolean searches = !isNew && isFull(table, table.taken() + untaken);
    return known
        && keys >= table.slots / SLOTS_PER_KEY
        && keys < Integer.MAX_VALUE / 2
        && table.byteSize() / (searches ? WHERE_FULL : 1)
            >= Settings.bytes(FROM).orElse(usual(store.workers()));
  }

  private static boolean isFull(FixedTable table, long taken) {
    return taken > table.slots / 4 * 3;
  }

  /** How regions of a table are built; null where they are not. */
  private static @Nullable PlacedSlots layout(FixedTable table) {
    return switch (table.inKernels()) {
      case PackedSlots packed -> new RegionSlots.Packed(packed);
      case IntLines lines -> new RegionSlots.Lines(lines);
      case LongSlots.Line lines -> new PlacedSlots.LongLines(lines);
      default -> null;
    };
  }

  /** Where blocks are of one thread there is nothing that they could share. */
  private static long usual(Workers workers) {
    boolean ofBlocks = !workers.onJvm() && workers.launcher().shapeFor(SLOTS_PER_KEY).blockSize() > 1;
    return ofBlocks ? BEYOND_CACHES : Long.MAX_VALUE;
  }

  /**
   * Inserts the keys of a step for which there is room; returns how many were inserted, or {@link
   * #NOT_DONE} where nothing was: there is not the memory for it, or a region has too many keys.
   *
   * @param isNew whether the table has no keys
   * @param sums to which outcomes are added
   */
  static long run(
      Store<?, ?> store,
      FixedTable table,
      Batch batch,
      Step step,
      Change change,
      int flags,
      boolean isNew,
      DeviceLongs counters,
      Sums sums) {
    Workers workers = store.workers();
    PlacedSlots layout = layout(table);
    if (layout == null || !(layout instanceof RegionSlots || isNew)) {
      return NOT_DONE;
    }
    RegionScratch scratch = scratch(store, workers, step.size() * RegionChain.entryLongs(layout));
    if (scratch == null) {
      return NOT_DONE;
    }
    boolean ended = false;
    try {
      List<ChainLink> links = new ArrayList<>();
      if (!store.defers() && BlockAddition.suits(workers, table, step, change, flags)) {
        links.addAll(
            BlockAddition.together(
                workers, layout.table(), batch, counters, step, change, store.pollLimit()));
      }
      RegionChain chain = new RegionChain(layout, batch, step, change, flags, scratch, counters);
      boolean places = isNew && (isFull(table, table.taken()) || !(layout instanceof RegionSlots));
      links.addAll(chain.links(workers.launcher(), isNew, places, store.pollLimit()));
      workers.launch(links, counters);
      ended = true;
      if (counters.get(MapCodes.CROWDED) != 0 && counters.get(MapCodes.FREQUENT) == 0) {
        return NOT_DONE;
      }
      sums.add(counters);
      return counters.get(MapCodes.INSERTED);
    } finally {
      if (ended) {
        store.regions().giveBack(scratch);
      } else {
        store.regions().discard(scratch);
      }
    }
  }

  private static @Nullable RegionScratch scratch(
      Store<?, ?> store, Workers workers, long longs) {
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
