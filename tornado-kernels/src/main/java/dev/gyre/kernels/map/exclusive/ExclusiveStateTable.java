package dev.gyre.kernels.map.exclusive;

import static dev.gyre.kernels.map.MapCodes.ABSENT;
import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FETCH;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.AddressPin;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.DamagedTableException;
import dev.gyre.kernels.map.MapCodes;
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
 *       <td>loads if the slot is FILLED</td><td>as in {@link dev.gyre.kernels.map.StateSlots} (MapPublication.ExclusiveTest)</td></tr>
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
 * slots are 0. So most slots are recognised by their key alone. If keys can be removed, a slot with
 * the sought key may be REMOVED: then the states are read. A slot that was claimed and never
 * published, by a thread that died, is STUCK.
 */
final class ExclusiveStateTable implements ExclusiveTable {

  /** A place without content. */
  private static final long NOWHERE = -1;

  private final MemorySegment states;
  private final MemorySegment keys;
  private final MemorySegment values;

  private final Shape shape;
  private final boolean intKeys;
  private final boolean intValues;

  /** Distance of keys in bytes, as a power of two. */
  private final int shift;

  // Place of the first key; a slot is identified by the place of its key (AddressPin.first).
  private final long first;
  private final long end;

  // Right shift of a place, and difference to the place of the state.
  private final int toState;
  private final long stateOffset;

  // Left rotation of a place, and difference to the place of the value.
  private final int toValue;
  private final long valueOffset;

  private final BlockHash hash;
  private final boolean removable;

  ExclusiveStateTable(NumberSlots table) {
    shape = Shape.of(table);
    long slots = table.slots();
    hash = new BlockHash(table);
    removable = table.isRemovable();
    states = shape.states().segment();
    keys = shape.keys().segment();
    values = shape.values().segment();
    intKeys = shape.keys().ints();
    intValues = shape.values().ints();
    shift = shape.keys().shift();
    first = shape.keys().place(slots);
    end = first + (slots << shift);
    // The place of the first key is a multiple of its size, so that neither shift loses bits.
    toState = shift - shape.states().shift();
    stateOffset = shape.states().place(slots) - (first >> toState);
    toValue = shape.values().shift() - shift;
    valueOffset = shape.values().place(slots) - Long.rotateLeft(first, toValue);
  }

  private long valueOf(long place) {
    return Long.rotateLeft(place, toValue) + valueOffset;
  }

  private static long get(MemorySegment numbers, long at, boolean narrow) {
    return narrow ? AddressPin.getInt(numbers, at) : AddressPin.getLong(numbers, at);
  }

  private static void set(MemorySegment numbers, long at, long number, boolean narrow) {
    if (narrow) {
      AddressPin.setInt(numbers, at, (int) number);
    } else {
      AddressPin.setLong(numbers, at, number);
    }
  }

  private int state(long place) {
    return AddressPin.getInt(states, stateOffset + (place >> toState));
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
    return seen != 0 || state(place) >= FILLED;
  }

  private boolean isRemoved(long place) {
    return removable && state(place) == MapCodes.REMOVED;
  }

  /** Returns whether a search for a key passes a slot. */
  private boolean passes(long place, long seen, long key) {
    return seen == key ? isRemoved(place) : isFilled(place, seen);
  }

  /** Returns whether a search for a key, which ended at a slot, has found it. */
  private boolean isAt(long place, long seen, long key) {
    return seen == key && isFilled(place, seen) && !isRemoved(place);
  }

  private boolean isEmpty(long place, long seen) {
    return seen == 0 && state(place) == EMPTY;
  }

  private void findPlaces(ResultBlock block, int count) {
    hash.findHomes(block.keys, count, block.places);
    BlockHash.toPlaces(block.places, count, first, shift);
  }

  /** Both loops in one method; see {@link #find}. */
  @Override
  public int insert(long last, int count, ResultBlock block) {
    long[] places = block.places;
    long[] given = block.keys;
    long[] content = block.values;
    int contentAt = block.valuesAt;
    MemorySegment present = keys;
    boolean narrow = intKeys;
    boolean narrowValues = intValues;
    MemorySegment valued = values;
    MemorySegment stated = states;
    int stateTurn = toState;
    long stateOf = stateOffset;
    int valueTurn = toValue;
    long valueOf = valueOffset;
    long begin = first;
    long behind = end;
    long step = 1L << shift;
    long lastPlace = last < 0 ? NOWHERE : begin + (last << shift);
    findPlaces(block, count);
    int withoutOutcomes = block.each ? 0 : count;
    int wrapped = ExclusiveTable.NONE;
    int inserted = 0;
    for (int i = 0; i < withoutOutcomes; i++) {
      long key = given[i];
      long place = places[i];
      long seen = get(present, place, narrow);
      while (seen != key && seen != 0 && place != lastPlace) {
        place += step;
        if (place >= behind) {
          wrapped = ExclusiveTable.wrap(wrapped, i);
          place = begin;
        }
        seen = get(present, place, narrow);
      }
      long statePlace = stateOf + (place >> stateTurn);
      if (seen == 0 && key != 0 && AddressPin.getInt(stated, statePlace) == EMPTY) {
        set(present, place, key, narrow);
        set(
            valued,
            Long.rotateLeft(place, valueTurn) + valueOf,
            content[contentAt + i],
            narrowValues);
        // release: see the table above
        AddressPin.setIntRelease(stated, statePlace, FILLED);
        inserted++;
      } else if (seen != key || key == 0 || isRemoved(place)) {
        inserted += insertSlowly(i, place, lastPlace, block);
      }
    }
    byte[] codes = block.codes;
    for (int i = withoutOutcomes; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      long key = given[i];
      long place = places[i];
      long seen = get(present, place, narrow);
      while (place != lastPlace && passes(place, seen, key)) {
        place += step;
        if (place >= behind) {
          wrapped = ExclusiveTable.wrap(wrapped, i);
          place = begin;
        }
        seen = get(present, place, narrow);
      }
      byte code = PRESENT;
      if (isEmpty(place, seen)) {
        write(place, key, content[contentAt + i]);
        code = INSERTED;
        inserted++;
      } else if (!isAt(place, seen, key)) {
        code = STUCK;
        block.stuck++;
      }
      places[i] = place;
      codes[i] = code;
    }
    return inserted;
  }

  /**
   * Inserts a key by the states of slots, because one of them has the key 0 or is REMOVED. Returns
   * 1 if it was INSERTED, otherwise 0.
   */
  private int insertSlowly(int i, long from, long lastPlace, ResultBlock block) {
    long key = block.keys[i];
    long place = from;
    long seen = get(keys, place, intKeys);
    while (place != lastPlace && passes(place, seen, key)) {
      place = after(place, from);
      seen = get(keys, place, intKeys);
    }
    boolean inserted = isEmpty(place, seen);
    if (inserted) {
      write(place, key, block.values[block.valuesAt + i]);
    } else if (!isAt(place, seen, key)) {
      block.codes[i] = STUCK;
      block.stuck++;
    }
    return inserted ? 1 : 0;
  }

  private void write(long place, long key, long value) {
    set(keys, place, key, intKeys);
    set(values, valueOf(place), value, intValues);
    // release: see the table above
    AddressPin.setIntRelease(states, stateOffset + (place >> toState), FILLED);
  }

  /** Changes values. Sums of ints wrap around when they are written. */
  @Override
  public void update(int count, Change change, ResultBlock block) {
    long[] given = block.values;
    int givenAt = block.valuesAt;
    boolean fetches = change.policy() == FETCH;
    for (int i = 0; i < count; i++) {
      if (block.codes[i] == PRESENT) {
        long place = valueOf(block.places[i]);
        long before = get(values, place, intValues);
        if (fetches) {
          given[givenAt + i] = before;
        } else {
          set(values, place, change.applied(before, given[givenAt + i]), intValues);
        }
      }
    }
  }

  /**
   * Looks up keys by two loops, the first of which is for calls without outcomes.
   *
   * <p>Both are in one method, which is then too long for HotSpot to inline into its callers. At
   * the end of a chain of calls, no inlining levels would be left for what the loops call
   * (ExclusiveLoopsTest).
   */
  @Override
  public int find(int count, ResultBlock block, boolean fetches) {
    long[] homes = block.places;
    long[] sought = block.keys;
    long[] fetched = block.values;
    int fetchedAt = block.valuesAt;
    MemorySegment present = keys;
    boolean narrow = intKeys;
    // Without values, read memory that is near.
    MemorySegment valued = fetches ? values : keys;
    boolean narrowValues = fetches ? intValues : narrow;
    int valueTurn = fetches ? toValue : 0;
    long valueOf = fetches ? valueOffset : 0;
    long begin = first;
    long behind = end;
    long step = 1L << shift;
    findPlaces(block, count);
    byte[] codes = block.codes;
    int withoutOutcomes = block.each ? 0 : count;
    int wrapped = ExclusiveTable.NONE;
    int found = 0;
    for (int i = 0; i < withoutOutcomes; i++) {
      long key = sought[i];
      long place = homes[i];
      long seen = get(present, place, narrow);
      while (seen != key && seen != 0) {
        place += step;
        if (place >= behind) {
          wrapped = ExclusiveTable.wrap(wrapped, i);
          place = begin;
        }
        seen = get(present, place, narrow);
      }
      long value = 0;
      if (seen == 0 ? state(place) != EMPTY : isRemoved(place)) {
        place = findSlowly(i, place, block);
        seen = place < 0 ? 0 : 1;
      }
      if (seen != 0) {
        found++;
        value = get(valued, Long.rotateLeft(place, valueTurn) + valueOf, narrowValues);
      }
      fetched[fetchedAt + i] = value;
    }
    for (int i = withoutOutcomes; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      long key = sought[i];
      long place = homes[i];
      long seen = get(present, place, narrow);
      while (passes(place, seen, key)) {
        place += step;
        if (place >= behind) {
          wrapped = ExclusiveTable.wrap(wrapped, i);
          place = begin;
        }
        seen = get(present, place, narrow);
      }
      boolean there = isFilled(place, seen);
      fetched[fetchedAt + i] = there && fetches ? get(valued, valueOf(place), narrowValues) : 0;
      found += there ? 1 : 0;
      codes[i] = there ? FOUND : ABSENT;
      if (!there && state(place) != EMPTY) {
        codes[i] = STUCK;
        block.stuck++;
      }
    }
    return found;
  }

  /**
   * Reads entries: first their places, without branches, which would be mispredicted. So the keys
   * and values of other slots are not read.
   */
  @Override
  public int read(long from, long to, ResultBlock block) {
    long[] places = block.places;
    int slots = (int) (to - from);
    long place = first + (from << shift);
    int count = 0;
    for (int i = 0; i < slots; i++) {
      places[count] = place;
      // 0 for FILLED and HELD.
      int other = (state(place) & ~1) ^ FILLED;
      count += 1 + ((other | -other) >> 31);
      place += 1L << shift;
    }
    for (int i = 0; i < count; i++) {
      block.keys[i] = get(keys, places[i], intKeys);
      block.values[i] = get(values, valueOf(places[i]), intValues);
    }
    return count;
  }

  /** Copies entries without branches, which would be mispredicted. */
  @Override
  public int copyEntries(
      long from, long to, long[] toKeys, int keysAt, long[] toValues, int valuesAt) {
    int slots = (int) (to - from);
    int[] places = new int[slots];
    int count = 0;
    int stateShift = shape.states().shift();
    for (int i = 0; i < slots; i++) {
      places[count] = i;
      int state = states.get(ValueLayout.JAVA_INT_UNALIGNED, (from + i) << stateShift);
      // 0 for FILLED and HELD.
      int other = (state & ~1) ^ FILLED;
      count += 1 + ((other | -other) >> 31);
    }
    // acquire: keys and values of FILLED slots are visible
    VarHandle.acquireFence();
    copy(shape.keys(), from, places, count, toKeys, keysAt);
    copy(shape.values(), from, places, count, toValues, valuesAt);
    return count;
  }

  /** Copies numbers of a table that may be freed meanwhile. */
  private static void copy(
      Shape.Array numbers, long from, int[] places, int count, long[] to, int at) {
    MemorySegment all = numbers.segment().asSlice(numbers.first());
    int distance = numbers.shift();
    boolean narrow = numbers.ints();
    for (int i = 0; i < count; i++) {
      long place = (from + places[i]) << distance;
      to[at + i] =
          narrow
              ? all.get(ValueLayout.JAVA_INT_UNALIGNED, place)
              : all.get(ValueLayout.JAVA_LONG_UNALIGNED, place);
    }
  }

  /**
   * Looks up a key by the states of slots, as {@link #insertSlowly} does. Returns its place, or -1.
   */
  private long findSlowly(int i, long from, ResultBlock block) {
    long key = block.keys[i];
    long place = from;
    long seen = get(keys, place, intKeys);
    while (passes(place, seen, key)) {
      place = after(place, from);
      seen = get(keys, place, intKeys);
    }
    boolean found = isFilled(place, seen);
    if (!found && state(place) != EMPTY) {
      block.codes[i] = STUCK;
      block.stuck++;
    }
    return found ? place : NOWHERE;
  }
}
