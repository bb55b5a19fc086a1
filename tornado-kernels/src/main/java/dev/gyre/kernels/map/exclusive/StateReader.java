package dev.gyre.kernels.map.exclusive;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.RESERVED;

import dev.gyre.atomics.AddressPin;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberSlots;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link KeyReader} of {@link NumberSlots}, which have a state and a key. */
final class StateReader extends KeyReader implements KeyReader.Writer {
  private final long states;
  private final long keys;
  private final long values;

  // Distances of slots in bytes, as powers of two.
  private final int stateShift;
  private final int shift;
  private final int valueShift;

  private final boolean intKeys;
  private final boolean intValues;

  StateReader(Shape shape, List<AddressPin> pins) {
    super(shape, pins);
    states = pins.get(0).payload() + shape.states().first();
    keys = pins.get(1).payload() + shape.keys().first();
    values = pins.get(2).payload() + shape.values().first();
    stateShift = shape.states().shift();
    shift = shape.keys().shift();
    valueShift = shape.values().shift();
    intKeys = shape.keys().ints();
    intValues = shape.values().ints();
  }

  private long home(long key) {
    return ints ? homeOfInt((int) key) : homeOfLong(key);
  }

  /** Plain. */
  private long key(long slot) {
    return numberAt(keys + (slot << shift), intKeys);
  }

  private long valueAt(long slot) {
    return values + (slot << valueShift);
  }

  /** seq_cst. */
  @Override
  public long value(long slot) {
    return intValues
        ? AddressPin.getIntVolatile(valueAt(slot))
        : AddressPin.getLongVolatile(valueAt(slot));
  }

  @Override
  public long find(long key) {
    long home = home(key);
    long slot = home;
    long seen = key(slot);
    while (seen != key && seen != 0) {
      slot = slot + 1 == slots ? 0 : slot + 1;
      if (slot == home) {
        return ~home;
      }
      seen = key(slot);
    }
    // seq_cst: pairs with publish
    int state = state(slot);
    if (seen == 0 || state != FILLED) {
      slot = state == EMPTY ? ~slot : findOn(key, slot);
    }
    return slot;
  }

  @Override
  public boolean isEmpty(long slot) {
    return state(slot) == EMPTY;
  }

  /** Searches from a slot whose key is or was 0, is not published, or may be removed. */
  private long findOn(long key, long from) {
    long slot = from;
    // The first RESERVED slot.
    long begin = -1;
    // seq_cst: pairs with publish
    int state = state(slot);
    long left = slots;
    while (state != EMPTY && left > 0 && !(MapCodes.isPresent(state) && key(slot) == key)) {
      // RESERVED slots are skipped.
      begin = state == RESERVED && begin < 0 ? slot : begin;
      slot = slot + 1 == slots ? 0 : slot + 1;
      state = state(slot);
      left--;
    }
    boolean there = state != EMPTY && left > 0;
    return there ? slot : begin >= 0 ? ~begin : left > 0 ? ~slot : ~from;
  }

  /**
   * Looks up a block of keys. Both loops are in one method, which is then too long for HotSpot to
   * inline into its callers. At the end of a chain of calls, no inlining levels would be left for
   * what the loops call (ExclusiveLoopsTest). It uses addresses in place of slots, to need fewer
   * registers.
   */
  @Override
  int findBlock(long[] sought, int count, long[] homes, long @Nullable [] found, int at) {
    if (intKeys != intValues) {
      // Another distance for values would make the loops for equal ones slower.
      return super.findBlock(sought, count, homes, found, at);
    }
    boolean narrow = intKeys;
    long first = keys;
    long end = first + (slots << shift);
    long next = 1L << shift;
    int toState = shift - stateShift;
    // The address of the first key is a multiple of its size, so that the shift loses no bits.
    long stateOffset = states - (first >> toState);
    long content = values - first;
    BlockHash.toPlaces(homes, count, first, shift);
    int hits = 0;
    // Key whose search last continued at the first slot. A second time means that the search is
    // endless.
    int wrapped = ExclusiveTable.NONE;
    if (found == null) {
      for (int i = 0; i < count; i++) {
        long key = sought[i];
        long place = homes[i];
        long seen = numberAt(place, narrow);
        while (seen != key && seen != 0) {
          place += next;
          if (place == end) {
            if (wrapped == i) {
              return -1;
            }
            wrapped = i;
            place = first;
          }
          seen = numberAt(place, narrow);
        }
        int state = AddressPin.getInt(stateOffset + (place >> toState));
        if (seen != 0 && state == FILLED) {
          hits++;
        } else if (seen != 0 || state != EMPTY) {
          long slot = findSlowly(key);
          if (slot == UNSURE) {
            return -1;
          }
          hits += slot < 0 ? 0 : 1;
        }
      }
      return hits;
    }
    for (int i = 0; i < count; i++) {
      long key = sought[i];
      long place = homes[i];
      long seen = numberAt(place, narrow);
      while (seen != key && seen != 0) {
        place += next;
        if (place == end) {
          if (wrapped == i) {
            return -1;
          }
          wrapped = i;
          place = first;
        }
        seen = numberAt(place, narrow);
      }
      // seq_cst: pairs with publish; the value is visible if the slot is FILLED
      int state = AddressPin.getIntVolatile(stateOffset + (place >> toState));
      long value = 0;
      if (seen != 0 && state == FILLED) {
        value = numberAt(place + content, narrow);
        hits++;
      } else if (seen != 0 || state != EMPTY) {
        long slot = findSlowly(key);
        if (slot == UNSURE) {
          return -1;
        }
        value = slot < 0 ? 0 : value(slot);
        hits += slot < 0 ? 0 : 1;
      }
      found[at + i] = value;
    }
    return hits;
  }

  /** Plain. */
  void write(long slot, long key, long value) {
    setNumber(keys + (slot << shift), key, intKeys);
    setNumber(valueAt(slot), value, intValues);
  }

  /** Plain. */
  private static void setNumber(long address, long number, boolean narrow) {
    if (narrow) {
      AddressPin.setInt(address, (int) number);
    } else {
      AddressPin.setLong(address, number);
    }
  }

  /** seq_cst. */
  private int state(long slot) {
    return AddressPin.getIntVolatile(states + (slot << stateShift));
  }

  @Override
  public boolean insert(long slot, long key, long value) {
    // seq_cst: the slot is this thread's if no other thread was first
    boolean claimed = AddressPin.compareAndSet(states + (slot << stateShift), EMPTY, RESERVED);
    if (claimed) {
      write(slot, key, value);
      // release: publishes key and value
      VarHandle.releaseFence();
      AddressPin.setInt(states + (slot << stateShift), FILLED);
    }
    return claimed;
  }

  @Override
  public long update(long slot, long operand, int policy) {
    return switch (policy) {
      case MapCodes.KEEP, MapCodes.FETCH -> value(slot);
      case MapCodes.ASSIGN ->
          intValues
              ? AddressPin.getAndSet(valueAt(slot), (int) operand)
              : AddressPin.getAndSet(valueAt(slot), operand);
      case MapCodes.ADD ->
          intValues
              ? AddressPin.getAndAdd(valueAt(slot), (int) operand)
              : AddressPin.getAndAdd(valueAt(slot), operand);
      default -> apply(slot, operand, policy);
    };
  }

  /** Lock-free: a compare-and-exchange fails only if another one succeeded. */
  private long apply(long slot, long operand, int policy) {
    long before = value(slot);
    while (!compareAndSet(slot, before, Change.applied(before, operand, policy))) {
      before = value(slot);
    }
    return before;
  }

  private boolean compareAndSet(long slot, long expected, long value) {
    return intValues
        ? AddressPin.compareAndSet(valueAt(slot), (int) expected, (int) value)
        : AddressPin.compareAndSet(valueAt(slot), expected, value);
  }

  @Override
  public boolean exchange(long slot, long expected, long value, boolean removes) {
    long at = states + (slot << stateShift);
    // seq_cst: no other thread changes the slot until it is published again
    boolean same = false;
    if (AddressPin.compareAndSet(at, FILLED, MapCodes.HELD)) {
      same = value(slot) == expected;
      if (same && !removes) {
        setNumber(valueAt(slot), value, intValues);
      }
      // release: publishes the value
      VarHandle.releaseFence();
      AddressPin.setInt(at, same && removes ? MapCodes.REMOVED : FILLED);
    }
    return same;
  }
}
