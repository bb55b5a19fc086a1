package dev.gyre.structures.group;

import java.util.Arrays;
import java.util.List;

/**
 * Groups by one key in partitions, to which threads give the rows of their private tables.
 *
 * <p>The highest bits of a key's hash select the partition. Few groups are in one partition. Rows
 * of a partition are pending until their number pays off a merge: then the hash table of a
 * partition fits in the cache of a core (radix partitioning).
 */
final class Grouping implements AutoCloseable {

  private static final int PARTITION_BITS = 8;

  /** Number of rows of a private table from which there are many partitions. */
  private static final int MIN_SPLIT_ROWS = 1 << 12;

  /** Largest number of rows of a private table, and of bytes: it should stay in the L2 cache. */
  private static final int MAX_ROWS = 1 << 13;

  private static final int FIRST_ROWS = 1 << 10;

  private static final long MAX_TEXT_BYTES = 1 << 20;

  /** Rows are added without a search if fewer input rows than this share a row on average. */
  private static final double MIN_REPEATS = 1.5;

  /** How many times the table fills up without searches before they are tried again. */
  private static final int FLUSHES_WITHOUT_SEARCH = 16;

  /** Least number of pending rows that are merged. */
  private static final int MIN_PENDING = 1 << 10;

  final StateRow states;
  private final boolean areTexts;
  private final boolean skipsNull;
  private final Seed seed = Seed.next();
  private volatile KeyRows[] partitions;

  /**
   * Creates groups.
   *
   * @param skipsNull whether rows with the null key are skipped
   */
  Grouping(boolean areTexts, boolean skipsNull, StateRow states) {
    this.areTexts = areTexts;
    this.skipsNull = skipsNull;
    this.states = states;
    this.partitions = new KeyRows[] {rows()};
  }

  private KeyRows rows() {
    return KeyRows.of(areTexts, seed, states.words());
  }

  boolean areTexts() {
    return areTexts;
  }

  /** Returns the partitions, in which no rows are pending after {@link Running#flush}. */
  List<KeyRows> partitions() {
    return List.of(partitions);
  }

  /** Returns the partition of a hash. */
  static int partition(long hash, int partitions) {
    return (int) (hash >>> (Long.SIZE - PARTITION_BITS)) & (partitions - 1);
  }

  /** Returns a copy of all groups, of which none is pending; the caller closes it. */
  KeyRows copy() {
    KeyRows all = rows();
    try {
      long count = partitions().stream().mapToLong(KeyRows::used).sum();
      all.grow(count, partitions().stream().mapToLong(KeyRows::usedText).sum(), 1);
      for (KeyRows part : partitions) {
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

  /** A thread's private table, and what it needs to give its rows to partitions. */
  final class Part implements AutoCloseable {

    final KeyRows rows = rows();
    final RowFinder finder = new RowFinder();
    private final long[] at = new long[KeyBlock.ROWS];
    private int[] ofRows = {};
    private int[] order = {};
    private boolean isEmpty = true;
    private int withoutSearch;
    private long added;

    /**
     * Finds or adds the rows of some keys.
     *
     * @param at gets the place of the state of each key
     */
    void locate(KeyBlock keys, long[] at) {
      reserve(keys.count, KeyRows.textBytes(keys));
      added += keys.count;
      if (withoutSearch > 0 && !keys.hasNulls && rows.merged() == 1) {
        append(keys, at);
        return;
      }
      if (rows.used() > rows.merged()) {
        flush();
      }
      if (isEmpty) {
        finder.restart(MAX_ROWS);
        isEmpty = false;
      }
      finder.locate(rows, keys, at);
    }

    /** Adds rows of keys, also if these are in rows. */
    void append(KeyBlock keys, long[] at) {
      reserve(keys.count, KeyRows.textBytes(keys));
      long first = rows.used();
      rows.add(keys);
      rows.clearStates(first);
      for (int i = 0; i < keys.count; i++) {
        at[i] = rows.state(first + i);
      }
    }

    private void reserve(int count, long text) {
      if (rows.used() + count > MAX_ROWS || rows.usedText() > MAX_TEXT_BYTES) {
        flush();
      }
      if (!rows.fits(count, text)) {
        rows.grow(Math.max(count, FIRST_ROWS), text, 4);
      }
    }

    /** Adds 1 to a word of the states of some keys. */
    void count(KeyBlock keys, int word) {
      locate(keys, at);
      StateRow.increment(rows.words(), at, keys.count, word);
    }

    /** Merges a copy of groups. */
    void absorb(KeyRows from) {
      KeyBlock block = new KeyBlock();
      long[] source = new long[KeyBlock.ROWS];
      for (long row = from.first(); row < from.used(); row += block.count) {
        locate(from.read(row, block), at);
        for (int i = 0; i < block.count; i++) {
          source[i] = from.state(row + i);
        }
        states.merge(from.words(), source, rows.words(), at, block.count);
      }
    }

    /** Gives all rows to the partitions. */
    void flush() {
      if (rows.used() > MIN_SPLIT_ROWS) {
        split();
      }
      KeyRows[] to = partitions;
      while (!give(rows, to)) {
        to = partitions;
      }
      int groups = (int) rows.used();
      if (withoutSearch > 0) {
        withoutSearch--;
      } else if (groups > MAX_ROWS / 2 && added < MIN_REPEATS * groups) {
        withoutSearch = FLUSHES_WITHOUT_SEARCH;
      }
      added = 0;
      rows.clear();
      isEmpty = true;
    }

    /** Replaces a single partition by many. */
    private void split() {
      synchronized (Grouping.this) {
        if (partitions.length > 1) {
          return;
        }
        KeyRows single = partitions[0];
        KeyRows[] many = new KeyRows[1 << PARTITION_BITS];
        Arrays.setAll(many, _ -> rows());
        synchronized (single) {
          try {
            boolean _ = give(single, many);
          } catch (RuntimeException | Error e) {
            closeAll(many);
            throw e;
          }
          partitions = many;
          single.close();
        }
      }
    }

    /** Returns false if a single partition was replaced meanwhile. */
    private boolean give(KeyRows from, KeyRows[] to) {
      int[] ends = sort(from, to.length);
      // Threads begin with different partitions.
      int start = System.identityHashCode(this);
      for (int i = 0; i < to.length; i++) {
        int part = (start + i) & (to.length - 1);
        synchronized (to[part]) {
          if (to.length < partitions.length) {
            return false;
          }
          addAll(from, to[part], part == 0 ? 0 : ends[part - 1], ends[part]);
          if (part == 0 && from.hasNull()) {
            reserve(to[0], 1, 0);
            mergeNull(from, to[0]);
          }
        }
      }
      return true;
    }

    private void addAll(KeyRows from, KeyRows to, int begin, int end) {
      long text = 0;
      for (int i = begin; i < end; i++) {
        text += KeyRows.textBytes(from.length(order[i]));
      }
      reserve(to, end - begin, text);
      for (int i = begin; i < end; i++) {
        to.add(from, order[i]);
      }
    }

    /** Makes capacity in a partition. */
    private void reserve(KeyRows to, int count, long text) {
      if (to.fits(count, text)) {
        return;
      }
      if (states.isMerged() && to.used() - to.merged() >= MIN_PENDING) {
        finder.merge(to, states);
      }
      int factor = to.used() < 8 * MIN_PENDING ? 4 : 2;
      if (!to.fits((factor - 1) * to.used() + count, (factor - 1) * to.usedText() + text)) {
        to.grow(count, text, factor);
      }
    }

    /** Sorts the rows by partition. Returns the ends of the partitions in the order. */
    private int[] sort(KeyRows from, int count) {
      int[] ends = new int[count + 1];
      int used = (int) from.used();
      if (order.length < used) {
        order = new int[used];
        ofRows = new int[used];
      }
      for (int row = 1; row < used; row++) {
        int part = partition(from.hash(row), count);
        ofRows[row] = part;
        ends[part + 1]++;
      }
      for (int part = 0; part < count; part++) {
        ends[part + 1] += ends[part];
      }
      for (int row = 1; row < used; row++) {
        order[ends[ofRows[row]]++] = row;
      }
      return ends;
    }

    @Override
    public void close() {
      rows.close();
    }
  }

  private static void closeAll(KeyRows[] partitions) {
    for (KeyRows part : partitions) {
      part.close();
    }
  }

  @Override
  public void close() {
    closeAll(partitions);
  }
}
