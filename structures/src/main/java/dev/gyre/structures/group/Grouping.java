package dev.gyre.structures.group;

import dev.gyre.atomics.MemoryExhaustedException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Groups by one key in partitions, to which threads give rows.
 *
 * <p>The highest bits of a key's hash select the partition (radix partitioning). A thread
 * aggregates in a private table. Input rows whose keys are not in it, since it is full, wait with
 * their values and then go to the partitions. There they wait until their number pays off: then the
 * table of the partition is in the cache of a core.
 */
final class Grouping implements AutoCloseable {

  private static final int PARTITION_BITS = 8;
  private static final int PARTITIONS = 1 << PARTITION_BITS;

  /** Largest number of groups of a private table, which should stay in the L2 cache. */
  private static final int MAX_GROUPS = 1 << 14;

  /**
   * Largest size of the input rows that wait in a thread, without long texts. They stay in the L2
   * cache, and a thread locks a partition for many of them.
   */
  private static final int MAX_INPUT_BYTES = 1 << 19;

  private static final int FIRST_ROWS = 1 << 10;

  /** Size of the texts of a thread from which they go to the partitions. */
  private static final long MAX_TEXT_BYTES = 1 << 20;

  /** Number of input rows after which a private table is judged. */
  private static final int TRIAL_ROWS = 1 << 14;

  /** A private table stays in use if it has the keys of at least one input row in so many. */
  private static final int MAX_ROWS_PER_HIT = 4;

  /** Least and greatest number of rows for which no private table is tried again. */
  private static final int MIN_UNSEARCHED = 1 << 18;

  private static final int MAX_UNSEARCHED = 1 << 22;

  /** Least number of waiting rows that a partition aggregates. */
  private static final int MIN_WAITING = 1 << 10;

  final StateRow states;
  private final boolean areTexts;
  private final boolean skipsNull;
  private final Seed seed = Seed.next();
  private final Blocks blocks = new Blocks();

  /** Partitions with rows, by the highest bits of hashes. */
  private final Map<Integer, Partition> partitions = new ConcurrentHashMap<>(PARTITIONS);

  /**
   * Creates groups.
   *
   * @param skipsNull whether rows with the null key are skipped
   */
  Grouping(boolean areTexts, boolean skipsNull, StateRow states) {
    this.areTexts = areTexts;
    this.skipsNull = skipsNull;
    this.states = states;
  }

  private KeyRows rows(int words) {
    return KeyRows.of(blocks, areTexts, seed, words);
  }

  /** Groups, and input rows that wait: all keys of some hashes, or the rows of a thread. */
  final class Partition {

    final RowFinder groups = new RowFinder(blocks, rows(states.words()));
    final KeyRows input = rows(states.columns().size());

    /** Held by the thread that uses the partition while threads give rows. */
    private final ReentrantLock lock = new ReentrantLock();
  }

  /** Returns the partitions in which input waits: none after {@link Running#flush}. */
  List<Partition> waiting() {
    return partitions.values().stream().filter(part -> part.input.count() > 0).toList();
  }

  /** Returns the groups of all partitions. */
  List<KeyRows> groups() {
    return partitions.values().stream().map(part -> part.groups.rows).toList();
  }

  /** Returns the partition of a hash. */
  static int partition(long hash, int partitions) {
    return (int) (hash >>> (Long.SIZE - PARTITION_BITS)) & (partitions - 1);
  }

  /** Returns a copy of all groups, of which no input waits; the caller closes it. */
  KeyRows copy() {
    KeyRows all = KeyRows.of(Blocks.SINGLE, areTexts, seed, states.words());
    try {
      long count = groups().stream().mapToLong(KeyRows::used).sum();
      all.grow(count, groups().stream().mapToLong(KeyRows::usedText).sum(), 1);
      for (KeyRows part : groups()) {
        for (long row = 1; row < part.used(); row++) {
          all.add(part, row);
        }
        mergeNull(part, all);
      }
      return all;
    } catch (RuntimeException | Error e) {
      all.close();
      throw e;
    }
  }

  private void mergeNull(KeyRows from, KeyRows to) {
    if (from.hasNull() && !skipsNull) {
      states.merge(
          from.words(), new long[] {from.state(0)}, to.words(), new long[] {to.addNull()}, 1);
    }
  }

  /** A thread's private table and waiting input, and what it needs to aggregate partitions. */
  final class Part {

    private final Partition own = new Partition();
    private final KeyBlock copied = new KeyBlock();
    private final long[] at = new long[KeyBlock.ROWS];
    private final long[] from = new long[KeyBlock.ROWS];
    private final long[] values = new long[KeyBlock.ROWS];
    private final int[] block = new int[KeyBlock.ROWS];
    private final int[] waiting = new int[KeyBlock.ROWS];
    private final RowsByPartition sorted = new RowsByPartition();
    private int searched;
    private int fresh;
    private int unsearched;
    private boolean isStale;
    private int nextUnsearched = MIN_UNSEARCHED;

    /** Returns the private table, which is valid until the next call of {@link #locate}. */
    KeyRows groups() {
      return own.groups.rows;
    }

    /**
     * Finds keys in the private table, or adds them.
     *
     * @param mayWait whether keys may wait in the last rows of the input, in this order
     * @param at gets the place of the state of each key; for one that waits, a place of no group
     * @return number of keys that wait
     */
    int locate(KeyBlock keys, boolean mayWait, long[] at) {
      long text = KeyRows.textBytes(keys);
      boolean isFull = groups().used() > MAX_GROUPS || groups().usedText() > MAX_TEXT_BYTES;
      if (isFull && (!mayWait || (isStale && unsearched <= 0))) {
        flushGroups();
        isFull = false;
        isStale = false;
      }
      // Before rows are appended, because an error would leave them there. One more row, after the
      // last one, gets the aggregates of keys that wait, and is never read.
      own.groups.reserve(keys.count + 1, text);
      long first = append(keys, text);
      long textBefore = own.input.usedText() - text;
      boolean @Nullable [] nulls = keys.hasNulls ? keys.nulls : null;
      boolean mayMiss = mayWait && (isFull || unsearched > 0);
      long unread = groups().state(groups().used());
      if (unsearched > 0 && mayWait) {
        unsearched -= keys.count;
        for (int i = 0; i < keys.count; i++) {
          at[i] = keys.isNull(i) ? groups().addNull() : 0;
        }
      } else {
        fresh += own.groups.locate(own.input, first, null, keys.count, !isFull, nulls, at);
        searched += keys.count;
        judge();
      }
      int count = 0;
      for (int i = 0; i < keys.count && mayMiss; i++) {
        waiting[count] = i;
        count += at[i] == 0 ? 1 : 0;
        at[i] = at[i] == 0 ? unread : at[i];
      }
      own.input.keep(first, waiting, count, textBefore);
      return count;
    }

    /** Sets a value of each row that waits, after {@link #locate}. */
    void setWaiting(int column, long[] values, int count) {
      KeyRows input = own.input;
      for (int i = 0; i < count; i++) {
        long state = input.state(input.used() - count + i);
        input.set(state + (long) column * Long.BYTES, values[waiting[i]]);
      }
    }

    /** Stops searches for a while if the private table rarely has the key. */
    private void judge() {
      if (searched < TRIAL_ROWS) {
        return;
      }
      if (searched - fresh < searched / MAX_ROWS_PER_HIT) {
        isStale = true;
        unsearched = nextUnsearched;
        nextUnsearched = Math.min(2 * nextUnsearched, MAX_UNSEARCHED);
      } else {
        nextUnsearched = MIN_UNSEARCHED;
      }
      searched = 0;
      fresh = 0;
    }

    /** Adds keys to the input; returns the first row. */
    private long append(KeyBlock keys, long text) {
      KeyRows input = own.input;
      if (input.rowBytes(keys.count) > MAX_INPUT_BYTES || input.usedText() > MAX_TEXT_BYTES) {
        flushInput();
      }
      long first = input.used();
      input.append(keys, text, FIRST_ROWS, 4);
      return first;
    }

    /** Adds 1 to a word of the states of some keys. */
    void count(KeyBlock keys, int word) {
      int _ = locate(keys, false, at);
      StateRow.increment(groups().words(), at, keys.count, word);
    }

    /** Merges a copy of groups. */
    void absorb(KeyRows copy) {
      // Not from, which a flush of the private table uses.
      long[] merged = new long[KeyBlock.ROWS];
      for (long row = copy.first(); row < copy.used(); row += copied.count) {
        KeyBlock keys = copy.read(row, copied);
        for (int i = 0; i < keys.count; i++) {
          merged[i] = copy.state(row + i);
        }
        merge(keys, copy.words(), merged);
      }
    }

    /** Merges the states of some keys, or leaves all groups unchanged. */
    void merge(KeyBlock keys, MemorySegment words, long[] from) {
      int _ = locate(keys, false, at);
      states.merge(words, from, groups().words(), at, keys.count);
    }

    /** Gives all rows to the partitions. If memory does not suffice, it may be called again. */
    void flush() {
      flushInput();
      flushGroups();
    }

    private void flushInput() {
      give(own.input, false);
      own.input.clear();
    }

    private void flushGroups() {
      give(groups(), true);
      own.groups.clear();
    }

    /** Gives rows to their partitions. If memory does not suffice, the others stay. */
    private void give(KeyRows rows, boolean areGroups) {
      int[] ends = sorted.sort(rows, PARTITIONS);
      // Threads begin with different partitions, and wait in the second round only.
      int start = System.identityHashCode(this);
      try {
        for (int i = 0; i < 2 * PARTITIONS; i++) {
          int part = (start + i) & (PARTITIONS - 1);
          if (!sorted.given[part]) {
            sorted.given[part] = give(rows, areGroups, part, ends, i >= PARTITIONS);
          }
        }
      } catch (MemoryExhaustedException e) {
        sorted.removeGiven(rows, areGroups);
        throw e;
      }
    }

    /** Gives rows to a partition, unless another thread uses it and this one does not wait. */
    private boolean give(KeyRows rows, boolean areGroups, int part, int[] ends, boolean waits) {
      int begin = part == 0 ? 0 : ends[part - 1];
      boolean givesNull = areGroups && part == 0 && rows.hasNull();
      if (begin == ends[part] && !givesNull) {
        return true;
      }
      Partition to = partitions.computeIfAbsent(part, _ -> new Partition());
      if (waits) {
        to.lock.lock();
      } else if (!to.lock.tryLock()) {
        return false;
      }
      try {
        if (areGroups) {
          addGroups(rows, to.groups, begin, ends[part]);
        } else {
          addInput(rows, to, begin, ends[part]);
        }
        if (givesNull) {
          mergeNull(rows, to.groups.rows);
        }
        return true;
      } finally {
        to.lock.unlock();
      }
    }

    private void addGroups(KeyRows rows, RowFinder to, int begin, int end) {
      long text = sorted.text(rows, begin, end);
      // For all rows at once: an error must leave none of them here.
      to.reserve(end - begin, text);
      for (int next = begin; next < end; next += KeyBlock.ROWS) {
        int count = Math.min(KeyBlock.ROWS, end - next);
        for (int i = 0; i < count; i++) {
          block[i] = sorted.rows[next + i];
          from[i] = rows.state(block[i]);
        }
        to.locate(rows, block, count, at);
        states.merge(rows.words(), from, to.rows.words(), at, count);
      }
    }

    private void addInput(KeyRows rows, Partition to, int begin, int end) {
      long text = sorted.text(rows, begin, end);
      boolean isMany = to.input.used() > Math.max(MIN_WAITING, to.groups.rows.used());
      if (isMany && !to.input.fits(end - begin, text)) {
        aggregate(to);
      }
      int factor = to.input.used() < MIN_WAITING ? 4 : 2;
      to.input.reserve(end - begin, text, KeyBlock.ROWS, factor);
      for (int i = begin; i < end; i++) {
        to.input.add(rows, sorted.rows[i]);
      }
    }

    /** Adds the waiting input of a partition to its groups. After an error, the rest waits. */
    void aggregate(Partition part) {
      KeyRows input = part.input;
      while (input.used() > 1) {
        int count = (int) Math.min(KeyBlock.ROWS, input.used() - 1);
        long row = input.used() - count;
        long text = input.rowText(row, row + count);
        part.groups.reserve(count, text);
        part.groups.locate(input, row, count, at);
        MemorySegment words = part.groups.rows.words();
        states.count(words, at, count);
        for (int column = 0; column < states.columns().size(); column++) {
          for (int i = 0; i < count; i++) {
            values[i] = input.word(input.state(row + i) + (long) column * Long.BYTES);
          }
          states.columns().get(column).add(words, at, values, count);
        }
        input.keep(row, block, 0, input.usedText() - text);
      }
      input.clear();
    }
  }

  @Override
  public void close() {
    blocks.close();
  }
}
