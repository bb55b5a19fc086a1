package dev.gyre.structures.group;

import dev.gyre.structures.group.KeyMap.Staged;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Private table of keys with aggregates, which one thread uses at a time. It is in heap arrays, so
 * that a frequent key needs neither an atomic operation nor a lock.
 *
 * <p>A row is a header with the key, followed by the state of the aggregates. Row 0 belongs to the
 * null key. Slots of a hash table with linear probing refer to rows by their first word.
 *
 * <p>If keys hardly repeat, searching for them is a waste. Then rows are appended without a search
 * for a while, and keys may be in several rows.
 */
abstract class Partial {

  /**
   * Hash of keys with random multipliers, so that no attacker can choose keys that collide: folded
   * products as in wyhash (Wang Yi). All tables of the same groups share it.
   */
  record Seed(long first, long second) {

    static Seed next() {
      ThreadLocalRandom random = ThreadLocalRandom.current();
      return new Seed(random.nextLong() | 1, random.nextLong() | 1);
    }

    long hash(long key) {
      return fold(fold(key ^ first, second), first);
    }

    /** Returns the hash of a text of up to two words. */
    long hash(long word, long next, int length) {
      return more(length, word, next);
    }

    /** Returns the hash of a text that goes on with two words. */
    long more(long hash, long word, long next) {
      return fold(fold(word ^ first, next ^ second) ^ hash, first);
    }

    private static long fold(long a, long b) {
      return (a * b) ^ Math.unsignedMultiplyHigh(a, b);
    }
  }

  private static final int FIRST_ROWS = 1 << 11;

  /** Largest number of rows. */
  private static final int MAX_ROWS = 1 << 17;

  /** Rows are appended without a search if fewer input rows than this share a row on average. */
  private static final double MIN_REPEATS = 1.5;

  /** How many times the table fills up without searches before they are tried again. */
  private static final int FLUSHES_WITHOUT_SEARCH = 16;

  private static final int MAX_WORDS = 1 << 22;

  /** Greatest factor of growth: each growth searches slots for all rows again. */
  private static final int GROWTH = 8;

  final StateRow states;
  final int header;
  final int stride;

  long[] rows;
  int[] slots;

  /** First word after the used rows. */
  int used;

  private boolean hasNull;
  private int withoutSearch;
  private long added;
  private final int maxRows;

  Partial(StateRow states, int header) {
    this.states = states;
    this.header = header;
    this.stride = header + states.words();
    this.maxRows =
        Math.max(FIRST_ROWS, Math.min(MAX_ROWS, Integer.highestOneBit(MAX_WORDS / stride)));
    this.rows = new long[FIRST_ROWS * stride];
    this.slots = new int[2 * FIRST_ROWS];
    int _ = newRow();
  }

  /** Makes capacity for a number of rows; returns false if the table must be emptied for that. */
  final boolean reserve(int count) {
    while ((long) used + (long) count * stride > rows.length) {
      int factor = Math.min(GROWTH, maxRows / (rows.length / stride));
      if (factor <= 1) {
        return false;
      }
      rows = Arrays.copyOf(rows, factor * rows.length);
      slots = new int[factor * slots.length];
      for (int row = stride; row < used; row += stride) {
        int slot = (int) hash(row) & (slots.length - 1);
        while (slots[slot] != 0) {
          slot = (slot + 1) & (slots.length - 1);
        }
        slots[slot] = row;
      }
    }
    return hasCapacity();
  }

  /** Returns whether keys may be added that are not in rows. */
  boolean hasCapacity() {
    return true;
  }

  /**
   * Finds or adds the rows of some keys, for which there is capacity.
   *
   * @param at gets the first word of the state of each key
   */
  final void locate(KeyBlock keys, int[] at) {
    added += keys.count;
    if (withoutSearch > 0) {
      append(keys, at);
    } else {
      search(keys, at);
      locateNulls(keys, at);
    }
  }

  /** Adds rows, also for keys that are in rows. */
  final void append(KeyBlock keys, int[] at) {
    appendKeys(keys, at);
    locateNulls(keys, at);
  }

  private void locateNulls(KeyBlock keys, int[] at) {
    for (int i = 0; keys.hasNulls && i < keys.count; i++) {
      if (keys.nulls[i]) {
        hasNull = true;
        at[i] = header;
      }
    }
  }

  /** Finds or adds rows of keys that are not null. */
  abstract void search(KeyBlock keys, int[] at);

  /** Adds rows of keys that are not null. */
  abstract void appendKeys(KeyBlock keys, int[] at);

  /** Returns the hash of a row. */
  abstract long hash(int row);

  /** Adds a row without its key; returns its first word. */
  final int newRow() {
    int row = used;
    used += stride;
    Arrays.fill(rows, row + header, used, 0);
    return row;
  }

  /** Returns the number of rows, with that of the null key. */
  final int count() {
    return used / stride;
  }

  final boolean hasNull() {
    return hasNull;
  }

  /** Copies the key of a row. */
  abstract void stage(int row, Staged keys);

  /** Removes all keys, and decides whether the next ones are searched for. */
  final void clear() {
    int groups = count() - 1;
    if (withoutSearch > 0) {
      withoutSearch--;
    } else if (groups > maxRows / 2 && added < MIN_REPEATS * groups) {
      withoutSearch = FLUSHES_WITHOUT_SEARCH;
    }
    added = 0;
    Arrays.fill(slots, 0);
    hasNull = false;
    used = 0;
    int _ = newRow();
    clearTexts();
  }

  void clearTexts() {}
}
