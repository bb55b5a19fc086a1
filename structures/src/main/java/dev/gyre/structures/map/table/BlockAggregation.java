package dev.gyre.structures.map.table;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Settings;
import dev.gyre.atomics.SharedInts;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Insert;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Options;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.Slots;
import dev.gyre.kernels.map.aggregate.BlockAggregate;
import dev.gyre.kernels.map.aggregate.DirectAggregate;
import dev.gyre.kernels.map.aggregate.SampleKeys;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.util.List;
import java.util.OptionalLong;

/**
 * Block aggregation: additions to the values of ints on a device, in which each block first adds up
 * its values of a frequent key: {@link dev.gyre.kernels.map.aggregate}. Batches must be large
 * enough for a block to meet a key again.
 */
public record BlockAggregation(
    Workers workers,
    Slots table,
    Batch batch,
    DeviceLongs counters,
    TaskRange task,
    Change change,
    int options,
    long polls) {

  /**
   * Setting: number of keys from which blocks aggregate; by default it depends on the device. For
   * measurements and tests.
   */
  public static final String FROM = "gyre.additions.from";

  /** Number of threads of a block. */
  public static final int BLOCK = 256;

  /** Number of places for keys of a block. */
  public static final int PLACES = 1 << 10;

  /** Keys per thread without frequent keys: idle threads cost time, too. */
  private static final int DIRECT_KEYS = 8;

  /**
   * Smallest number of keys per place of a block. The search for frequent keys takes two kernels
   * more; with so many keys, that is a small part of the whole.
   */
  private static final int KEYS_PER_PLACE = 4;

  /** Smallest number of keys for which frequent keys are searched. */
  private static final long LEAST_SAMPLED = 1L << 20;

  /**
   * Returns whether blocks may aggregate the keys of a task; no thread waits for a launch.
   *
   * @param options options, only BOUNDED is possible
   */
  public static boolean suits(
      Workers workers, FixedTable table, TaskRange task, Change change, int options) {
    return !workers.onJvm()
        && table.inKernels() instanceof PackedSlots
        && change.policy() == MapCodes.ADD
        && (options & ~MapCodes.BOUNDED) == 0
        && !task.again()
        && suits(workers, task.size());
  }

  /**
   * Returns whether a partitioned insert of a task would meet frequent keys. Then single inserts
   * are faster, because their slots are in the cache.
   *
   * <p>Only large batches are sampled, for which another launch is cheap, and no ints whose values
   * change: blocks may aggregate these.
   */
  public boolean hasFrequent() {
    boolean asks =
        (table instanceof LongSlots.Line || change.policy() == MapCodes.KEEP)
            && task.size() >= Settings.bytes(FROM).orElse(LEAST_SAMPLED);
    if (asks) {
      workers.launch(List.of(sample()), counters);
    }
    return asks && counters.get(MapCodes.FREQUENT) != 0;
  }

  private ChainLink sample() {
    return new ChainLink(
        new SampleKeys(
            batch.keys(), counters, task.from(), task.to(), SharedInts.of(SampleKeys.SHARED_INTS)),
        new LaunchShape(1, BLOCK));
  }

  private static boolean suits(Workers workers, long keys) {
    OptionalLong from = Settings.bytes(FROM);
    if (from.isPresent()) {
      return keys >= from.getAsLong();
    }
    LaunchShape shape = workers.launcher().shapeFor(Math.max(1, keys));
    // Threads that are alone in their blocks cannot aggregate.
    return shape.blockSize() > 1
        && keys >= (long) KEYS_PER_PLACE * PLACES * shape.threads() / BLOCK;
  }

  /**
   * Returns kernels that add all keys if some are frequent, and note it; otherwise they do nothing.
   */
  public List<ChainLink> inBlocks() {
    Options counts = counts();
    BlockAggregate aggregate =
        new BlockAggregate(
            table,
            batch.keys(),
            batch.values(),
            counters,
            task.from(),
            task.to(),
            polls,
            SharedInts.of(BlockAggregate.sharedInts(table, PLACES, BLOCK, counts)),
            PLACES,
            counts);
    return List.of(sample(), new ChainLink(aggregate, aggregate.shape(workers.launcher(), BLOCK)));
  }

  private Options counts() {
    return (options & MapCodes.BOUNDED) != 0
        ? new Options.Given(MapCodes.STRIPED | MapCodes.BOUNDED)
        : new Options.Counts();
  }

  /** Returns the kernel that adds the keys if none is frequent. */
  public ChainLink directly() {
    Insert insert =
        new Insert(table, batch, counters, task.from(), task.to(), change, counts(), polls);
    return new ChainLink(
        new DirectAggregate(insert),
        workers.launcher().shapeForEach(Math.ceilDiv(Math.max(1, task.size()), DIRECT_KEYS)));
  }
}
