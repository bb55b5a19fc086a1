package dev.gyre.structures.map.region;

import dev.gyre.atomics.Settings;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Insert;
import dev.gyre.kernels.map.IntLines;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.Options;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.region.BuildRegions;
import dev.gyre.kernels.map.region.InsertLeft;
import dev.gyre.kernels.map.region.InsertLines;
import dev.gyre.kernels.map.region.InsertOrdered;
import dev.gyre.kernels.map.region.InsertSpilled;
import dev.gyre.kernels.map.region.Level;
import dev.gyre.kernels.map.region.Pairs;
import dev.gyre.kernels.map.region.PlaceRegions;
import dev.gyre.kernels.map.region.RegionSlots;
import dev.gyre.structures.map.table.FixedTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How keys that are in the order of a table's regions come into it, by the layout of its slots. */
public sealed interface RegionWay {

  /** The table. */
  NumberTable table();

  /** Longs of an entry. */
  int longs();

  /** Bits of the hash by which regions are told apart: so many that each is small enough. */
  int bits();

  /** Whether regions are told apart in two levels. */
  boolean hasTwoLevels();

  /** Whether slots may have to be waited for. */
  boolean waits();

  /**
   * All kernels of an insert.
   *
   * @param isNew whether the table has no keys
   * @param fills whether it becomes nearly full
   */
  List<ChainLink> chain(RegionOrder order, boolean isNew, boolean fills);

  /** That of a table; null where there is none. */
  static @Nullable RegionWay of(FixedTable table) {
    return switch (table.inKernels()) {
      case PackedSlots packed -> new Built(new RegionSlots.Packed(packed));
      case IntLines lines -> new Built(new RegionSlots.Lines(lines));
      case LongSlots.Line lines -> new Cached(lines, table.byteSize());
      default -> null;
    };
  }

  /** Ints: a block builds each region in memory that it shares. */
  record Built(RegionSlots layout) implements RegionWay {

    /** Longs of the slots of a region: what a block has room for, with what else it shares. */
    private static final int REGION_LONGS = 4_097;

    /** Threads of a block that computes places: few, since they often wait for each other. */
    private static final int PLACING = 128;

    /** Slots of a region for which a block has memory are a multiple of so many, and one. */
    private static final int SLOTS_STEP = 512;

    @Override
    public NumberTable table() {
      return layout.table();
    }

    @Override
    public int longs() {
      return 1;
    }

    @Override
    public int bits() {
      long slots = layout.table().slots();
      int bits = 2;
      while (((slots >> bits) + 1) * layout.longs() > REGION_LONGS) {
        bits++;
      }
      return bits;
    }

    @Override
    public boolean hasTwoLevels() {
      return true;
    }

    @Override
    public boolean waits() {
      return !(layout instanceof RegionSlots.Packed);
    }

    /**
     * Puts entries in order, by parents and then by their children, builds regions of them, and
     * inserts one by one what those have no slot for.
     */
    @Override
    public List<ChainLink> chain(RegionOrder order, boolean isNew, boolean fills) {
      boolean places = isNew && fills;
      Level parents = order.first(bits() / 2);
      Level children = order.second(parents, bits() - parents.bits());
      Pairs.OfInts byParent = new Pairs.OfInts(order.scratch().byParent);
      Pairs.OfInts byChild = new Pairs.OfInts(order.scratch().byChild);
      List<ChainLink> chain = new ArrayList<>();
      chain.addAll(order.order(order.given(), byParent, parents));
      chain.addAll(order.order(byParent, byChild, children));
      if (places) {
        chain.add(
            new ChainLink(
                place(order, byChild, children, byParent),
                new LaunchShape(children.regions(), PLACING)));
      }
      chain.add(
          new ChainLink(
              new BuildRegions(
                  layout,
                  byChild,
                  children,
                  byParent,
                  order.known(),
                  isNew,
                  places,
                  SharedLongs.of(REGION_LONGS),
                  SharedLongs.of(BuildRegions.NOTED),
                  SharedInts.of(BuildRegions.SHARED_INTS)),
              new LaunchShape(children.regions(), RegionOrder.BLOCK)));
      chain.add(
          new ChainLink(
              new InsertSpilled(
                  layout.table(),
                  byParent,
                  children,
                  order.change(),
                  order.polls(),
                  order.scratch().known(),
                  RegionScratch.knownLongs()),
              order.lasting()));
      return chain;
    }

    private Kernel place(
        RegionOrder order, Pairs.OfInts entries, Level level, Pairs.OfInts spilled) {
      int largest = (int) (layout.table().slots() >> (level.parentBits() + level.bits()));
      int slots = Math.ceilDiv(largest, SLOTS_STEP) * SLOTS_STEP + 1;
      return new PlaceRegions(
          layout,
          entries,
          level,
          spilled,
          order.known(),
          SharedLongs.of(slots),
          SharedLongs.of(BuildRegions.NOTED),
          SharedInts.of(PlaceRegions.sharedInts(slots, PLACING)),
          slots);
    }
  }

  /**
   * Longs, whose slots are too large for that: they are inserted in the order of regions that a
   * device's cache holds.
   *
   * @param bytes of the table
   */
  record Cached(LongSlots.Line table, long bytes) implements RegionWay {

    /** Most bytes of such a region. For who measures, and for tests. */
    private static final String REGION = "gyre.regions.cached";

    /** Less than half of the caches of devices of today, which hold other things as well. */
    private static final long USUAL_REGION = 1L << 24;

    private static final int LEAST_BITS = 4;

    @Override
    public int longs() {
      return 2;
    }

    @Override
    public int bits() {
      long most = Settings.bytes(REGION).orElse(USUAL_REGION);
      int bits = LEAST_BITS;
      while (bytes >> bits > most && bits < 2 * RegionScratch.MOST_BITS) {
        bits++;
      }
      return bits;
    }

    @Override
    public boolean hasTwoLevels() {
      return bits() > RegionScratch.MOST_BITS;
    }

    @Override
    public boolean waits() {
      return true;
    }

    @Override
    public List<ChainLink> chain(RegionOrder order, boolean isNew, boolean fills) {
      Pairs byParent = new Pairs.OfLongs(order.scratch().byParent);
      Pairs byChild = new Pairs.OfLongs(order.scratch().byChild);
      Level parents = order.first(hasTwoLevels() ? bits() / 2 : bits());
      Level children = order.second(parents, bits() - parents.bits());
      List<ChainLink> chain = new ArrayList<>(order.order(order.given(), byParent, parents));
      if (hasTwoLevels()) {
        chain.addAll(order.order(byParent, byChild, children));
      }
      Pairs entries = hasTwoLevels() ? byChild : byParent;
      Insert insert =
          new Insert(
              table,
              new Batch(
                  new Pairs.Keys(entries), new Pairs.Values(entries), order.batch().outcomes()),
              order.counters(),
              0,
              order.size(),
              order.known(),
              new Options.Counts(),
              order.polls());
      Level level = hasTwoLevels() ? children : parents;
      boolean stay = order.change().policy() == MapCodes.KEEP;
      chain.add(
          new ChainLink(
              stay ? new InsertLines(table, entries, level) : new InsertOrdered(insert, level),
              order.launcher().shapeForEach(Math.max(1, order.size()))));
      chain.add(
          new ChainLink(
              new InsertLeft(insert, level, order.scratch().known(), RegionScratch.knownLongs()),
              order.launcher().shapeFor(RegionScratch.knownLongs())));
      return chain;
    }
  }
}
