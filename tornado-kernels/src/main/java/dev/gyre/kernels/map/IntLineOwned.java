package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.IntLines.contentOf;
import static dev.gyre.kernels.map.IntLines.keyAt;
import static dev.gyre.kernels.map.IntLines.valueAt;
import static dev.gyre.kernels.map.IntLines.word;
import static dev.gyre.kernels.map.MapCodes.ABSENT;
import static dev.gyre.kernels.map.MapCodes.ASSIGN;
import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FETCH;
import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.KEEP;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;
import static dev.gyre.kernels.map.MapCodes.STUCK;
import static dev.gyre.kernels.map.MapCodes.VALUES;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Bulk operations on a table of {@link IntLines} by threads of the JVM that own the slots they work
 * on, as {@link LongOwned} does.
 *
 * <table>
 *   <caption>All accesses that race</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>store of a key's and of a value's word</td><td>plain, aligned, so at once</td>
 *       <td>loads of {@link IntLines} and {@link IntLineEntries}</td><td>each word is all there is to
 *       see. The value's may be seen before the key's, which readers expect: see the table of {@link
 *       IntLines} (IntLineWalk.BothSeen)</td></tr>
 * </table>
 */
public final class IntLineOwned {

  private final MemorySegment words;
  private final long slots;
  private final long seed;

  /** The table, as for {@link IntLines#insert}. */
  public IntLineOwned(DeviceLongs words, long slots, long seed) {
    this.words = words.memory().segment();
    this.slots = slots;
    this.seed = seed;
  }

  /**
   * Inserts a batch; arguments as in {@link IntLines#insert}.
   *
   * @param last the last slot that this thread owns, or -1 if it owns all; keys that would have to
   *     go on behind it are STUCK, which is written for each, asked for or not
   * @param options sum of MASKED and OUTCOMES
   */
  public void insert(
      long last,
      DeviceInts inKeys,
      DeviceInts inValues,
      Bytes outcomes,
      DeviceLongs counters,
      long from,
      long to,
      int policy,
      int options) {
    Told told = new Told(outcomes, from, to, options);
    MemorySegment keys = inKeys.memory().segment();
    MemorySegment values = inValues.memory().segment();
    for (long at = from; at < to; at += Told.LENGTH) {
      int count = (int) Math.min(Told.LENGTH, to - at);
      told.begin(at, count);
      int inserted = insertBlock(last, keys, values, at, count, told);
      for (int i = 0; policy != KEEP && i < count; i++) {
        if (told.codes[i] == PRESENT) {
          told.codes[i] = update(told.slots[i], values, (at + i) * Integer.BYTES, policy);
          told.stuck += told.codes[i] == STUCK ? 1 : 0;
        }
      }
      told.end(at, count, inserted);
    }
    told.addInserts(counters);
  }

  private int insertBlock(
      long last, MemorySegment keys, MemorySegment values, long at, int count, Told told) {
    byte[] codes = told.codes;
    long[] places = told.slots;
    int inserted = 0;
    MemorySegment table = words;
    for (int i = 0; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      int key = keys.get(ValueLayout.JAVA_INT, (at + i) * Integer.BYTES);
      long desired = word(key);
      long slot = Hashing.home(key, seed, slots);
      long seen = table.get(ValueLayout.JAVA_LONG_UNALIGNED, keyAt(slot) * Long.BYTES);
      while (seen != EMPTY && seen != desired && slot != last) {
        slot = slot + 1 == slots ? 0 : slot + 1;
        seen = table.get(ValueLayout.JAVA_LONG_UNALIGNED, keyAt(slot) * Long.BYTES);
      }
      byte code = PRESENT;
      if (seen == EMPTY) {
        int value = values.get(ValueLayout.JAVA_INT, (at + i) * Integer.BYTES);
        table.set(ValueLayout.JAVA_LONG, keyAt(slot) * Long.BYTES, desired);
        table.set(ValueLayout.JAVA_LONG, valueAt(slot) * Long.BYTES, word(value));
        code = INSERTED;
        inserted++;
      } else if (seen != desired) {
        code = STUCK;
        told.stuck++;
      }
      places[i] = slot;
      codes[i] = code;
    }
    return inserted;
  }

  /** Does what a policy says with a value; returns STUCK if that is not there. */
  private byte update(long slot, MemorySegment values, long at, int policy) {
    long place = valueAt(slot) * Long.BYTES;
    long before = words.get(ValueLayout.JAVA_LONG, place);
    int operand = values.get(ValueLayout.JAVA_INT, at);
    int value = contentOf(before);
    if (before != EMPTY && policy == FETCH) {
      values.set(ValueLayout.JAVA_INT, at, value);
    } else if (before != EMPTY) {
      int after = policy == ASSIGN ? operand : PackedSlots.applied(value, operand, policy);
      words.set(ValueLayout.JAVA_LONG, place, word(after));
    }
    return before == EMPTY ? STUCK : PRESENT;
  }

  /**
   * Looks up a batch where nobody updates; arguments as in {@link IntLines#find}.
   *
   * @param options sum of MASKED, OUTCOMES and VALUES
   */
  public void find(
      DeviceInts inKeys,
      DeviceInts outValues,
      Bytes outcomes,
      DeviceLongs counters,
      long from,
      long to,
      int options) {
    Told told = new Told(outcomes, from, to, options);
    boolean fetches = (options & VALUES) != 0;
    MemorySegment keys = inKeys.memory().segment();
    MemorySegment values = outValues.memory().segment();
    for (long at = from; at < to; at += Told.LENGTH) {
      int count = (int) Math.min(Told.LENGTH, to - at);
      told.begin(at, count);
      told.end(at, count, findBlock(keys, values, at, count, told, fetches));
    }
    told.addFinds(counters);
  }

  private int findBlock(
      MemorySegment keys, MemorySegment values, long at, int count, Told told, boolean fetches) {
    byte[] codes = told.codes;
    int found = 0;
    MemorySegment table = words;
    for (int i = 0; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      int key = keys.get(ValueLayout.JAVA_INT, (at + i) * Integer.BYTES);
      long desired = word(key);
      long slot = Hashing.home(key, seed, slots);
      long seen = table.get(ValueLayout.JAVA_LONG_UNALIGNED, keyAt(slot) * Long.BYTES);
      while (seen != EMPTY && seen != desired) {
        slot = slot + 1 == slots ? 0 : slot + 1;
        seen = table.get(ValueLayout.JAVA_LONG_UNALIGNED, keyAt(slot) * Long.BYTES);
      }
      // The value's word of an EMPTY slot is 0, as is the value of a key that is absent.
      long value = table.get(ValueLayout.JAVA_LONG_UNALIGNED, valueAt(slot) * Long.BYTES);
      if (fetches) {
        values.set(ValueLayout.JAVA_INT, (at + i) * Integer.BYTES, contentOf(value));
      }
      found += value == EMPTY ? 0 : 1;
      byte code = value == EMPTY ? ABSENT : FOUND;
      if (seen != EMPTY && value == EMPTY) {
        code = STUCK;
        told.stuck++;
      }
      codes[i] = code;
    }
    return found;
  }
}
