package dev.gyre.kernels.map.exclusive;

import static dev.gyre.kernels.map.MapCodes.FETCH;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.KEEP;
import static dev.gyre.kernels.map.MapCodes.VALUES;

import dev.gyre.kernels.map.BatchRange;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.EntryVisitor;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.SingleKeys;
import dev.gyre.kernels.map.Slots;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Bulk operations of JVM threads that own the slots on which they work. Every table has an EMPTY
 * slot, where each unsuccessful search ends.
 */
public final class ExclusiveOperations {

  private ExclusiveOperations() {}

  /**
   * Inserts a batch; see {@link dev.gyre.kernels.map.Insert}.
   *
   * @param last the last slot that this thread owns, or -1 if it owns all. A key whose search goes
   *     beyond it is STUCK, which is always written
   * @param options bit set of MASKED and OUTCOMES
   */
  public static void insert(Slots slots, BatchRange keys, long last, Change change, int options) {
    ResultBlock block = new ResultBlock(keys, options, change.policy() != KEEP);
    int most = ResultBlock.most(keys.from(), keys.to());
    Column keyed = Column.of(keys.keys(), most);
    Column valued = Column.of(keys.values(), most);
    insert(ExclusiveTable.of(slots), keyed, valued, keys.from(), keys.to(), last, change, block);
    block.addInserts(keys.counters());
  }

  /**
   * Inserts keys of the caller in place, by a thread that owns all slots. Each element is read
   * once.
   *
   * @param keys ints or longs, as in the table
   * @param left receives the keys that are STUCK, with their values
   * @return number of keys that were inserted and, in the upper half, that are STUCK
   */
  public static long insert(
      Slots slots,
      MemorySegment keys,
      MemorySegment values,
      long from,
      long to,
      Change change,
      BiConsumer<Long, Long> left) {
    ResultBlock block = new ResultBlock(from, to, change.policy() != KEEP, left);
    boolean ints = !ExclusiveTable.areLongs(slots);
    int most = ResultBlock.most(from, to);
    // Copy: if another thread changed a key after hashing, it would be in a wrong slot.
    Column keyed = new Column(keys, ints, most, true);
    // Each value is read once in any case.
    Column valued = keys.equals(values) ? keyed : new Column(values, ints, most, false);
    insert(ExclusiveTable.of(slots), keyed, valued, from, to, -1, change, block);
    return block.firstAndStuck();
  }

  private static void insert(
      ExclusiveTable table,
      Column keys,
      Column values,
      long from,
      long to,
      long last,
      Change change,
      ResultBlock block) {
    int policy = change.policy();
    try {
      for (long at = from; at < to; at += ResultBlock.LENGTH) {
        int count = (int) Math.min(ResultBlock.LENGTH, to - at);
        block.begin(at, count, keys, values);
        if (values != keys) {
          values.read(at, count);
        }
        int inserted = table.insert(last, count, block);
        if (policy != KEEP) {
          table.update(count, change, block);
        }
        if (policy == FETCH) {
          values.write(at, count);
        }
        block.end(at, count, inserted);
      }
    } finally {
      // Keep the table reachable until here: its addresses must stay mapped.
      Reference.reachabilityFence(table);
    }
  }

  /**
   * Looks up a batch while no thread updates; see {@link dev.gyre.kernels.map.Find}.
   *
   * @param options bit set of MASKED, OUTCOMES and VALUES
   */
  public static void find(Slots slots, BatchRange keys, int options) {
    ResultBlock block = new ResultBlock(keys, options, false);
    int most = ResultBlock.most(keys.from(), keys.to());
    Column found = (options & VALUES) == 0 ? null : Column.of(keys.values(), most);
    Column keyed = Column.of(keys.keys(), most);
    find(ExclusiveTable.of(slots), keyed, found, keys.from(), keys.to(), block);
    block.addFinds(keys.counters());
  }

  /**
   * Looks up keys of the caller in place, while no thread updates.
   *
   * @param keys ints or longs, as in the table
   * @param found destination of values, or null
   * @return number of keys that were found and, in the upper half, that are STUCK
   */
  public static long find(
      Slots slots, MemorySegment keys, @Nullable MemorySegment found, long from, long to) {
    ResultBlock block = new ResultBlock(from, to, false, (_, _) -> {});
    boolean ints = !ExclusiveTable.areLongs(slots);
    int most = ResultBlock.most(from, to);
    Column valued = found == null ? null : new Column(found, ints, most, false);
    // Copy: the hashed key and the compared key must be the same.
    find(ExclusiveTable.of(slots), new Column(keys, ints, most, true), valued, from, to, block);
    return block.firstAndStuck();
  }

  /**
   * Copies the entries of some slots to two columns, in order, while other threads may update. A
   * value is one that its key has during the call.
   *
   * @param to index after the last slot
   * @param keys ints or longs, as in the table, with enough elements
   * @param values the same
   * @param first index of the first element to write
   * @return number of entries
   */
  public static int copyEntries(
      NumberTable slots, long from, long to, MemorySegment keys, MemorySegment values, int first) {
    boolean ints = !ExclusiveTable.areLongs(slots);
    Column keyed = new Column(keys, ints, ResultBlock.LENGTH, false);
    Column valued = new Column(values, ints, ResultBlock.LENGTH, false);
    ExclusiveTable table = ExclusiveTable.of(slots);
    long end = Math.min(to, slots.slots());
    int all = first;
    for (long at = from; at < end; at += ResultBlock.LENGTH) {
      long next = Math.min(end, at + ResultBlock.LENGTH);
      int count =
          table.copyEntries(
              at, next, keyed.longs(), keyed.first(all), valued.longs(), valued.first(all));
      keyed.write(all, count);
      valued.write(all, count);
      all += count;
    }
    for (long side = Math.max(from, slots.slots()); side < to; side++) {
      boolean filled = slots.state(side) == FILLED;
      long value = filled ? slots.value(side) : 0;
      if (filled && !(slots instanceof PackedSlots && value == SingleKeys.GONE)) {
        keyed.longs()[keyed.first(all)] = slots.key(side);
        valued.longs()[valued.first(all)] = value;
        keyed.write(all, 1);
        valued.write(all, 1);
        all++;
      }
    }
    return all - first;
  }

  /**
   * Moves the entries of some places to another table with capacity for them, by a thread that owns
   * these places and a range of the other table's slots.
   *
   * <p>If both have one seed, neighbouring entries stay neighbours, so that both tables are
   * accessed nearly sequentially.
   *
   * @param to index after the last place; a side slot is after all slots
   * @param last last owned slot of the other table, or -1 for all
   * @param left receives the entries whose search goes beyond it, key and value
   */
  public static void move(
      NumberTable slots, NumberTable fresh, long from, long to, long last, EntryVisitor left) {
    ExclusiveTable old = ExclusiveTable.of(slots);
    ExclusiveTable target = ExclusiveTable.of(fresh);
    ResultBlock block = ResultBlock.ofEntries(left::visit);
    long end = Math.min(to, slots.slots());
    try {
      for (long at = from; at < end; at += ResultBlock.LENGTH) {
        int count = old.read(at, Math.min(end, at + ResultBlock.LENGTH), block);
        insert(target, last, count, block);
      }
      for (long side = Math.max(from, slots.slots()); side < to; side++) {
        if (slots.state(side) == FILLED) {
          block.keys[0] = slots.key(side);
          block.values[0] = slots.value(side);
          insert(target, last, 1, block);
        }
      }
    } finally {
      // Keep the tables reachable until here: their addresses must stay mapped.
      Reference.reachabilityFence(old);
      Reference.reachabilityFence(target);
    }
  }

  private static void insert(ExclusiveTable table, long last, int count, ResultBlock block) {
    block.begin(count);
    block.end(0, count, table.insert(last, count, block));
  }

  private static void find(
      ExclusiveTable table,
      Column keys,
      @Nullable Column found,
      long from,
      long to,
      ResultBlock block) {
    try {
      for (long at = from; at < to; at += ResultBlock.LENGTH) {
        int count = (int) Math.min(ResultBlock.LENGTH, to - at);
        block.begin(at, count, keys, found);
        int first = table.find(count, block, found != null);
        if (found != null) {
          found.write(at, count);
        }
        block.end(at, count, first);
      }
    } finally {
      // Keep the table reachable until here: its addresses must stay mapped.
      Reference.reachabilityFence(table);
    }
  }
}
