package dev.gyre.structures.map.region;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Insert;
import dev.gyre.kernels.map.IntLines;
import dev.gyre.kernels.map.KeySlots;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.Options;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.Slots;
import dev.gyre.kernels.map.region.BlockRegion;
import dev.gyre.kernels.map.region.BuildRegions;
import dev.gyre.kernels.map.region.InsertLeft;
import dev.gyre.kernels.map.region.InsertSpilled;
import dev.gyre.kernels.map.region.Level;
import dev.gyre.kernels.map.region.Pairs;
import dev.gyre.kernels.map.region.PlaceRegions;
import dev.gyre.kernels.map.region.RegionSlots;
import dev.gyre.structures.map.work.DeviceRates;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How keys come into a table by its regions.
 *
 * @param layout of its slots
 */
public record RegionWay(RegionSlots layout) {

  /** Longs of the slots of a region: what a block has room for, with what else it shares. */
  private static final int REGION_LONGS = 4_096;

  /** Threads of a block that computes places: few, since they often wait for each other. */
  private static final int PLACING = 128;

  /** Slots of a region for which a block has memory are a multiple of so many, and one. */
  private static final int SLOTS_STEP = 512;

  /** How often an entry is read or written until it is in order, its key alone being half of it. */
  private static final double MOVES = 5.5;

  /** Kernels of an insert more than one by one. */
  private static final int MORE_KERNELS = 5;

  /**
   * So many times as long as a copy of the same bytes takes what kernels of regions do, between
   * which there are barriers.
   */
  private static final double SLOWER_THAN_COPY = 1.7;

  /** So many times as long takes a region that becomes nearly full, where slots are searched. */
  private static final double SEARCHED_FULL = 4;

  /** The same where places are computed. */
  private static final double PLACED_FULL = 2;

  /** The same of keys one by one: so many more slots are looked at. */
  private static final double SINGLE_FULL = 2;

  /** No device has a table of so many bytes. */
  private static final long MOST_TABLE = 1L << 44;

  /** Tables are tried that are larger by one part of so many. */
  private static final int FINER = 8;

  /** Where the device's rates are not known: fewer keys than one for so many slots do not pay. */
  private static final int SLOTS_PER_KEY = 8;

  /** The same of longs, of which a table is four times as large. */
  private static final int SLOTS_PER_LONG = 4;

  /** The same where there are keys, so that all slots are read as well. */
  private static final int OLD_SLOTS_PER_LONG = 3;

  /** That of a table, as kernels see it; null where there is none. */
  public static @Nullable RegionWay of(Slots table) {
    return switch (table) {
      case PackedSlots packed -> new RegionWay(new RegionSlots.Packed(packed));
      case KeySlots.OfInts keys -> new RegionWay(new RegionSlots.IntKeys(keys));
      case IntLines lines -> new RegionWay(new RegionSlots.Lines(lines));
      case LongSlots.Line lines -> new RegionWay(new RegionSlots.LongLines(lines));
      default -> null;
    };
  }

  public NumberTable table() {
    return layout.table();
  }

  /** Longs of an entry. */
  public int longs() {
    return layout.longsOfEntry();
  }

  /** Whether slots may have to be waited for. */
  public boolean waits() {
    return layout.waits();
  }

  /**
   * What it takes a device of these rates to insert keys one by one, in nanoseconds.
   *
   * @param table bytes of the table
   * @param fills whether it becomes nearly full
   */
  public double singleNanos(DeviceRates rates, long table, long keys, boolean fills) {
    // Of a line the state is claimed, and key and value are written.
    double accesses = layout instanceof RegionSlots.LongLines ? 2 : 1;
    double all = keys * accesses * (fills ? SINGLE_FULL : 1);
    return rates.linkNanos() + all * rates.swapNanos(table);
  }

  /**
   * What it takes to insert them by regions; as {@link #singleNanos}.
   *
   * @param isNew whether the table has no keys, so that it is not read
   */
  public double regionNanos(
      DeviceRates rates, long table, long keys, boolean isNew, boolean fills) {
    double entries = (double) keys * longs() * Long.BYTES;
    double full = isNew && computesPlaces() ? PLACED_FULL : SEARCHED_FULL;
    double built = entries + (isNew ? 1 : 2) * (double) table;
    double moved = MOVES * entries + built * (fills ? full : 1);
    double work = SLOWER_THAN_COPY * rates.byteNanos() * moved;
    // Kernels are queued while those before them run.
    return rates.linkNanos() + Math.max(work, MORE_KERNELS * rates.linkNanos());
  }

  /**
   * From how many bytes on it pays to fill half of a new table by regions; 2^63 - 1 where it never
   * does.
   */
  public long payFrom(DeviceRates rates) {
    long bytes = 1;
    boolean pays = false;
    while (!pays && bytes < MOST_TABLE) {
      bytes += Math.ceilDiv(bytes, FINER);
      long keys = bytes / layout.slotBytes() / 2;
      pays = regionNanos(rates, bytes, keys, true, false) < singleNanos(rates, bytes, keys, false);
    }
    return pays ? bytes : Long.MAX_VALUE;
  }

  /**
   * Where a device's rates are not known: for how many slots there must be a key at least, so that
   * it pays to write them all.
   */
  public int slotsPerKey(boolean isNew) {
    int ofLong = isNew ? SLOTS_PER_LONG : OLD_SLOTS_PER_LONG;
    return layout instanceof RegionSlots.OfInts ? SLOTS_PER_KEY : ofLong;
  }

  /** Whether places of a new table are computed, so that it may become full. */
  public boolean computesPlaces() {
    return layout instanceof RegionSlots.OfInts;
  }

  /** Bits of the hash by which regions are told apart: so many that each is small enough. */
  public int bits() {
    long slots = table().slots();
    int bits = 2;
    while ((slots >> bits) * layout.longs() > REGION_LONGS) {
      bits++;
    }
    return bits;
  }

  /**
   * All kernels of an insert: puts entries in order, by parents and then by their children, builds
   * regions of them, and inserts one by one what those have no slot for.
   *
   * @param isNew whether the table has no keys
   * @param fills whether it becomes nearly full
   */
  public List<ChainLink> chain(RegionOrder order, boolean isNew, boolean fills) {
    Level parents = order.first(bits() / 2);
    Level children = order.second(parents, bits() - parents.bits());
    Pairs byParent = layout.pairs(order.scratch().byParent);
    Pairs byChild = layout.pairs(order.scratch().byChild);
    List<ChainLink> chain = new ArrayList<>();
    chain.addAll(order.order(order.given(), byParent, parents));
    chain.addAll(order.order(byParent, byChild, children));
    boolean places = false;
    if (isNew && fills && layout instanceof RegionSlots.OfInts ints) {
      places = true;
      chain.add(
          new ChainLink(
              place(order, ints, children), new LaunchShape(children.regions(), PLACING)));
    }
    chain.add(
        new ChainLink(
            new BuildRegions(
                built(byParent, order.size(), order.counters()),
                byChild,
                children,
                order.known(),
                isNew,
                places),
            new LaunchShape(children.regions(), RegionOrder.BLOCK)));
    chain.add(new ChainLink(left(order, children), order.lasting()));
    return chain;
  }

  /** A region that a block has, of whose entries so many may be spilled. */
  private BlockRegion built(Pairs spilled, long room, DeviceLongs counters) {
    return new BlockRegion(
        layout,
        spilled,
        room,
        counters,
        SharedLongs.of(REGION_LONGS + layout.longs()),
        SharedLongs.of(BlockRegion.NOTED * layout.longsOfEntry()),
        SharedInts.of(BlockRegion.SHARED_INTS));
  }

  private Batch spilled(RegionScratch scratch, Bytes outcomes) {
    Pairs spilled = layout.pairs(scratch.byParent);
    return new Batch(new Pairs.Keys(spilled), new Pairs.Values(spilled), outcomes);
  }

  private static Kernel place(RegionOrder order, RegionSlots.OfInts layout, Level level) {
    int largest = (int) (layout.table().slots() >> (level.parentBits() + level.bits()));
    int slots = Math.ceilDiv(largest, SLOTS_STEP) * SLOTS_STEP + 1;
    return new PlaceRegions(
        layout,
        layout.pairs(order.scratch().byChild),
        level,
        layout.pairs(order.scratch().byParent),
        order.known(),
        SharedLongs.of(slots),
        SharedLongs.of(BlockRegion.NOTED),
        SharedInts.of(PlaceRegions.sharedInts(slots, PLACING)),
        slots);
  }

  /** What inserts the entries that are left, which are where they were by parents. */
  private Kernel left(RegionOrder order, Level level) {
    if (layout instanceof RegionSlots.OfInts ints) {
      return new InsertSpilled(
          ints.table(),
          ints.pairs(order.scratch().byParent),
          level,
          order.change(),
          order.polls(),
          order.scratch().known(),
          RegionScratch.knownLongs());
    }
    Batch batch = spilled(order.scratch(), order.batch().outcomes());
    return new InsertLeft(
        new Insert(
            table(),
            batch,
            order.counters(),
            0,
            0,
            order.known(),
            new Options.Counts(),
            order.polls()),
        order.scratch().known(),
        RegionScratch.knownLongs());
  }
}
