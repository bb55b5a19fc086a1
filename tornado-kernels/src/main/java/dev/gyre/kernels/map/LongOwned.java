package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.ABSENT;
import static dev.gyre.kernels.map.MapCodes.ADD;
import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FETCH;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.KEEP;
import static dev.gyre.kernels.map.MapCodes.MAX;
import static dev.gyre.kernels.map.MapCodes.MIN;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;
import static dev.gyre.kernels.map.MapCodes.STUCK;
import static dev.gyre.kernels.map.MapCodes.VALUES;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Bulk operations on a table of {@link LongSlots} by threads of the JVM that own the slots they
 * work on: nobody else writes them, so nothing is claimed.
 *
 * <p>Others may read the slots meanwhile, as {@link LongSlots} says: a slot goes from EMPTY to
 * FILLED at once, after its key and value. Slots are published some at a time, behind one fence,
 * since a fence for each would have the compiler check the memories again after each.
 *
 * <table>
 *   <caption>All accesses that race</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>key and value of a slot that is EMPTY, store</td><td>plain, before the fence</td>
 *       <td>loads where the slot is FILLED</td><td>as in {@link LongSlots} (MapPublication.OwnedTest)
 *       </td></tr>
 *   <tr><td>fence</td><td>release</td><td>load of a state, acquire</td><td>the state could be seen
 *       before key and value</td></tr>
 *   <tr><td>state, store</td><td>plain, after the fence</td><td>load of a state, acquire</td>
 *       <td>-</td></tr>
 *   <tr><td>value of a slot that is FILLED, store</td><td>plain, aligned, so at once</td>
 *       <td>loads of a value, relaxed</td><td>nobody else stores values; it orders nothing</td></tr>
 * </table>
 *
 * <p>A key other than 0 says that its slot is taken, since keys of EMPTY slots are 0; so most slots
 * are told by their key alone. What nobody has published, which only a thread that died could leave
 * behind, is STUCK. Every table has an EMPTY slot, where all searches end that come to no other
 * end.
 */
public final class LongOwned {

  private final MemorySegment states;
  private final MemorySegment keys;
  private final MemorySegment values;
  private final int stateShift;
  private final int shift;
  private final long keyOffset;
  private final long valueOffset;
  private final long slots;
  private final long seed;

  /** The table, as for {@link LongSlots#insert}. */
  public LongOwned(
      int layout, DeviceInts states, DeviceLongs keys, DeviceLongs values, long slots, long seed) {
    this.states = states.memory().segment();
    this.keys = keys.memory().segment();
    this.values = values.memory().segment();
    this.stateShift = shift(LongSlots.stateAt(layout, 1), Integer.BYTES);
    this.shift = shift(LongSlots.keyAt(layout, 1) - LongSlots.keyAt(layout, 0), Long.BYTES);
    this.keyOffset = LongSlots.keyAt(layout, 0) * Long.BYTES;
    this.valueOffset = LongSlots.valueAt(layout, 0) * Long.BYTES;
    this.slots = slots;
    this.seed = seed;
  }

  private static int shift(long elements, int bytes) {
    return Long.numberOfTrailingZeros(elements * bytes);
  }

  /**
   * Inserts a batch; arguments as in {@link LongSlots#insert}.
   *
   * @param last the last slot that this thread owns, or -1 if it owns all; keys that would have to
   *     go on behind it are STUCK, which is written for each, asked for or not
   * @param options sum of MASKED and OUTCOMES
   */
  public void insert(
      long last,
      DeviceLongs inKeys,
      DeviceLongs inValues,
      Bytes outcomes,
      DeviceLongs counters,
      long from,
      long to,
      int policy,
      int options) {
    Told told = new Told(outcomes, from, to, options);
    MemorySegment keySegment = inKeys.memory().segment();
    MemorySegment valueSegment = inValues.memory().segment();
    for (long at = from; at < to; at += Told.LENGTH) {
      int count = (int) Math.min(Told.LENGTH, to - at);
      told.begin(at, count);
      int inserted = insertBlock(last, keySegment, valueSegment, at, count, told);
      publish(count, told);
      if (policy != KEEP) {
        update(valueSegment, at, count, policy, told);
      }
      told.end(at, count, inserted);
    }
    told.addInserts(counters);
  }

  private int insertBlock(
      long last, MemorySegment inKeys, MemorySegment inValues, long at, int count, Told told) {
    byte[] codes = told.codes;
    var places = told.slots;
    int inserted = 0;
    MemorySegment tableKeys = keys;
    MemorySegment tableValues = values;
    for (int i = 0; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      long key = inKeys.get(ValueLayout.JAVA_LONG_UNALIGNED, (at + i) * Long.BYTES);
      long slot = Hashing.home(key, seed, slots);
      long seen = tableKeys.get(ValueLayout.JAVA_LONG_UNALIGNED, (slot << shift) + keyOffset);
      while (seen != key && slot != last && (seen != 0 || state(slot) == FILLED)) {
        slot = slot + 1 == slots ? 0 : slot + 1;
        seen = tableKeys.get(ValueLayout.JAVA_LONG_UNALIGNED, (slot << shift) + keyOffset);
      }
      int state = seen == 0 ? state(slot) : FILLED;
      byte code = PRESENT;
      if (state == EMPTY) {
        long value = inValues.get(ValueLayout.JAVA_LONG_UNALIGNED, (at + i) * Long.BYTES);
        tableKeys.set(ValueLayout.JAVA_LONG_UNALIGNED, (slot << shift) + keyOffset, key);
        tableValues.set(ValueLayout.JAVA_LONG_UNALIGNED, (slot << shift) + valueOffset, value);
        code = INSERTED;
        inserted++;
      } else if (seen != key || state != FILLED) {
        code = STUCK;
        told.stuck++;
      }
      if (key == 0 && state == EMPTY) {
        // Its slot looks as before, so that following keys of this block need its state.
        VarHandle.releaseFence();
        states.set(ValueLayout.JAVA_INT, slot << stateShift, FILLED);
      }
      places[i] = slot;
      codes[i] = code;
    }
    return inserted;
  }

  private int state(long slot) {
    return states.get(ValueLayout.JAVA_INT, slot << stateShift);
  }

  private void publish(int count, Told told) {
    byte[] codes = told.codes;
    var places = told.slots;
    MemorySegment tableStates = states;
    // release: keys and values are seen by who loads the states, with acquire
    VarHandle.releaseFence();
    for (int i = 0; i < count; i++) {
      if (codes[i] == INSERTED) {
        tableStates.set(ValueLayout.JAVA_INT, places[i] << stateShift, FILLED);
      }
    }
  }

  private void update(MemorySegment inValues, long at, int count, int policy, Told told) {
    MemorySegment tableValues = values;
    for (int i = 0; i < count; i++) {
      if (told.codes[i] == PRESENT) {
        long in = (at + i) * Long.BYTES;
        long place = (told.slots[i] << shift) + valueOffset;
        long operand = inValues.get(ValueLayout.JAVA_LONG_UNALIGNED, in);
        long value = tableValues.get(ValueLayout.JAVA_LONG_UNALIGNED, place);
        if (policy == FETCH) {
          inValues.set(ValueLayout.JAVA_LONG_UNALIGNED, in, value);
        } else {
          long newValue =
              switch (policy) {
                case ADD -> value + operand;
                case MIN -> Math.min(value, operand);
                case MAX -> Math.max(value, operand);
                default -> operand;
              };
          tableValues.set(ValueLayout.JAVA_LONG_UNALIGNED, place, newValue);
        }
      }
    }
  }

  /**
   * Looks up a batch where nobody updates; arguments as in {@link LongSlots#find}.
   *
   * @param options sum of MASKED, OUTCOMES and VALUES
   */
  public void find(
      DeviceLongs inKeys,
      DeviceLongs outValues,
      Bytes outcomes,
      DeviceLongs counters,
      long from,
      long to,
      int options) {
    Told told = new Told(outcomes, from, to, options);
    boolean fetches = (options & VALUES) != 0;
    MemorySegment keySegment = inKeys.memory().segment();
    MemorySegment valueSegment = outValues.memory().segment();
    for (long at = from; at < to; at += Told.LENGTH) {
      int count = (int) Math.min(Told.LENGTH, to - at);
      told.begin(at, count);
      told.end(at, count, findBlock(keySegment, valueSegment, at, count, told, fetches));
    }
    told.addFinds(counters);
  }

  private int findBlock(
      MemorySegment inKeys,
      MemorySegment outValues,
      long at,
      int count,
      Told told,
      boolean fetches) {
    byte[] codes = told.codes;
    int found = 0;
    MemorySegment tableKeys = keys;
    MemorySegment tableValues = values;
    for (int i = 0; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      long key = inKeys.get(ValueLayout.JAVA_LONG_UNALIGNED, (at + i) * Long.BYTES);
      long slot = Hashing.home(key, seed, slots);
      long seen = tableKeys.get(ValueLayout.JAVA_LONG_UNALIGNED, (slot << shift) + keyOffset);
      while (seen != key && (seen != 0 || state(slot) == FILLED)) {
        slot = slot + 1 == slots ? 0 : slot + 1;
        seen = tableKeys.get(ValueLayout.JAVA_LONG_UNALIGNED, (slot << shift) + keyOffset);
      }
      int state = seen == 0 ? state(slot) : FILLED;
      long value = 0;
      if (fetches && state == FILLED) {
        value = tableValues.get(ValueLayout.JAVA_LONG_UNALIGNED, (slot << shift) + valueOffset);
      }
      if (fetches) {
        outValues.set(ValueLayout.JAVA_LONG_UNALIGNED, (at + i) * Long.BYTES, value);
      }
      found += state == FILLED ? 1 : 0;
      byte code = state == FILLED ? FOUND : ABSENT;
      if (state != FILLED && state != EMPTY) {
        code = STUCK;
        told.stuck++;
      }
      codes[i] = code;
    }
    return found;
  }
}
