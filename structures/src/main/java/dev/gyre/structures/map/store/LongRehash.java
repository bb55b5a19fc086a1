package dev.gyre.structures.map.store;

import dev.gyre.atomics.IntSpecialized;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Moves the entries of a table to an empty one by threads of the JVM, with exclusive access.
 *
 * <p><b>Ranges.</b> Home slots rise with hashes, and both tables have one seed. An EMPTY slot of
 * the old table is the home of no key, and no search has passed it. So it divides all hashes into
 * smaller and larger ones, and in a table of at least as many slots it divides the homes, too. Each
 * worker therefore owns the slots of a range in both tables, and claims none. The few keys that
 * find no slot in their range are inserted at the end.
 */
@IntSpecialized
final class LongRehash {

  /** Smallest number of slots of a range. */
  private static final long RANGE_SLOTS = 1 << 14;

  /** Stands for the last owned slot if a thread owns all. */
  private static final long ALL = -1;

  private record Entry(long key, long value) {}

  private final LongTable old;
  private final LongTable fresh;
  private final Queue<Entry> left = new ConcurrentLinkedQueue<>();

  LongRehash(LongTable old, LongTable fresh) {
    this.old = old;
    this.fresh = fresh;
  }

  /** Moves all entries. */
  void run(Workers workers) {
    List<TaskRange> ranges = workers.count() > 1 && fresh.slots >= old.slots ? cut() : List.of();
    if (ranges.size() < 2) {
      TaskRange all = new TaskRange(0, old.places());
      workers.run("rehash", List.of(all), (_, places) -> move(places, ALL));
      return;
    }
    long first = ranges.getFirst().from();
    workers.run(
        "rehash",
        ranges,
        (_, range) -> {
          boolean isLast = range.to() == old.slots;
          long last = home(isLast ? first : range.to()) - 1;
          move(range, last);
          if (isLast) {
            // Searches continue at the first slot.
            move(new TaskRange(0, first), last);
          }
        });
    move(new TaskRange(old.slots, old.places()), ALL);
    long[] key = new long[1];
    long[] value = new long[1];
    for (Entry entry : left) {
      key[0] = /* (int) */ entry.key;
      value[0] = /* (int) */ entry.value;
      int _ = fresh.insertExclusive(key, value, 1);
    }
  }

  private void move(TaskRange places, long last) {
    old.moveExclusive(fresh, places, last, (key, value) -> left.add(new Entry(key, value)));
  }

  /**
   * Returns the ranges from the slot after the first EMPTY one to the last slot. Each ends with an
   * EMPTY slot, except the last one.
   */
  private List<TaskRange> cut() {
    List<TaskRange> ranges = new ArrayList<>();
    long from = afterEmpty(0);
    while (from < old.slots) {
      long to = afterEmpty(Math.min(from + RANGE_SLOTS, old.slots));
      ranges.add(new TaskRange(from, to));
      from = to;
    }
    return ranges;
  }

  /** Returns the slot after the first EMPTY one from a slot on, or the number of slots. */
  private long afterEmpty(long from) {
    long slot = from;
    while (slot < old.slots && old.state(slot) != MapCodes.EMPTY) {
      slot++;
    }
    return Math.min(slot + 1, old.slots);
  }

  /** Returns the first slot of the new table that can be the home of a key of a range. */
  private long home(long first) {
    return BigInteger.valueOf(first)
        .multiply(BigInteger.valueOf(fresh.slots))
        .divide(BigInteger.valueOf(old.slots))
        .longValueExact();
  }
}
