package dev.gyre.kernels.map;

/** The numbers that the map's device functions and their callers share. */
public final class MapCodes {

  // States of a slot. EMPTY is what new memory holds.
  public static final int EMPTY = 0;
  public static final int RESERVED = 1;
  public static final int FILLED = 2;

  // Outcomes, one byte per key.
  /** The mask says that the key is not to be looked at. */
  public static final byte SKIPPED = 0;

  /** The key was not in the table and is now: of equal keys in a batch exactly one has this. */
  public static final byte INSERTED = 1;

  /** The key was in the table already. */
  public static final byte PRESENT = 2;

  /** The key is not in the table, and there is no room for it. */
  public static final byte FULL = 3;

  /** The key was found. */
  public static final byte FOUND = 4;

  /** The key is not in the table. */
  public static final byte ABSENT = 5;

  /**
   * The key would have to wait for another thread, or waited too long: nothing was done, and
   * whether it is in the table is not known.
   */
  public static final byte STUCK = 6;

  /** The key has not been looked at, or there was no room for its text in the arena. */
  public static final byte PENDING = 7;

  /** No outcome yet; never written. */
  public static final int SEARCHING = -1;

  // What an insert does with the value of a key that is present.
  /** Nothing. */
  public static final int KEEP = 0;

  /** Writes it to the batch, in place of the one that was to be inserted. */
  public static final int FETCH = 1;

  public static final int ASSIGN = 2;

  /** Adds, wrapping around. */
  public static final int ADD = 3;

  /** Signed. */
  public static final int MIN = 4;

  /** Signed. */
  public static final int MAX = 5;

  public static final int AND = 6;
  public static final int OR = 7;
  public static final int XOR = 8;

  /** What a {@link Fold} of the user's makes of both. */
  public static final int FOLD = 9;

  // Options, to be added up.
  /** Looks only at keys whose outcome is PENDING at the start. */
  public static final int MASKED = 1;

  /** Writes the outcome of each key that is not left out. */
  public static final int OUTCOMES = 2;

  /** Claims only as many slots as counter ROOM says. */
  public static final int BOUNDED = 4;

  /** Writes the value of each key that is found, and 0 for one that is absent. */
  public static final int VALUES = 8;

  /** Nobody inserts or changes values at the same time: all reads are plain. */
  public static final int QUIESCENT = 16;

  /** Outcomes are counted in stripes; see {@link #COUNTER_STRIPES}. */
  public static final int STRIPED = 32;

  /** Looks only at keys whose outcome is STUCK: what an earlier launch could not finish. */
  public static final int AGAIN = 128;

  // Counters: an array of longs; outcome o is counted in element o.
  /** With BOUNDED, number of slots that may still be claimed, less those that threads are at. */
  public static final int ROOM = 8;

  /** Number of entries that were retrieved. */
  public static final int RETRIEVED = 9;

  /** With BOUNDED, number of slots that are not claimed yet of those that may be; at first ROOM. */
  public static final int UNCLAIMED = 10;

  /** With BOUNDED, 1 once it was seen that no slot may be claimed any more. */
  public static final int USED_UP = 11;

  /** Of a partitioned insert: 1 if a partition has too many keys, and nothing was inserted. */
  public static final int CROWDED = 12;

  /** Of a partitioned insert, number of keys that found no slot in their partition. */
  public static final int OVERFLOWED = 13;

  /** Of an addition: 1 if some keys are so frequent that blocks add up what they have for them. */
  public static final int FREQUENT = 14;

  /** With BOUNDED, number of stripes in which there is ROOM, a power of two; 0 is 1. */
  public static final int ROOM_STRIPES = 15;

  /** Length of the array of counters. */
  public static final int COUNTERS = 16;

  /**
   * With STRIPED, the array has so many stripes of {@link #STRIPE_LONGS}, each with an element per
   * outcome: threads that count in one element hold each other up. From ROOM on they are in the
   * first, but for ROOM and UNCLAIMED of {@link #ROOM_STRIPES}.
   */
  public static final int COUNTER_STRIPES = 64;

  /** Length of a stripe. */
  public static final int STRIPE_LONGS = 16;

  /** Length of the array of counters with STRIPED. */
  public static final int STRIPED_COUNTERS = COUNTER_STRIPES * STRIPE_LONGS;

  private MapCodes() {}
}
