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

import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.IntSlots;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.NumberSlots;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Set;

/**
 * {@link NumberSlots} that are owned. Others may read the slots meanwhile: a slot goes from EMPTY
 * to FILLED at once, after its key and value, and after the slots that were taken before it. Slots
 * are published some at a time, apart from the searches.
 *
 * <table>
 *   <caption>All accesses that race</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>key and value of a slot that is EMPTY, store</td><td>plain, before its state</td>
 *       <td>loads where the slot is FILLED</td><td>as in {@link
 *       dev.gyre.kernels.map.StateSlots} (MapPublication.OwnedTest)</td></tr>
 *   <tr><td>state, store</td><td>plain, after a release fence and those of all keys before
 *       it</td><td>load of a state, acquire</td><td>it could be seen before key and value, or
 *       before the state of a slot that its key passed: a search by states would end there, at what
 *       still looks EMPTY, though another one has found the key</td></tr>
 *   <tr><td>copyEntries: states, load; fence</td><td>plain; acquire</td><td>publish</td><td>key
 *       and value could be those of the slot when it was EMPTY</td></tr>
 *   <tr><td>copyEntries: value of a slot that is FILLED, load</td><td>plain, aligned, so at
 *       once</td><td>stores of a value</td><td>any that its key has then will do</td></tr>
 *   <tr><td>value of a slot that is FILLED, store</td><td>plain, aligned, so at once</td>
 *       <td>loads of a value, relaxed</td><td>nobody else stores values; it orders nothing</td></tr>
 * </table>
 *
 * <p>A key other than 0 says that its slot is taken, since keys of EMPTY slots are 0; so most slots
 * are told by their key alone. What nobody has published, which only a thread that died could leave
 * behind, is STUCK.
 */
final class OwnedStates implements OwnedSlots {

  /**
   * Whether one fence is enough for the states of many slots, since others see stores in their
   * order. After a fence for each the compiler checks the memories again.
   */
  private static final boolean STORES_IN_ORDER =
      Set.of("amd64", "x86_64").contains(System.getProperty("os.arch"));

  private final NumberSlots table;
  private final long slots;
  private final MemorySegment states;
  private final MemorySegment keys;
  private final MemorySegment values;

  /** Whether keys are ints, not longs. */
  private final boolean ints;

  // The state of a slot, its key and its value are behind so many bytes: the slot, shifted.
  private final int stateShift;
  private final int shift;

  private final OwnedHash hash;

  OwnedStates(NumberSlots table) {
    this.table = table;
    this.slots = table.slots();
    this.states = table.states().memory().segment();
    this.stateShift = Long.numberOfTrailingZeros(table.stateAt(1) * Integer.BYTES);
    switch (table) {
      case LongSlots longs -> {
        this.ints = false;
        this.keys = longs.keys().memory().segment().asSlice(longs.keyAt(0) * Long.BYTES);
        this.values = longs.values().memory().segment().asSlice(longs.valueAt(0) * Long.BYTES);
        long stride = (longs.keyAt(1) - longs.keyAt(0)) * Long.BYTES;
        this.shift = Long.numberOfTrailingZeros(stride);
        this.hash = new OwnedHash(longs.hash(), longs.seed(), slots, false);
      }
      case IntSlots ofInts -> {
        this.ints = true;
        this.keys = ofInts.keys().memory().segment();
        this.values = ofInts.values().memory().segment();
        this.shift = 2;
        this.hash = new OwnedHash(ofInts.hash(), ofInts.seed(), slots, true);
      }
      default -> throw new IllegalArgumentException("not slots of numbers: " + table);
    }
  }

  private long key(MemorySegment keys, long slot) {
    return get(keys, slot << shift);
  }

  private long value(MemorySegment values, long slot) {
    return get(values, slot << shift);
  }

  private long get(MemorySegment numbers, long at) {
    return ints
        ? numbers.get(ValueLayout.JAVA_INT_UNALIGNED, at)
        : numbers.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
  }

  private void set(MemorySegment numbers, long at, long number) {
    if (ints) {
      numbers.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) number);
    } else {
      numbers.set(ValueLayout.JAVA_LONG_UNALIGNED, at, number);
    }
  }

  private int state(long slot) {
    return states.get(ValueLayout.JAVA_INT_UNALIGNED, slot << stateShift);
  }

  private boolean isFilled(long slot, long seen) {
    return seen != 0 || state(slot) == FILLED;
  }

  private boolean isEmpty(long slot, long seen) {
    return seen == 0 && state(slot) == EMPTY;
  }

  /** Both loops in one method, as in {@link #find}. */
  @Override
  public int insert(long last, int count, Told told) {
    byte[] codes = told.codes;
    long[] places = told.slots;
    long[] given = told.keys;
    long[] content = told.values;
    int givenAt = told.keysAt;
    int contentAt = told.valuesAt;
    MemorySegment present = keys;
    long length = slots;
    hash.findHomes(given, givenAt, count, places);
    int untold = told.each ? 0 : count;
    int inserted = 0;
    int published = 0;
    int slow = 0;
    for (int i = 0; i < untold; i++) {
      long key = given[givenAt + i];
      long slot = places[i];
      long seen = key(present, slot);
      while (seen != key && seen != 0 && slot != last) {
        slot = slot + 1 == length ? 0 : slot + 1;
        seen = key(present, slot);
      }
      if (seen == 0 && key != 0 && state(slot) == EMPTY) {
        set(present, slot << shift, key);
        set(values, slot << shift, content[contentAt + i]);
        places[inserted++] = slot;
      } else if (seen != key || key == 0) {
        publish(places, published, inserted);
        published = inserted;
        slow += insertSlowly(i, slot, last, told);
      }
    }
    if (untold > 0) {
      publish(places, published, inserted);
      return inserted + slow;
    }
    for (int i = 0; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      long key = given[givenAt + i];
      long slot = places[i];
      long seen = key(present, slot);
      while (seen != key && slot != last && isFilled(slot, seen)) {
        slot = slot + 1 == length ? 0 : slot + 1;
        seen = key(present, slot);
      }
      byte code = PRESENT;
      if (isEmpty(slot, seen)) {
        if (key == 0) {
          // Which is published with its write.
          publish(told, i);
        }
        write(slot, key, content[contentAt + i]);
        code = INSERTED;
        inserted++;
      } else if (seen != key || !isFilled(slot, seen)) {
        code = STUCK;
        told.stuck++;
      }
      places[i] = slot;
      codes[i] = code;
    }
    publish(told, count);
    return inserted;
  }

  private void publish(long[] places, int from, int to) {
    // release: see the table above
    VarHandle.releaseFence();
    for (int i = from; i < to; i++) {
      fill(places[i]);
    }
  }

  private void publish(long slot) {
    // release: see the table above
    VarHandle.releaseFence();
    fill(slot);
  }

  /** After a release fence, and the slots that were taken before it. */
  private void fill(long slot) {
    if (!STORES_IN_ORDER) {
      // release: see the table above
      VarHandle.releaseFence();
    }
    states.set(ValueLayout.JAVA_INT_UNALIGNED, slot << stateShift, FILLED);
  }

  /**
   * Inserts a key by the states of slots, not by keys alone: where one of them is 0. Returns 1 if
   * it was INSERTED, else 0.
   */
  private int insertSlowly(int i, long from, long last, Told told) {
    long key = told.keys[told.keysAt + i];
    long slot = from;
    long seen = key(keys, slot);
    while (seen != key && slot != last && isFilled(slot, seen)) {
      slot = slot + 1 == slots ? 0 : slot + 1;
      seen = key(keys, slot);
    }
    boolean inserted = isEmpty(slot, seen);
    if (inserted) {
      write(slot, key, told.values[told.valuesAt + i]);
      publish(slot);
    } else if (seen != key || !isFilled(slot, seen)) {
      told.codes[i] = STUCK;
      told.stuck++;
    }
    return inserted ? 1 : 0;
  }

  private void write(long slot, long key, long value) {
    set(keys, slot << shift, key);
    set(values, slot << shift, value);
    if (key == 0) {
      // Its slot looks as before, so that following keys of this block need its state.
      publish(slot);
    }
  }

  private void publish(Told told, int count) {
    byte[] codes = told.codes;
    long[] places = told.slots;
    // release: see the table above
    VarHandle.releaseFence();
    for (int i = 0; i < count; i++) {
      if (codes[i] == INSERTED) {
        fill(places[i]);
      }
    }
  }

  /** Sums of ints wrap around where they are written. */
  @Override
  public void update(int count, Change change, Told told) {
    long[] values = told.values;
    int valuesAt = told.valuesAt;
    boolean fetches = change.policy() == FETCH;
    for (int i = 0; i < count; i++) {
      if (told.codes[i] == PRESENT) {
        long slot = told.slots[i];
        if (fetches) {
          values[valuesAt + i] = table.plainValue(slot);
        } else {
          long operand = values[valuesAt + i];
          table.setValue(slot, change.applied(table.plainValue(slot), operand));
        }
      }
    }
  }

  /**
   * Two loops, of which the first does without outcomes.
   *
   * <p>Both are in one method, so that it is longer than those that HotSpot puts into their
   * callers: at the end of a chain of calls it would have no levels left to put what the loops call
   * into them (OwnedLoopsTest).
   */
  @Override
  public int find(int count, Told told, boolean fetches) {
    long[] homes = told.slots;
    long[] sought = told.keys;
    long[] fetched = told.values;
    int soughtAt = told.keysAt;
    int fetchedAt = told.valuesAt;
    MemorySegment present = keys;
    // Where nobody asks for values, what is near.
    MemorySegment content = fetches ? values : keys;
    long length = slots;
    hash.findHomes(sought, soughtAt, count, homes);
    byte[] codes = told.codes;
    int untold = told.each ? 0 : count;
    int found = 0;
    for (int i = 0; i < untold; i++) {
      long key = sought[soughtAt + i];
      long slot = homes[i];
      long seen = key(present, slot);
      while (seen != key && seen != 0) {
        slot = slot + 1 == length ? 0 : slot + 1;
        seen = key(present, slot);
      }
      long value = 0;
      if (seen == 0 && state(slot) != EMPTY) {
        slot = findSlowly(i, slot, told);
        seen = slot < 0 ? 0 : 1;
      }
      if (seen != 0) {
        found++;
        value = value(content, slot);
      }
      fetched[fetchedAt + i] = value;
    }
    for (int i = untold; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      long key = sought[soughtAt + i];
      long slot = homes[i];
      long seen = key(present, slot);
      while (seen != key && isFilled(slot, seen)) {
        slot = slot + 1 == length ? 0 : slot + 1;
        seen = key(present, slot);
      }
      boolean there = isFilled(slot, seen);
      fetched[fetchedAt + i] = there && fetches ? value(content, slot) : 0;
      found += there ? 1 : 0;
      codes[i] = there ? FOUND : ABSENT;
      if (!there && state(slot) != EMPTY) {
        codes[i] = STUCK;
        told.stuck++;
      }
    }
    return found;
  }

  /** Without branches, whose ways nobody could foresee. */
  @Override
  public int copyEntries(
      long from, long to, long[] toKeys, int keysAt, long[] toValues, int valuesAt) {
    int slots = (int) (to - from);
    int[] places = new int[slots];
    int count = 0;
    for (int i = 0; i < slots; i++) {
      places[count] = i;
      int other = state(from + i) ^ FILLED;
      count += 1 + ((other | -other) >> 31);
    }
    // acquire: keys and values are seen of slots whose state says so
    VarHandle.acquireFence();
    MemorySegment present = keys;
    MemorySegment content = values;
    for (int i = 0; i < count; i++) {
      toKeys[keysAt + i] = key(present, from + places[i]);
    }
    for (int i = 0; i < count; i++) {
      toValues[valuesAt + i] = value(content, from + places[i]);
    }
    return count;
  }

  /**
   * Looks up a key by the states of slots, as {@link #insertSlowly} does. Returns where it is, or
   * -1.
   */
  private long findSlowly(int i, long from, Told told) {
    long key = told.keys[told.keysAt + i];
    long slot = from;
    long seen = key(keys, slot);
    while (seen != key && isFilled(slot, seen)) {
      slot = slot + 1 == slots ? 0 : slot + 1;
      seen = key(keys, slot);
    }
    boolean found = isFilled(slot, seen);
    if (!found && state(slot) != EMPTY) {
      told.codes[i] = STUCK;
      told.stuck++;
    }
    return found ? slot : -1;
  }
}
