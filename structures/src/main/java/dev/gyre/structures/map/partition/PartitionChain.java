package dev.gyre.structures.map.partition;

import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Insert;
import dev.gyre.kernels.map.KeySlots;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.Options;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.Slots;
import dev.gyre.kernels.map.partition.BlockPartition;
import dev.gyre.kernels.map.partition.BuildPartitions;
import dev.gyre.kernels.map.partition.InsertOverflow;
import dev.gyre.kernels.map.partition.Pairs;
import dev.gyre.kernels.map.partition.PartitionLevel;
import dev.gyre.kernels.map.partition.PartitionSlots;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates the kernels of a partitioned insert into tables of one layout.
 *
 * @param layout layout of the table's slots
 */
public record PartitionChain(PartitionSlots layout) {

  /**
   * Largest size of a partition, in longs, which fits in shared memory with the rest of a block's
   * data.
   */
  private static final int MAX_PARTITION_LONGS = 4_096;

  /** Returns the chain for a table of kernels; null if its layout cannot be partitioned. */
  public static @Nullable PartitionChain of(Slots table) {
    return switch (table) {
      case PackedSlots packed -> new PartitionChain(new PartitionSlots.Packed(packed));
      case KeySlots.OfInts keys -> new PartitionChain(new PartitionSlots.IntKeys(keys));
      case LongSlots.Line lines -> new PartitionChain(new PartitionSlots.LongLines(lines));
      default -> null;
    };
  }

  public NumberTable table() {
    return layout.table();
  }

  /**
   * Returns the number of hash bits that select a partition, so that each partition is small
   * enough.
   */
  public int bits() {
    long slots = table().slots();
    int bits = 2;
    while ((slots >> bits) * layout.longs() > MAX_PARTITION_LONGS) {
      bits++;
    }
    return bits;
  }

  /**
   * Returns all kernels of an insert: they order the entries by parents and then by children, build
   * the partitions, and insert the entries that overflow one by one.
   *
   * @param isNew whether the table has no keys
   */
  public List<ChainLink> links(PartitionOrder order, boolean isNew) {
    PartitionLevel parents = order.first(bits() / 2);
    PartitionLevel children = order.second(parents, bits() - parents.bits());
    Pairs byParent = layout.pairs(order.scratch().byParent);
    Pairs byChild = layout.pairs(order.scratch().byChild);
    List<ChainLink> links = new ArrayList<>();
    links.addAll(order.order(order.given(), byParent, parents));
    links.addAll(order.order(byParent, byChild, children));
    // The order by parents is no longer needed: its memory takes entries that overflow.
    links.add(
        new ChainLink(
            new BuildPartitions(inBlock(byParent, order), byChild, children, order.known(), isNew),
            new LaunchShape(children.partitions(), PartitionOrder.BLOCK)));
    links.add(new ChainLink(insertOverflow(byParent, order), order.lasting()));
    return links;
  }

  private BlockPartition inBlock(Pairs overflow, PartitionOrder order) {
    return new BlockPartition(
        layout,
        overflow,
        order.size(),
        order.counters(),
        SharedLongs.of(MAX_PARTITION_LONGS + layout.longs()),
        SharedLongs.of(BlockPartition.STAGED * overflow.longs()),
        SharedInts.of(BlockPartition.SHARED_INTS));
  }

  private InsertOverflow insertOverflow(Pairs overflow, PartitionOrder order) {
    Batch batch =
        new Batch(new Pairs.Keys(overflow), new Pairs.Values(overflow), order.batch().outcomes());
    return new InsertOverflow(
        new Insert(
            table(),
            batch,
            order.counters(),
            0,
            0,
            order.known(),
            new Options.Counts(),
            order.polls()),
        order.scratch().levelNumbers(),
        PartitionScratch.levelLongs());
  }
}
