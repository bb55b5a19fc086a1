package dev.gyre.structures.map.region;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.Options;
import dev.gyre.kernels.map.region.CountRegions;
import dev.gyre.kernels.map.region.Entries;
import dev.gyre.kernels.map.region.Level;
import dev.gyre.kernels.map.region.OrderByRegion;
import dev.gyre.kernels.map.region.Pairs;
import dev.gyre.structures.map.work.Step;
import java.util.List;

/**
 * The keys of a step on their way into the order of a table's regions.
 *
 * @param change what the insert does with keys that are there
 * @param flags options of the insert
 * @param polls of a wait for another thread
 */
public record RegionOrder(
    Launcher launcher,
    NumberTable table,
    Batch batch,
    Step step,
    Change change,
    int flags,
    RegionScratch scratch,
    DeviceLongs counters,
    long polls) {

  /** Threads of a block that orders. */
  static final int BLOCK = 256;

  /** A region with so many keys for each slot keeps its block busy when others have long ended. */
  private static final int CROWD = 8;

  /** Keys that a block orders at a time. */
  private static final int TILE = 2_048;

  /** Tiles that a block orders of a parent, as far as that has so many. */
  private static final int TILES = 4;

  int size() {
    return (int) step.size();
  }

  /** The keys as they are given. */
  Entries given() {
    return new Entries.Given(
        batch.keys(),
        batch.values(),
        batch.outcomes(),
        flags == 0 ? new Options.Counts() : new Options.Given(flags),
        step.from());
  }

  /** A change whose policy the kernel knows where it is none. */
  Change known() {
    return change.policy() == MapCodes.KEEP ? new Change.None() : change;
  }

  /** As many threads as a device keeps at once. */
  LaunchShape lasting() {
    return launcher.shapeFor(Math.max(1, size()));
  }

  /** The first level, of so many regions. */
  Level first(int bits) {
    return new Level(scratch.numbers, counters, 0, 0, size(), 0, bits);
  }

  /** A level of so many regions of each one of the first. */
  Level second(Level first, int bits) {
    return new Level(
        scratch.numbers,
        counters,
        first.begins(),
        Level.ints(first.bits()),
        size(),
        first.bits(),
        bits);
  }

  /** Puts entries into the order of the regions of a level, those above it being in order. */
  List<ChainLink> order(Entries entries, Pairs ordered, Level level) {
    LaunchShape shape = shape(level);
    return List.of(
        new ChainLink(count(entries, level), shape),
        new ChainLink(
            new OrderByRegion(
                table,
                entries,
                ordered,
                level,
                TILE,
                SharedLongs.of(TILE * ordered.longs()),
                SharedInts.of(OrderByRegion.sharedInts(RegionScratch.MOST_BITS, BLOCK, TILE))),
            shape));
  }

  private LaunchShape shape(Level level) {
    int tiles = Math.ceilDiv(size(), TILE);
    int blocks =
        level.parentBits() == 0
            ? Math.min(lasting().blocks(), tiles)
            : Math.max(1, (tiles >> level.parentBits()) / TILES) << level.parentBits();
    return new LaunchShape(blocks, BLOCK);
  }

  private CountRegions count(Entries entries, Level level) {
    long crowd = CROWD * (table.slots() >> (level.parentBits() + level.bits()));
    return new CountRegions(
        table,
        entries,
        level,
        SharedInts.of(1 << RegionScratch.MOST_BITS),
        (int) Math.min(Integer.MAX_VALUE, crowd));
  }
}
