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
abstract sealed class StateReader extends KeyReader implements KeyReader.Writer {
  private final long states;
  private final int stateShift;
  final int shift;
  final long keys;
  final long values;

  private StateReader(Shape shape, List<AddressPin> pins) {
    super(shape, pins);
    shift = shape.shift();
    states = pins.get(0).payload();
    stateShift = shape.stateShift();
    keys = pins.get(1).payload() + shape.firstKey();
    values = pins.get(2).payload() + shape.firstValue();
  }

  abstract long home(long key);

  /** Plain. */
  abstract long key(long slot);

  @Override
  public final long find(long key) {
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
  public final boolean isEmpty(long slot) {
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
  final int findBlock(long[] sought, int count, long[] homes, long @Nullable [] found, int at) {
    boolean narrow = ints;
    long first = keys;
    long end = first + (slots << shift);
    long next = 1L << shift;
    int valueOffset = shift - stateShift;
    // The address of the first key is a multiple of its size, so that the shift loses no bits.
    long stateOffset = states - (first >> valueOffset);
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
        int state = AddressPin.getInt(stateOffset + (place >> valueOffset));
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
      int state = AddressPin.getIntVolatile(stateOffset + (place >> valueOffset));
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
  abstract void write(long slot, long key, long value);

  /** Plain. */
  abstract void setValue(long slot, long value);

  /** Exchanges a value, seq_cst like all following methods; returns the old value. */
  abstract long exchange(long slot, long value);

  abstract long add(long slot, long operand);

  abstract boolean compareAndSet(long slot, long expected, long value);

  /** seq_cst. */
  private int state(long slot) {
    return AddressPin.getIntVolatile(states + (slot << stateShift));
  }

  @Override
  public final boolean insert(long slot, long key, long value) {
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
  public final long update(long slot, long operand, int policy) {
    return switch (policy) {
      case MapCodes.KEEP, MapCodes.FETCH -> value(slot);
      case MapCodes.ASSIGN -> exchange(slot, operand);
      case MapCodes.ADD -> add(slot, operand);
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

  @Override
  public final boolean exchange(long slot, long expected, long value, boolean removes) {
    long at = states + (slot << stateShift);
    // seq_cst: no other thread changes the slot until it is published again
    boolean same = false;
    if (AddressPin.compareAndSet(at, FILLED, MapCodes.HELD)) {
      same = value(slot) == expected;
      if (same && !removes) {
        setValue(slot, value);
      }
      // release: publishes the value
      VarHandle.releaseFence();
      AddressPin.setInt(at, same && removes ? MapCodes.REMOVED : FILLED);
    }
    return same;
  }

  static final class OfLongs extends StateReader {

    OfLongs(Shape shape, List<AddressPin> pins) {
      super(shape, pins);
    }

    @Override
    long home(long key) {
      return homeOfLong(key);
    }

    @Override
    long key(long slot) {
      return AddressPin.getLong(keys + (slot << shift));
    }

    @Override
    public long value(long slot) {
      return AddressPin.getLongVolatile(values + (slot << shift));
    }

    @Override
    void write(long slot, long key, long value) {
      AddressPin.setLong(keys + (slot << shift), key);
      setValue(slot, value);
    }

    @Override
    void setValue(long slot, long value) {
      AddressPin.setLong(values + (slot << shift), value);
    }

    @Override
    long exchange(long slot, long value) {
      return AddressPin.getAndSet(values + (slot << shift), value);
    }

    @Override
    long add(long slot, long operand) {
      return AddressPin.getAndAdd(values + (slot << shift), operand);
    }

    @Override
    boolean compareAndSet(long slot, long expected, long value) {
      return AddressPin.compareAndSet(values + (slot << shift), expected, value);
    }
  }

  static final class OfInts extends StateReader {

    OfInts(Shape shape, List<AddressPin> pins) {
      super(shape, pins);
    }

    @Override
    long home(long key) {
      return homeOfInt((int) key);
    }

    @Override
    long key(long slot) {
      return AddressPin.getInt(keys + slot * Integer.BYTES);
    }

    @Override
    public long value(long slot) {
      return AddressPin.getIntVolatile(values + slot * Integer.BYTES);
    }

    @Override
    void write(long slot, long key, long value) {
      AddressPin.setInt(keys + slot * Integer.BYTES, (int) key);
      setValue(slot, value);
    }

    @Override
    void setValue(long slot, long value) {
      AddressPin.setInt(values + slot * Integer.BYTES, (int) value);
    }

    @Override
    long exchange(long slot, long value) {
      return AddressPin.getAndSet(values + slot * Integer.BYTES, (int) value);
    }

    @Override
    long add(long slot, long operand) {
      return AddressPin.getAndAdd(values + slot * Integer.BYTES, (int) operand);
    }

    @Override
    boolean compareAndSet(long slot, long expected, long value) {
      return AddressPin.compareAndSet(values + slot * Integer.BYTES, (int) expected, (int) value);
    }
  }
}
