package dev.gyre.kernels.map.owned;

import static dev.gyre.kernels.map.MapCodes.ABSENT;
import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FETCH;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.Hold;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.DamagedTableException;
import dev.gyre.kernels.map.NumberSlots;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * {@link NumberSlots} that a thread owns, while other threads may read them.
 *
 * <p><b>Protocol.</b> A slot goes from EMPTY to FILLED directly, after its key and value, and after
 * the slots that were filled before it.
 *
 * <table>
 *   <caption>Racing accesses</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>key and value of an EMPTY slot, store</td><td>plain, before its state</td>
 *       <td>loads if the slot is FILLED</td><td>as in {@link dev.gyre.kernels.map.StateSlots} (MapPublication.OwnedTest)</td></tr>
 *   <tr><td>state, store</td><td>release</td><td>load of a state, acquire</td><td>it could be visible before key and value, or before the state of a slot that
 *       its key passed: a search by states would end there, although another search has found the key</td></tr>
 *   <tr><td>copyEntries: states, load; fence</td><td>plain; acquire</td><td>store of a state</td><td>key and value could be old contents of the EMPTY slot</td></tr>
 *   <tr><td>copyEntries: value of a FILLED slot, load</td><td>plain, aligned and therefore atomic</td><td>stores of a value</td>
 *       <td>any value that its key has during the call is valid</td></tr>
 *   <tr><td>value of a FILLED slot, store</td><td>plain, aligned and therefore atomic</td>
 *       <td>loads of a value, relaxed</td><td>no other thread stores values; it orders nothing</td></tr>
 * </table>
 *
 * <p><b>Invariant.</b> A key other than 0 implies that its slot is taken, because keys of EMPTY
 * slots are 0. So most slots are recognised by their key alone. A slot that was claimed and never
 * published, by a thread that died, is STUCK.
 */
final class OwnedStates implements OwnedSlots {

  /** A place without content. */
  private static final long NOWHERE = -1;

  private final MemorySegment states;
  private final MemorySegment keys;
  private final MemorySegment values;

  /** Whether keys are ints, not longs. */
  private final boolean ints;

  // Distance of slots, as powers of two: in bytes of states, and of keys and values.
  private final int stateShift;
  private final int shift;

  // Offsets of the first key and the first value in their segments.
  private final long firstKey;
  private final long firstValue;

  // Place of the first key; a slot is identified by the place of its key (Hold.first).
  private final long first;
  private final long end;

  /** Difference between a shifted place and the place of the state. */
  private final long said;

  /** Difference between the places of value and key. */
  private final long apart;

  private final OwnedHash hash;

  OwnedStates(NumberSlots table) {
    Shape shape = Shape.of(table);
    long slots = table.slots();
    ints = !OwnedSlots.areLongs(table);
    hash = new OwnedHash(shape.hash(), shape.seed(), slots, ints);
    states = shape.states().segment();
    keys = shape.keys().segment();
    values = shape.values().segment();
    stateShift = shape.stateShift();
    shift = shape.shift();
    firstKey = shape.firstKey();
    firstValue = shape.firstValue();
    first = Hold.first(keys, slots, shift) + firstKey;
    end = first + (slots << shift);
    // The place of the first key is a multiple of its size, so that the shift loses no bits.
    said = Hold.first(states, slots, stateShift) - (first >> (shift - stateShift));
    apart = Hold.first(values, slots, shift) + firstValue - first;
  }

  private static long get(MemorySegment numbers, long at, boolean narrow) {
    return narrow ? Hold.getInt(numbers, at) : Hold.getLong(numbers, at);
  }

  private static void set(MemorySegment numbers, long at, long number, boolean narrow) {
    if (narrow) {
      Hold.setInt(numbers, at, (int) number);
    } else {
      Hold.setLong(numbers, at, number);
    }
  }

  private int state(long place) {
    return Hold.getInt(states, said + (place >> (shift - stateShift)));
  }

  /**
   * Returns the next place of a search that began at a given one.
   *
   * @throws DamagedTableException if all slots were passed
   */
  private long after(long place, long from) {
    long next = place + (1L << shift);
    next = next >= end ? first : next;
    if (next == from) {
      throw new DamagedTableException();
    }
    return next;
  }

  private boolean isFilled(long place, long seen) {
    return seen != 0 || state(place) == FILLED;
  }

  private boolean isEmpty(long place, long seen) {
    return seen == 0 && state(place) == EMPTY;
  }

  private void findPlaces(Told told, int count) {
    hash.findHomes(told.keys, count, told.places);
    OwnedHash.toPlaces(told.places, count, first, shift);
  }

  /** Both loops in one method; see {@link #find}. */
  @Override
  public int insert(long last, int count, Told told) {
    long[] places = told.places;
    long[] given = told.keys;
    long[] content = told.values;
    int contentAt = told.valuesAt;
    MemorySegment present = keys;
    boolean narrow = ints;
    MemorySegment valued = values;
    MemorySegment stated = states;
    long toState = said;
    int toStateShift = shift - stateShift;
    long toValue = apart;
    long begin = first;
    long behind = end;
    long step = 1L << shift;
    long lastPlace = last < 0 ? NOWHERE : begin + (last << shift);
    findPlaces(told, count);
    int untold = told.each ? 0 : count;
    int turned = OwnedSlots.NONE;
    int inserted = 0;
    for (int i = 0; i < untold; i++) {
      long key = given[i];
      long place = places[i];
      long seen = get(present, place, narrow);
      while (seen != key && seen != 0 && place != lastPlace) {
        place += step;
        if (place >= behind) {
          turned = OwnedSlots.turn(turned, i);
          place = begin;
        }
        seen = get(present, place, narrow);
      }
      long statePlace = toState + (place >> toStateShift);
      if (seen == 0 && key != 0 && Hold.getInt(stated, statePlace) == EMPTY) {
        set(present, place, key, narrow);
        set(valued, place + toValue, content[contentAt + i], narrow);
        // release: see the table above
        Hold.setIntRelease(stated, statePlace, FILLED);
        inserted++;
      } else if (seen != key || key == 0) {
        inserted += insertSlowly(i, place, lastPlace, told);
      }
    }
    byte[] codes = told.codes;
    for (int i = untold; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      long key = given[i];
      long place = places[i];
      long seen = get(present, place, narrow);
      while (seen != key && place != lastPlace && isFilled(place, seen)) {
        place += step;
        if (place >= behind) {
          turned = OwnedSlots.turn(turned, i);
          place = begin;
        }
        seen = get(present, place, narrow);
      }
      byte code = PRESENT;
      if (isEmpty(place, seen)) {
        write(place, key, content[contentAt + i]);
        code = INSERTED;
        inserted++;
      } else if (seen != key || !isFilled(place, seen)) {
        code = STUCK;
        told.stuck++;
      }
      places[i] = place;
      codes[i] = code;
    }
    return inserted;
  }

  /**
   * Inserts a key by the states of slots, because the key of one of them is 0. Returns 1 if it was
   * INSERTED, otherwise 0.
   */
  private int insertSlowly(int i, long from, long lastPlace, Told told) {
    long key = told.keys[i];
    long place = from;
    long seen = get(keys, place, ints);
    while (seen != key && place != lastPlace && isFilled(place, seen)) {
      place = after(place, from);
      seen = get(keys, place, ints);
    }
    boolean inserted = isEmpty(place, seen);
    if (inserted) {
      write(place, key, told.values[told.valuesAt + i]);
    } else if (seen != key || !isFilled(place, seen)) {
      told.codes[i] = STUCK;
      told.stuck++;
    }
    return inserted ? 1 : 0;
  }

  private void write(long place, long key, long value) {
    set(keys, place, key, ints);
    set(values, place + apart, value, ints);
    // release: see the table above
    Hold.setIntRelease(states, said + (place >> (shift - stateShift)), FILLED);
  }

  /** Changes values. Sums of ints wrap around when they are written. */
  @Override
  public void update(int count, Change change, Told told) {
    long[] given = told.values;
    int givenAt = told.valuesAt;
    boolean fetches = change.policy() == FETCH;
    for (int i = 0; i < count; i++) {
      if (told.codes[i] == PRESENT) {
        long place = told.places[i] + apart;
        long before = get(values, place, ints);
        if (fetches) {
          given[givenAt + i] = before;
        } else {
          set(values, place, change.applied(before, given[givenAt + i]), ints);
        }
      }
    }
  }

  /**
   * Looks up keys by two loops, the first of which is for calls without outcomes.
   *
   * <p>Both are in one method, which is then too long for HotSpot to inline into its callers. At
   * the end of a chain of calls, no inlining levels would be left for what the loops call
   * (OwnedLoopsTest).
   */
  @Override
  public int find(int count, Told told, boolean fetches) {
    long[] homes = told.places;
    long[] sought = told.keys;
    long[] fetched = told.values;
    int fetchedAt = told.valuesAt;
    MemorySegment present = keys;
    boolean narrow = ints;
    // Without values, read memory that is near.
    MemorySegment valued = fetches ? values : keys;
    long toValue = fetches ? apart : 0;
    long begin = first;
    long behind = end;
    long step = 1L << shift;
    findPlaces(told, count);
    byte[] codes = told.codes;
    int untold = told.each ? 0 : count;
    int turned = OwnedSlots.NONE;
    int found = 0;
    for (int i = 0; i < untold; i++) {
      long key = sought[i];
      long place = homes[i];
      long seen = get(present, place, narrow);
      while (seen != key && seen != 0) {
        place += step;
        if (place >= behind) {
          turned = OwnedSlots.turn(turned, i);
          place = begin;
        }
        seen = get(present, place, narrow);
      }
      long value = 0;
      if (seen == 0 && state(place) != EMPTY) {
        place = findSlowly(i, place, told);
        seen = place < 0 ? 0 : 1;
      }
      if (seen != 0) {
        found++;
        value = get(valued, place + toValue, narrow);
      }
      fetched[fetchedAt + i] = value;
    }
    for (int i = untold; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      long key = sought[i];
      long place = homes[i];
      long seen = get(present, place, narrow);
      while (seen != key && isFilled(place, seen)) {
        place += step;
        if (place >= behind) {
          turned = OwnedSlots.turn(turned, i);
          place = begin;
        }
        seen = get(present, place, narrow);
      }
      boolean there = isFilled(place, seen);
      fetched[fetchedAt + i] = there && fetches ? get(valued, place + toValue, narrow) : 0;
      found += there ? 1 : 0;
      codes[i] = there ? FOUND : ABSENT;
      if (!there && state(place) != EMPTY) {
        codes[i] = STUCK;
        told.stuck++;
      }
    }
    return found;
  }

  /** Copies entries without branches, which would be mispredicted. */
  @Override
  public int copyEntries(
      long from, long to, long[] toKeys, int keysAt, long[] toValues, int valuesAt) {
    int slots = (int) (to - from);
    int[] places = new int[slots];
    int count = 0;
    for (int i = 0; i < slots; i++) {
      places[count] = i;
      int other = states.get(ValueLayout.JAVA_INT_UNALIGNED, (from + i) << stateShift) ^ FILLED;
      count += 1 + ((other | -other) >> 31);
    }
    // acquire: keys and values of FILLED slots are visible
    VarHandle.acquireFence();
    MemorySegment present = keys.asSlice(firstKey);
    MemorySegment content = values.asSlice(firstValue);
    for (int i = 0; i < count; i++) {
      toKeys[keysAt + i] = checked(present, (from + places[i]) << shift);
    }
    for (int i = 0; i < count; i++) {
      toValues[valuesAt + i] = checked(content, (from + places[i]) << shift);
    }
    return count;
  }

  /** Reads a number of a table that may be freed meanwhile. */
  private long checked(MemorySegment numbers, long at) {
    return ints
        ? numbers.get(ValueLayout.JAVA_INT_UNALIGNED, at)
        : numbers.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
  }

  /**
   * Looks up a key by the states of slots, as {@link #insertSlowly} does. Returns its place, or -1.
   */
  private long findSlowly(int i, long from, Told told) {
    long key = told.keys[i];
    long place = from;
    long seen = get(keys, place, ints);
    while (seen != key && isFilled(place, seen)) {
      place = after(place, from);
      seen = get(keys, place, ints);
    }
    boolean found = isFilled(place, seen);
    if (!found && state(place) != EMPTY) {
      told.codes[i] = STUCK;
      told.stuck++;
    }
    return found ? place : NOWHERE;
  }
}
