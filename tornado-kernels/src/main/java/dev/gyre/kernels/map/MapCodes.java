package dev.gyre.kernels.map;

/**
 * Constants of the device functions of maps: states, outcomes, policies, options and counters.
 *
 * @since 0.1.0
 */
public final class MapCodes {

  // States of a slot. New memory is EMPTY.
  public static final int EMPTY = 0;
  public static final int RESERVED = 1;
  public static final int FILLED = 2;

  /** The key is present, and a thread is changing its value; see {@link StateSlots}. */
  public static final int HELD = 3;

  /** The key was removed. */
  public static final int REMOVED = 4;

  // Outcomes, one byte per key.
  /** The mask excludes the key. */
  public static final byte SKIPPED = 0;

  /** The key was absent and has been inserted: exactly one of several equal keys in a batch. */
  public static final byte INSERTED = 1;

  /** The key was present. */
  public static final byte PRESENT = 2;

  /** The key is absent and does not fit. */
  public static final byte FULL = 3;

  /** The key was found. */
  public static final byte FOUND = 4;

  /** The key is absent. */
  public static final byte ABSENT = 5;

  /**
   * The key would have to wait for another thread, or waited too long. Nothing was done, and it may
   * or may not be in the table.
   */
  public static final byte STUCK = 6;

  /** The key was not tried, or its text did not fit in the arena. */
  public static final byte PENDING = 7;

  /** The key was present and has been removed: exactly one of several equal keys in a batch. */
  public static final byte REMOVED_KEY = 8;

  /** No outcome yet; never written. */
  public static final int SEARCHING = -1;

  // Policies: how an insert combines the value of a present key.
  /** Keeps the present value. */
  public static final int KEEP = 0;

  /** Writes the present value to the batch, in place of the new one. */
  public static final int FETCH = 1;

  public static final int ASSIGN = 2;

  /** Adds, with wrap-around. */
  public static final int ADD = 3;

  /** The smaller value, signed. */
  public static final int MIN = 4;

  /** The larger value, signed. */
  public static final int MAX = 5;

  public static final int AND = 6;
  public static final int OR = 7;
  public static final int XOR = 8;

  /** Combines both values by a {@link Fold}. */
  public static final int FOLD = 9;

  // Options, as a bit set.
  /** Tries only keys whose outcome is PENDING at the start. */
  public static final int MASKED = 1;

  /** Writes the outcome of each key that is tried. */
  public static final int OUTCOMES = 2;

  /** Claims at most as many slots as counter CAPACITY says. */
  public static final int BOUNDED = 4;

  /** Writes the value of each key that is found, and 0 for each that is absent. */
  public static final int VALUES = 8;

  /** No thread inserts or changes values at the same time: all reads are plain. */
  public static final int QUIESCENT = 16;

  /** Counts outcomes in stripes; see {@link #COUNTER_STRIPES}. */
  public static final int STRIPED = 32;

  /** Tries only keys whose outcome is STUCK: what an earlier launch could not finish. */
  public static final int AGAIN = 128;

  /** Removes each key that is found. */
  public static final int REMOVES = 256;

  // Counters: an array of longs. Element o counts outcome o.
  /**
   * With BOUNDED, number of slots that may still be claimed, minus slots that threads are claiming.
   */
  public static final int CAPACITY = 8;

  /** Number of retrieved entries. */
  public static final int RETRIEVED = 9;

  /** With BOUNDED, number of slots that may be claimed and are not yet; initially CAPACITY. */
  public static final int UNCLAIMED = 10;

  /** With BOUNDED, 1 after a thread saw that no slot may be claimed any more. */
  public static final int USED_UP = 11;

  /** In a partitioned insert, 1 if a partition has too many keys, and nothing was inserted. */
  public static final int CROWDED = 12;

  /** In a partitioned insert, number of keys that found no slot in their partition. */
  public static final int OVERFLOWED = 13;

  /** In an addition, 1 if some keys are so frequent that blocks add up their values first. */
  public static final int FREQUENT = 14;

  /** With BOUNDED, number of stripes of CAPACITY, a power of two; 0 means 1. */
  public static final int CAPACITY_STRIPES = 15;

  /** Length of the array of counters. */
  public static final int COUNTERS = 16;

  /**
   * With STRIPED, number of stripes of {@link #STRIPE_LONGS}, each with an element per outcome,
   * which reduces contention. Elements from CAPACITY on are in the first stripe, except CAPACITY
   * and UNCLAIMED; see {@link #CAPACITY_STRIPES}.
   */
  public static final int COUNTER_STRIPES = 64;

  /** Length of a stripe. */
  public static final int STRIPE_LONGS = 16;

  /** Length of the array of counters with STRIPED. */
  public static final int STRIPED_COUNTERS = COUNTER_STRIPES * STRIPE_LONGS;

  private MapCodes() {}

  /** Returns whether a slot of a state has a present key. */
  public static boolean isPresent(int state) {
    return (state & FILLED) != 0;
  }
}
