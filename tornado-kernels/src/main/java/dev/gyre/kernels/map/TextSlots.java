package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.ABSENT;
import static dev.gyre.kernels.map.MapCodes.AGAIN;
import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.FULL;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.KEEP;
import static dev.gyre.kernels.map.MapCodes.NO_ROOM;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.QUIESCENT;
import static dev.gyre.kernels.map.MapCodes.RESERVED;
import static dev.gyre.kernels.map.MapCodes.SEARCHING;
import static dev.gyre.kernels.map.MapCodes.STUCK;
import static dev.gyre.kernels.map.MapCodes.VALUES;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * The map from text to long: the protocol of {@link LongSlots}, with keys of any length in an
 * arena; see {@link TextLayout}.
 *
 * <p>Room for a key is taken from the arena before its slot is claimed, so that no slot stays
 * RESERVED for want of it. A thread that loses the claim keeps the room for its next key, and gives
 * back what it has left at the end, where nobody took room behind it. States and values are
 * accessed as in {@link LongSlots}; publish makes the key in the arena visible, too.
 *
 * <table>
 *   <caption>All other accesses that race; scope device</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>take room, by a fetch-add, and give it back, by a compare-and-exchange</td>
 *       <td>relaxed</td><td>each other</td><td>not atomic: one place for two keys. No more is
 *       needed since nothing is written to room before the claim of a slot, after which it is not
 *       given back: who takes room again has no store of another thread to come after. Were a key
 *       written first, giving back would have to be release and taking acquire
 *       (TextKeyRoom and its WrittenLateTwin)</td></tr>
 *   <tr><td>length, first word and mark in a slot, words of a key in the arena</td><td>plain</td>
 *       <td>publish of the state, and its load</td><td>written between claim and publish, read where
 *       the slot is FILLED (TextPublication.Key)</td></tr>
 * </table>
 *
 * <p>A key is looked at where its outcome is {@link #PENDING}, and stays so where there is no room
 * for it in the arena: the caller makes room and launches once more.
 */
public final class TextSlots {

  /** The key has not been looked at, or there was no room for it in the arena. */
  public static final byte PENDING = 7;

  /** Counter of the keys that stay PENDING. */
  public static final int PENDING_COUNT = MapCodes.COUNTERS;

  /** Length of the array of counters without STRIPED. */
  public static final int COUNTERS = PENDING_COUNT + 1;

  /** In place of a state: there is no room in the arena. */
  private static final int NO_TEXT = -4;

  private TextSlots() {}

  /**
   * Inserts a batch.
   *
   * @param states the table, as ints
   * @param table the same memory, as longs
   * @param bump number of words that were taken from the arena, in element 0
   * @param chunk words that a thread takes from the arena at once, at least
   * @param inWords the words of the batch's keys
   * @param inPlaces where each is
   * @param inValues the batch's values; with FETCH, also where the values present are written
   * @param outcomes per key
   * @param counters to which the outcomes are added up
   * @param policy what to do with the value of a key that is present
   * @param options sum of BOUNDED, AGAIN and STRIPED
   * @param pollLimit polls after which a wait for another thread gives up
   */
  public static void insert(
      int thread,
      int threads,
      DeviceInts states,
      DeviceLongs table,
      long slots,
      long seed,
      DeviceLongs arena,
      long arenaWords,
      DeviceLongs bump,
      long chunk,
      DeviceLongs inWords,
      DeviceLongs inPlaces,
      DeviceLongs inValues,
      Bytes outcomes,
      DeviceLongs counters,
      long from,
      long to,
      int policy,
      int options,
      long pollLimit) {
    int inserted = 0;
    int present = 0;
    int full = 0;
    int stuck = 0;
    int pending = 0;
    long roomAt = 0;
    long roomWords = 0;
    long roomEnd = 0;
    long multiplier = TextHash.multiplier(seed);
    for (long i = from + thread; i < to; i += threads) {
      int before = outcomes.get(i);
      boolean tried = tried(before, options);
      int outcome = tried ? SEARCHING : before;
      long place = inPlaces.get(i);
      long start = TextLayout.start(place);
      int length = TextLayout.length(place);
      long hash = TextHash.hash(inWords, start, length, seed, multiplier);
      long needed = TextLayout.room(length);
      long slot = TextLayout.home(hash, slots);
      long last = slot == 0 ? slots - 1 : slot - 1;
      while (outcome == SEARCHING) {
        long at = TextLayout.stateAt(slot);
        // acquire: pairs with publish; key and value are seen where the slot is FILLED
        int state = states.loadAcquire(at);
        boolean take = state == EMPTY && needed > roomWords;
        if (take) {
          long taken = needed > chunk ? needed : chunk;
          // relaxed: whose words they are; publish makes what is in them seen
          roomAt = bump.fetchAddRelaxed(0, taken);
          roomEnd = roomAt + taken;
          roomWords = (arenaWords < roomEnd ? arenaWords : roomEnd) - roomAt;
          state = roomWords < needed ? NO_TEXT : EMPTY;
        }
        if (state == NO_TEXT) {
          // relaxed: nothing was written there. What is not enough goes back at once: it may do for
          // the next key.
          bump.compareAndExchangeRelaxed(0, roomEnd, roomAt);
          roomEnd = roomAt;
          roomWords = 0;
        }
        if (state == EMPTY) {
          state = LongSlots.claim(states, at, counters, options, pollLimit);
        }
        if (state == RESERVED) {
          state = states.waitWhileEqualAcquire(at, RESERVED, pollLimit);
        }
        if (state == EMPTY) {
          table.set(TextLayout.valueAt(slot), inValues.get(i));
          publish(states, table, slot, length, hash, roomAt, inWords, start, arena, needed);
          roomAt += needed;
          roomWords -= needed;
        }
        boolean same = false;
        if (state == FILLED) {
          same = same(states, table, slot, length, hash, inWords, start, arena);
        }
        outcome = outcome(state, same, slot == last);
        long next = slot + 1 == slots ? 0 : slot + 1;
        slot = outcome == SEARCHING ? next : slot;
      }
      int change = tried && outcome == PRESENT ? policy : KEEP;
      LongSlots.update(table, TextLayout.valueAt(slot), inValues, i, change);
      outcomes.set(i, (byte) outcome);
      inserted += tried && outcome == INSERTED ? 1 : 0;
      present += tried && outcome == PRESENT ? 1 : 0;
      full += tried && outcome == FULL ? 1 : 0;
      stuck += tried && outcome == STUCK ? 1 : 0;
      pending += outcome == PENDING ? 1 : 0;
    }
    if (roomEnd > roomAt) {
      // relaxed: nothing was written there
      bump.compareAndExchangeRelaxed(0, roomEnd, roomAt);
    }
    Counting.add(counters, thread, INSERTED, inserted, options);
    Counting.add(counters, thread, PRESENT, present, options);
    Counting.add(counters, thread, FULL, full, options);
    Counting.add(counters, thread, STUCK, stuck, options);
    Counting.add(counters, thread, PENDING_COUNT, pending, options);
  }

  /** Whether a key of an outcome is to be looked at; two ifs in a row, for devices. */
  static boolean tried(int before, int options) {
    boolean tried = before == PENDING;
    if (before == STUCK) {
      tried = (options & AGAIN) != 0;
    }
    return tried;
  }

  /**
   * What has become of a key at a slot; SEARCHING if it has to go on to the next one.
   *
   * @param state FILLED, EMPTY if the key was written there, or why it could not be
   * @param last whether there is no other slot to go on to
   */
  static int outcome(int state, boolean same, boolean last) {
    int filled = same ? PRESENT : last ? FULL : SEARCHING;
    int refused = state == NO_ROOM ? FULL : state == NO_TEXT ? PENDING : STUCK;
    return state == FILLED ? filled : state == EMPTY ? INSERTED : refused;
  }

  /** Writes a key to a slot that is claimed, and to the arena, and publishes the slot. */
  static void publish(
      DeviceInts states,
      DeviceLongs table,
      long slot,
      int length,
      long hash,
      long roomAt,
      DeviceLongs inWords,
      long start,
      DeviceLongs arena,
      long needed) {
    states.set(TextLayout.lengthAt(slot), length);
    table.set(TextLayout.firstAt(slot), inWords.get(start));
    table.set(TextLayout.markAt(slot), TextLayout.mark(hash, needed > 0 ? roomAt : 0));
    for (long word = 0; word < needed; word++) {
      arena.set(roomAt + word, inWords.get(start + word));
    }
    // release: publishes the key, in slot and arena, and the value
    states.storeRelease(TextLayout.stateAt(slot), FILLED);
  }

  /** Whether the key of a FILLED slot is one of a batch. */
  static boolean same(
      DeviceInts states,
      DeviceLongs table,
      long slot,
      int length,
      long hash,
      DeviceLongs inWords,
      long start,
      DeviceLongs arena) {
    long mark = table.get(TextLayout.markAt(slot));
    int lengthThere = states.get(TextLayout.lengthAt(slot));
    long firstThere = table.get(TextLayout.firstAt(slot));
    long first = inWords.get(start);
    boolean same = TextLayout.hasHash(mark, hash) && lengthThere == length && firstThere == first;
    long at = TextLayout.arenaWord(mark);
    long end = same ? TextLayout.words(length) : 0;
    long word = 1;
    while (word < end) {
      same = arena.get(at + word) == inWords.get(start + word);
      word = same ? word + 1 : end;
    }
    return same;
  }

  /**
   * Looks up a batch.
   *
   * @param outValues where values go; used with VALUES only
   * @param options sum of VALUES, QUIESCENT, AGAIN and STRIPED
   */
  public static void find(
      int thread,
      int threads,
      DeviceInts states,
      DeviceLongs table,
      long slots,
      long seed,
      DeviceLongs arena,
      DeviceLongs inWords,
      DeviceLongs inPlaces,
      DeviceLongs outValues,
      Bytes outcomes,
      DeviceLongs counters,
      long from,
      long to,
      int options,
      long pollLimit) {
    int found = 0;
    int absent = 0;
    int stuck = 0;
    long multiplier = TextHash.multiplier(seed);
    for (long i = from + thread; i < to; i += threads) {
      int before = outcomes.get(i);
      boolean tried = tried(before, options);
      int outcome = tried ? SEARCHING : before;
      long place = inPlaces.get(i);
      long start = TextLayout.start(place);
      int length = TextLayout.length(place);
      long hash = TextHash.hash(inWords, start, length, seed, multiplier);
      long slot = TextLayout.home(hash, slots);
      long last = slot == 0 ? slots - 1 : slot - 1;
      while (outcome == SEARCHING) {
        int state = state(states, TextLayout.stateAt(slot), options, pollLimit);
        if (state == FILLED) {
          boolean same = same(states, table, slot, length, hash, inWords, start, arena);
          outcome = same ? FOUND : slot == last ? ABSENT : SEARCHING;
          long next = slot + 1 == slots ? 0 : slot + 1;
          slot = outcome == SEARCHING ? next : slot;
        } else {
          outcome = state == EMPTY ? ABSENT : STUCK;
        }
      }
      if ((options & VALUES) != 0 && tried) {
        outValues.set(
            i, outcome == FOUND ? LongSlots.value(table, TextLayout.valueAt(slot), options) : 0);
      }
      outcomes.set(i, (byte) outcome);
      found += tried && outcome == FOUND ? 1 : 0;
      absent += tried && outcome == ABSENT ? 1 : 0;
      stuck += tried && outcome == STUCK ? 1 : 0;
    }
    Counting.add(counters, thread, FOUND, found, options);
    Counting.add(counters, thread, ABSENT, absent, options);
    Counting.add(counters, thread, STUCK, stuck, options);
  }

  /** The state of a slot; RESERVED only where a wait gave up. */
  static int state(DeviceInts states, long at, int options, long pollLimit) {
    int state;
    if ((options & QUIESCENT) != 0) {
      state = states.get(at);
    } else {
      // acquire: pairs with publish
      state = states.waitWhileEqualAcquire(at, RESERVED, pollLimit);
    }
    return state;
  }

  /**
   * Moves the entries of the slots from {@code from} to {@code to - 1} to an empty table of another
   * size; keys stay where they are in the arena. Nobody may do anything else with either table.
   */
  public static void move(
      int thread,
      int threads,
      DeviceInts oldStates,
      DeviceLongs oldTable,
      DeviceInts states,
      DeviceLongs table,
      long slots,
      long seed,
      DeviceLongs arena,
      long from,
      long to) {
    long multiplier = TextHash.multiplier(seed);
    for (long old = from + thread; old < to; old += threads) {
      if (oldStates.get(TextLayout.stateAt(old)) == FILLED) {
        int length = oldStates.get(TextLayout.lengthAt(old));
        long first = oldTable.get(TextLayout.firstAt(old));
        long mark = oldTable.get(TextLayout.markAt(old));
        long hash = 0;
        if (length > TextLayout.INLINE_BYTES) {
          long start = TextLayout.arenaWord(mark);
          hash = TextHash.hash(arena, start, length, seed, multiplier);
        } else {
          hash = TextHash.hash(oldTable, TextLayout.firstAt(old), length, seed, multiplier);
        }
        long slot = TextLayout.home(hash, slots);
        long at = TextLayout.stateAt(slot);
        // relaxed: keys differ, so nobody reads what others write until the launch has ended
        int state = states.compareAndExchangeRelaxed(at, EMPTY, FILLED);
        while (state != EMPTY) {
          slot = slot + 1 == slots ? 0 : slot + 1;
          state = states.compareAndExchangeRelaxed(TextLayout.stateAt(slot), EMPTY, FILLED);
        }
        states.set(TextLayout.lengthAt(slot), length);
        table.set(TextLayout.firstAt(slot), first);
        table.set(TextLayout.markAt(slot), mark);
        table.set(TextLayout.valueAt(slot), oldTable.get(TextLayout.valueAt(old)));
      }
    }
  }

  /** {@link TextSlots#insert} with its arguments. */
  public record Insert(
      DeviceInts states,
      DeviceLongs table,
      long slots,
      long seed,
      DeviceLongs arena,
      long arenaWords,
      DeviceLongs bump,
      long chunk,
      DeviceLongs inWords,
      DeviceLongs inPlaces,
      DeviceLongs inValues,
      Bytes outcomes,
      DeviceLongs counters,
      long from,
      long to,
      int policy,
      int options,
      long pollLimit)
      implements Kernel {

    @Override
    public void run(int thread, LaunchShape shape) {
      insert(
          thread,
          shape.threads(),
          states,
          table,
          slots,
          seed,
          arena,
          arenaWords,
          bump,
          chunk,
          inWords,
          inPlaces,
          inValues,
          outcomes,
          counters,
          from,
          to,
          policy,
          options,
          pollLimit);
    }
  }

  /** {@link TextSlots#find} with its arguments. */
  public record Find(
      DeviceInts states,
      DeviceLongs table,
      long slots,
      long seed,
      DeviceLongs arena,
      DeviceLongs inWords,
      DeviceLongs inPlaces,
      DeviceLongs outValues,
      Bytes outcomes,
      DeviceLongs counters,
      long from,
      long to,
      int options,
      long pollLimit)
      implements Kernel {

    @Override
    public void run(int thread, LaunchShape shape) {
      find(
          thread,
          shape.threads(),
          states,
          table,
          slots,
          seed,
          arena,
          inWords,
          inPlaces,
          outValues,
          outcomes,
          counters,
          from,
          to,
          options,
          pollLimit);
    }
  }

  /** {@link TextSlots#move} with its arguments. */
  public record Move(
      DeviceInts oldStates,
      DeviceLongs oldTable,
      DeviceInts states,
      DeviceLongs table,
      long slots,
      long seed,
      DeviceLongs arena,
      long from,
      long to)
      implements Kernel {

    @Override
    public void run(int thread, LaunchShape shape) {
      move(
          thread,
          shape.threads(),
          oldStates,
          oldTable,
          states,
          table,
          slots,
          seed,
          arena,
          from,
          to);
    }
  }
}
