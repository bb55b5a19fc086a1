package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.Settings;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.IntLines;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberTable;
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
import dev.gyre.structures.map.table.BlockAddition;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.table.RegionScratch;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Sums;
import dev.gyre.structures.map.work.Workers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bulk insert by regions on a device, of ints that are there, into a table that nobody else
 * updates, of packed slots or lines: keys are put in the order of the table, and each region of it
 * is built by one block, in memory that the block shares ({@link dev.gyre.kernels.map.region}).
 *
 * <p>It pays where a table is much larger than the device's cache, so that to reach its slots at
 * random is slow; where keys are so many that to read and write the whole table costs less; and
 * where they are spread, since the keys of a region are one block's. To search the slots of a table
 * that becomes nearly full takes long, so that it pays later there; of a new one, places are
 * computed. Additions of frequent keys are done by {@link BlockAddition}, ahead of it all. Outcomes
 * per key would have to be put back in their places at random, so that nothing would be won; they
 * are not asked for here.
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

  /** Longs of the slots of a region: what a block has room for, with what else it shares. */
  private static final int REGION_LONGS = 4_097;

  /** A region with so many keys for each slot keeps its block busy when others have long ended. */
  private static final int CROWD = 8;

  /** In place of how many were inserted. */
  static final long NOT_DONE = -1;

  private static final int BLOCK = 256;

  /** Threads of a block that computes places: few, since they often wait for each other. */
  private static final int PLACING = 128;

  /** Slots of a region for which a block has memory are a multiple of so many, and one. */
  private static final int SLOTS_STEP = 512;

  /** Keys that a block orders at a time. */
  private static final int TILE = 2_048;

  /** Tiles that a block orders of a parent, as far as that has so many. */
  private static final int TILES = 4;

  private final Launcher launcher;
  private final RegionSlots layout;
  private final NumberTable table;
  private final Batch batch;
  private final Step step;
  private final Change change;
  private final int flags;
  private final RegionScratch scratch;
  private final Level parents;
  private final Level children;

  private RegionInsertion(
      Launcher launcher,
      RegionSlots layout,
      Batch batch,
      Step step,
      Change change,
      int flags,
      RegionScratch scratch,
      DeviceLongs counters) {
    this.launcher = launcher;
    this.layout = layout;
    this.table = layout.table();
    this.batch = batch;
    this.step = step;
    this.change = change;
    this.flags = flags;
    this.scratch = scratch;
    int bits = bits(layout);
    int upper = bits / 2;
    this.parents = new Level(scratch.numbers, counters, 0, 0, step.size(), 0, upper);
    this.children =
        new Level(
            scratch.numbers,
            counters,
            parents.begins(),
            Level.ints(upper),
            step.size(),
            upper,
            bits - upper);
  }

  /** Bits of the hash by which regions are told apart: so many that a block has room for one. */
  private static int bits(RegionSlots layout) {
    long slots = layout.table().slots();
    int bits = 2;
    while (((slots >> bits) + 1) * layout.longs() > REGION_LONGS) {
      bits++;
    }
    return bits;
  }

  /**
   * Whether keys are worth to be inserted so.
   *
   * @param untaken how many of them have no room in the table yet
   * @param options of the insert
   */
  static boolean suits(
      Store<?, ?> store, FixedTable table, long keys, long untaken, Change change, int options) {
    RegionSlots layout = layout(table);
    boolean known =
        layout != null
            && bits(layout) <= 2 * RegionScratch.MOST_BITS
            && (layout instanceof RegionSlots.Packed || !store.defers())
            && change.policy() != MapCodes.FETCH
            && (options & ~MapCodes.MASKED) == 0;
    long taken = table.taken() + untaken;
    // Where a new table becomes full, places are computed.
    boolean full = isFull(table, taken) && taken > keys;
    return known
        && keys >= table.slots / SLOTS_PER_KEY
        && keys < Integer.MAX_VALUE
        && table.byteSize() / (full ? WHERE_FULL : 1)
            >= Settings.bytes(FROM).orElse(usual(store.workers()));
  }

  /**
   * Whether a table is within the caches of devices, with so many more keys too: so fast at random
   * that who inserts into it may wait for the bus at each key.
   */
  static boolean isCached(FixedTable table, long keys) {
    double fuller = Math.max(1, (table.taken() + keys) / (double) table.capacity);
    return table.byteSize() * fuller < Settings.bytes(FROM).orElse(BEYOND_CACHES);
  }

  private static boolean isFull(FixedTable table, long taken) {
    return taken > table.slots / 4 * 3;
  }

  /** How regions of a table are built; null where they are not. */
  private static @Nullable RegionSlots layout(FixedTable table) {
    return switch (table.inKernels()) {
      case PackedSlots packed -> new RegionSlots.Packed(packed);
      case IntLines lines -> new RegionSlots.Lines(lines);
      default -> null;
    };
  }

  /** Where blocks are of one thread there is nothing that they could share. */
  private static long usual(Workers workers) {
    boolean ofBlocks = !workers.onJvm() && workers.launcher().shapeFor(TILE).blockSize() > 1;
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
    RegionSlots layout = layout(table);
    RegionScratch scratch = scratch(store, workers, step);
    if (scratch == null || layout == null) {
      return NOT_DONE;
    }
    boolean ended = false;
    try {
      RegionInsertion all =
          new RegionInsertion(
              workers.launcher(), layout, batch, step, change, flags, scratch, counters);
      List<ChainLink> links = new ArrayList<>();
      if (!store.defers() && BlockAddition.suits(workers, table, step, change, flags)) {
        links.addAll(
            BlockAddition.together(
                workers, layout.table(), batch, counters, step, change, store.pollLimit()));
      }
      links.addAll(all.chain(isNew, isNew && isFull(table, table.taken()), store.pollLimit()));
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

  private static @Nullable RegionScratch scratch(Store<?, ?> store, Workers workers, Step step) {
    RegionScratch scratch = null;
    try {
      scratch = store.regions().borrow((int) step.size(), workers.count());
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

  /**
   * Puts entries in order, by parents and then by their children, builds regions of them, and
   * inserts one by one what those have no slot for.
   */
  private List<ChainLink> chain(boolean isNew, boolean places, long polls) {
    int n = (int) step.size();
    Entries given =
        new Entries.Given(
            batch.keys(),
            batch.values(),
            batch.outcomes(),
            flags == 0 ? new Options.Counts() : new Options.Given(flags),
            step.from());
    int tiles = Math.ceilDiv(n, TILE);
    LaunchShape lasting = launcher.shapeFor(Math.max(1, n));
    LaunchShape wide = new LaunchShape(Math.min(lasting.blocks(), tiles), BLOCK);
    int parts = Math.max(1, (tiles >> children.parentBits()) / TILES);
    LaunchShape deep = new LaunchShape(parts << children.parentBits(), BLOCK);
    Pairs.OfInts byParent = new Pairs.OfInts(scratch.byParent);
    Pairs.OfInts byChild = new Pairs.OfInts(scratch.byChild);
    LaunchShape each = new LaunchShape(children.regions(), BLOCK);
    List<ChainLink> chain = new ArrayList<>();
    chain.add(new ChainLink(count(given, parents), wide));
    chain.add(new ChainLink(order(given, byParent, parents), wide));
    chain.add(new ChainLink(count(byParent, children), deep));
    chain.add(new ChainLink(order(byParent, byChild, children), deep));
    if (places) {
      chain.add(new ChainLink(place(), new LaunchShape(children.regions(), PLACING)));
    }
    chain.add(new ChainLink(build(isNew, places), each));
    chain.add(new ChainLink(spilled(polls), lasting));
    return chain;
  }

  private Kernel count(Entries entries, Level level) {
    long crowd = CROWD * (table.slots() >> (level.parentBits() + level.bits()));
    return new CountRegions(
        table,
        entries,
        level,
        SharedInts.of(1 << RegionScratch.MOST_BITS),
        (int) Math.min(Integer.MAX_VALUE, crowd));
  }

  private Kernel order(Entries entries, Pairs.OfInts ordered, Level level) {
    return new OrderByRegion(
        table,
        entries,
        ordered,
        level,
        TILE,
        SharedLongs.of(TILE),
        SharedInts.of(OrderByRegion.sharedInts(RegionScratch.MOST_BITS, BLOCK, TILE)));
  }

  private Change known() {
    return change.policy() == MapCodes.KEEP ? new Change.None() : change;
  }

  private Kernel place() {
    int largest = (int) (table.slots() >> (children.parentBits() + children.bits()));
    int slots = Math.ceilDiv(largest, SLOTS_STEP) * SLOTS_STEP + 1;
    return new PlaceRegions(
        layout,
        new Pairs.OfInts(scratch.byChild),
        children,
        new Pairs.OfInts(scratch.byParent),
        known(),
        SharedLongs.of(slots),
        SharedLongs.of(BuildRegions.NOTED),
        SharedInts.of(PlaceRegions.sharedInts(slots, PLACING)),
        slots);
  }

  private Kernel build(boolean isNew, boolean left) {
    return new BuildRegions(
        layout,
        new Pairs.OfInts(scratch.byChild),
        children,
        new Pairs.OfInts(scratch.byParent),
        known(),
        isNew,
        left,
        SharedLongs.of(REGION_LONGS),
        SharedLongs.of(BuildRegions.NOTED),
        SharedInts.of(BuildRegions.SHARED_INTS));
  }

  private Kernel spilled(long polls) {
    return new InsertSpilled(
        table,
        new Pairs.OfInts(scratch.byParent),
        children,
        change,
        polls,
        scratch.known(),
        RegionScratch.knownLongs());
  }
}
