package dev.gyre.structures.map.table;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.Options;
import dev.gyre.kernels.map.region.BuildRegions;
import dev.gyre.kernels.map.region.CountRegions;
import dev.gyre.kernels.map.region.Entries;
import dev.gyre.kernels.map.region.InsertSpilled;
import dev.gyre.kernels.map.region.Level;
import dev.gyre.kernels.map.region.OrderByRegion;
import dev.gyre.kernels.map.region.Pairs;
import dev.gyre.kernels.map.region.PlaceRegions;
import dev.gyre.kernels.map.region.PlacedSlots;
import dev.gyre.kernels.map.region.RegionSlots;
import dev.gyre.structures.map.work.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * The kernels of an insert by regions, one after the other: entries are put in the order of the
 * table, by parents and then by their children; regions are built of them; and what those have no
 * slot for is inserted one by one.
 */
public final class RegionChain {

  /** Longs of a region: what a block has room for, with what else it shares. */
  private static final int REGION_LONGS = 4_097;

  /** A region with so many keys for each slot keeps its block busy when others have long ended. */
  private static final int CROWD = 8;

  private static final int BLOCK = 256;

  /** Threads of a block that computes places: few, which wait for each other often. */
  private static final int PLACING = 128;

  /** Slots of a region that shared memory is made for are a multiple of so many. */
  private static final int SLOTS_STEP = 512;

  /** Keys that a block orders at a time. */
  private static final int TILE = 2_048;

  /** Tiles that a block orders of a parent, as far as that has so many. */
  private static final int TILES = 4;

  private final PlacedSlots layout;
  private final NumberTable table;
  private final Batch batch;
  private final Step step;
  private final Change change;
  private final int flags;
  private final RegionScratch scratch;
  private final DeviceLongs counters;
  private final int longs;
  private final Pairs byParent;
  private final Pairs byChild;
  private final Level parents;
  private final Level children;

  /** Of the keys of a step, in scratch memory of {@link #entryLongs} for each. */
  public RegionChain(
      PlacedSlots layout,
      Batch batch,
      Step step,
      Change change,
      int flags,
      RegionScratch scratch,
      DeviceLongs counters) {
    this.layout = layout;
    this.table = layout.table();
    this.batch = batch;
    this.step = step;
    this.change = change.policy() == MapCodes.KEEP ? new Change.None() : change;
    this.flags = flags;
    this.scratch = scratch;
    this.counters = counters;
    this.longs = entryLongs(layout);
    this.byParent = pairs(scratch.byParent);
    this.byChild = pairs(scratch.byChild);
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

  /** Longs of an entry on its way. */
  public static int entryLongs(PlacedSlots layout) {
    return layout instanceof PlacedSlots.LongLines ? 2 : 1;
  }

  /** Whether a table is small enough for regions that a block has room for. */
  public static boolean canBuild(PlacedSlots layout) {
    return bits(layout) <= 2 * RegionScratch.MOST_BITS;
  }

  /** Bits of the hash by which regions are told apart: so many that a block has room for one. */
  private static int bits(PlacedSlots layout) {
    int longs = layout instanceof RegionSlots searched ? searched.longs() : entryLongs(layout);
    long slots = layout.table().slots();
    int bits = 2;
    while (((slots >> bits) + 1) * longs > REGION_LONGS) {
      bits++;
    }
    return bits;
  }

  private Pairs pairs(DeviceLongs words) {
    return longs == 2 ? new Pairs.OfLongs(words) : new Pairs.OfInts(words);
  }

  /**
   * The kernels with their shapes.
   *
   * @param isNew whether the table has no keys
   * @param places whether places are computed, in a new table, in which slots may also be searched
   * @param polls after which a wait for another thread gives up
   */
  public List<ChainLink> links(Launcher launcher, boolean isNew, boolean places, long polls) {
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
    LaunchShape each = new LaunchShape(children.regions(), BLOCK);
    List<ChainLink> links = new ArrayList<>();
    links.add(new ChainLink(count(given, parents), wide));
    links.add(new ChainLink(order(given, byParent, parents), wide));
    links.add(new ChainLink(count(byParent, children), deep));
    links.add(new ChainLink(order(byParent, byChild, children), deep));
    if (places) {
      links.add(new ChainLink(place(), new LaunchShape(children.regions(), PLACING)));
    }
    if (layout instanceof RegionSlots searched && byChild instanceof Pairs.OfInts ordered) {
      links.add(new ChainLink(build(searched, ordered, isNew, places), each));
    }
    links.add(new ChainLink(spilled(polls), lasting));
    return links;
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

  private Kernel order(Entries entries, Pairs ordered, Level level) {
    return new OrderByRegion(
        table,
        entries,
        ordered,
        level,
        TILE,
        SharedLongs.of(longs * TILE),
        SharedInts.of(OrderByRegion.sharedInts(RegionScratch.MOST_BITS, BLOCK, TILE)));
  }

  /** Of longs, what a region cannot be built of is spilled, since its slots are not searched. */
  private Kernel place() {
    int largest = (int) (table.slots() >> (children.parentBits() + children.bits()));
    int slots = Math.ceilDiv(largest, SLOTS_STEP) * SLOTS_STEP + 1;
    return new PlaceRegions(
        layout,
        byChild,
        children,
        byParent,
        !(layout instanceof RegionSlots),
        change,
        SharedLongs.of(slots * longs),
        SharedLongs.of(BuildRegions.NOTED * longs),
        SharedInts.of(PlaceRegions.sharedInts(slots, PLACING)),
        slots);
  }

  private Kernel build(RegionSlots searched, Pairs.OfInts ordered, boolean isNew, boolean left) {
    return new BuildRegions(
        searched,
        ordered,
        children,
        new Pairs.OfInts(scratch.byParent),
        change,
        isNew,
        left,
        SharedLongs.of(REGION_LONGS),
        SharedLongs.of(BuildRegions.NOTED),
        SharedInts.of(BuildRegions.SHARED_INTS));
  }

  private Kernel spilled(long polls) {
    return new InsertSpilled(
        table,
        byParent,
        children,
        !(layout instanceof RegionSlots),
        change,
        polls,
        scratch.known(),
        RegionScratch.knownLongs());
  }
}
