package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.Settings;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.partition.PartitionChain;
import dev.gyre.structures.map.partition.PartitionOrder;
import dev.gyre.structures.map.partition.PartitionScratch;
import dev.gyre.structures.map.table.BlockAggregation;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.work.ScratchBuffer;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Inserts a large batch on a device by radix partitioning.
 *
 * <p>The keys are ordered by slot. Then one block builds each partition of the table in shared
 * memory ({@link PartitionChain}, {@link dev.gyre.kernels.map.partition}). The keys are on the
 * device, nothing else updates the table, and its slots are packed, lines, or int keys alone.
 *
 * <p><b>When.</b> Two constants decide: {@link #MIN_TABLE_BYTES} and {@link #MAX_SLOTS_PER_KEY}. A
 * sample excludes batches with frequent keys, because the keys of a partition belong to one block;
 * {@link BlockAggregation} first adds up frequent keys. Inserts with outcomes per key are not
 * partitioned: writing outcomes back at random would cost what partitioning saves.
 */
final class PartitionedInsert {

  /** Setting in place of {@link #MIN_TABLE_BYTES}, for measurements and tests. */
  static final String FROM = "gyre.partition.from";

  /**
   * Smallest table that is partitioned, in bytes. Smaller tables are mostly in the L2 cache of 40
   * to 96 MB, which also holds the keys. There random accesses are as fast as the four passes that
   * order the keys.
   */
  private static final long MIN_TABLE_BYTES = 1L << 27;

  /**
   * Largest number of slots per key. With more, reading and writing the whole table takes longer
   * than accessing a slot per key: a slot has 4 to 32 bytes, and a random access costs as much as
   * copying 100 to 200 bytes.
   */
  private static final int MAX_SLOTS_PER_KEY = 4;

  /** Smallest number of keys for which the launcher is asked for its block size: a tile. */
  private static final int TILE_KEYS = 2_048;

  /**
   * Largest number of longs of entries: their numbers are ints, also in a few blocks after the
   * last.
   */
  private static final int MAX_ENTRY_LONGS = Integer.MAX_VALUE - (1 << 10);

  private PartitionedInsert() {}

  /**
   * Returns whether an insert of a number of keys is partitioned.
   *
   * @param options options of the insert
   */
  static boolean suits(Store<?, ?> store, FixedTable table, long keys, Change change, int options) {
    PartitionChain chain = PartitionChain.of(table.inKernels());
    return chain != null
        && !chain.table().isRemovable()
        && keys >= table.slots / MAX_SLOTS_PER_KEY
        && table.byteSize() >= minTableBytes()
        && chain.bits() <= 2 * PartitionScratch.MAX_BITS
        && !(chain.layout().waits() && store.defers)
        && keys < MAX_ENTRY_LONGS / chain.layout().entryLongs()
        && change.policy() != MapCodes.FETCH
        && (options & ~MapCodes.MASKED) == 0
        && sharesMemory(store.workers());
  }

  /**
   * Returns whether a table fits in the cache of the device, also with more keys. Random accesses
   * are then so fast that the keys may stay in host memory, where the kernel reads each over the
   * bus.
   */
  static boolean isCached(FixedTable table, long keys) {
    double growth = Math.max(1, (table.size() + keys) / (double) table.capacity);
    return table.byteSize() * growth < minTableBytes();
  }

  private static long minTableBytes() {
    return Settings.bytes(FROM).orElse(MIN_TABLE_BYTES);
  }

  /**
   * Returns whether blocks have several threads, which share memory; a setting overrides it for
   * tests.
   */
  private static boolean sharesMemory(Workers workers) {
    return Settings.bytes(FROM).isPresent()
        || (!workers.onJvm() && workers.launcher().shapeFor(TILE_KEYS).blockSize() > 1);
  }

  /**
   * Inserts the keys of a task with reservations, and counts their outcomes.
   *
   * <p>Returns false, without an effect, if the memory is not available, a partition has too many
   * keys, or some keys are so frequent that it is slower.
   *
   * @param isNew whether the table has no keys
   * @param counters counters, all 0
   */
  static boolean run(
      Store<?, ?> store,
      FixedTable table,
      Batch batch,
      TaskRange task,
      Change change,
      int flags,
      boolean isNew,
      DeviceLongs counters) {
    Workers workers = store.workers();
    PartitionChain chain = PartitionChain.of(table.inKernels());
    BlockAggregation aggregation =
        new BlockAggregation(
            workers, table.inKernels(), batch, counters, task, change, 0, store.pollLimit());
    if (aggregation.hasFrequent()) {
      ScratchBuffer.clear(counters);
      return false;
    }
    PartitionScratch scratch =
        chain == null ? null : scratch(store, task.size() * chain.layout().entryLongs());
    if (scratch == null || chain == null) {
      return false;
    }
    return store.partitions.use(
        scratch,
        () -> {
          PartitionOrder order =
              new PartitionOrder(
                  workers.launcher(),
                  chain.table(),
                  batch,
                  task,
                  change,
                  flags,
                  scratch,
                  counters,
                  store.pollLimit());
          List<ChainLink> links = new ArrayList<>();
          if (!store.defers && BlockAggregation.suits(workers, table, task, change, flags)) {
            links.addAll(aggregation.inBlocks());
          }
          links.addAll(chain.links(order, isNew));
          workers.launch(links, counters);
          boolean crowded =
              counters.get(MapCodes.CROWDED) != 0 && counters.get(MapCodes.FREQUENT) == 0;
          if (crowded) {
            ScratchBuffer.clear(counters);
          }
          return !crowded;
        });
  }

  /** Returns scratch memory of a number of longs; null if it is not available. */
  private static @Nullable PartitionScratch scratch(Store<?, ?> store, long longs) {
    Workers workers = store.workers();
    PartitionScratch scratch = null;
    try {
      scratch = store.partitions.borrow((int) longs, workers.count());
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
