package dev.gyre.kernels.map;

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
import static dev.gyre.kernels.map.PackedSlots.isReserved;
import static dev.gyre.kernels.map.PackedSlots.stored;
import static dev.gyre.kernels.map.PackedSlots.storedOf;
import static dev.gyre.kernels.map.PackedSlots.word;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Bulk operations on a table of {@link PackedSlots} by threads of the JVM that own the words they
 * work on, as {@link LongOwned} does. Others may read the words meanwhile: each is all there is to
 * see, and aligned, so that it is written at once (MapPublication.OwnedTest).
 */
public final class PackedOwned {

  private final MemorySegment words;
  private final long slots;
  private final long seed;

  /** The table, as for {@link PackedSlots#insert}. */
  public PackedOwned(DeviceLongs words, long slots, long seed) {
    this.words = words.memory().segment();
    this.slots = slots;
    this.seed = seed;
  }

  /**
   * Inserts a batch; arguments as in {@link PackedSlots#insert}.
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
          update(told.slots[i], values, (at + i) * Integer.BYTES, policy);
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
      int stored = stored(key);
      long slot = isReserved(key) ? slots : Hashing.home(key, seed, slots);
      long seen = table.get(ValueLayout.JAVA_LONG_UNALIGNED, slot * Long.BYTES);
      while (seen != EMPTY && storedOf(seen) != stored && slot != last) {
        slot = slot + 1 == slots ? 0 : slot + 1;
        seen = table.get(ValueLayout.JAVA_LONG_UNALIGNED, slot * Long.BYTES);
      }
      byte code = PRESENT;
      if (seen == EMPTY) {
        int value = values.get(ValueLayout.JAVA_INT, (at + i) * Integer.BYTES);
        table.set(ValueLayout.JAVA_LONG, slot * Long.BYTES, word(stored, value));
        code = INSERTED;
        inserted++;
      } else if (storedOf(seen) != stored) {
        code = STUCK;
        told.stuck++;
      }
      places[i] = slot;
      codes[i] = code;
    }
    return inserted;
  }

  private void update(long slot, MemorySegment values, long at, int policy) {
    long before = words.get(ValueLayout.JAVA_LONG, slot * Long.BYTES);
    int operand = values.get(ValueLayout.JAVA_INT, at);
    int value = PackedSlots.valueOf(before);
    if (policy == FETCH) {
      values.set(ValueLayout.JAVA_INT, at, value);
    } else {
      int after = policy == ASSIGN ? operand : PackedSlots.applied(value, operand, policy);
      words.set(ValueLayout.JAVA_LONG, slot * Long.BYTES, word(storedOf(before), after));
    }
  }

  /**
   * Looks up a batch where nobody updates; arguments as in {@link PackedSlots#find}.
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
      int stored = stored(key);
      long slot = isReserved(key) ? slots : Hashing.home(key, seed, slots);
      long word = table.get(ValueLayout.JAVA_LONG_UNALIGNED, slot * Long.BYTES);
      while (word != EMPTY && storedOf(word) != stored) {
        slot = slot + 1 == slots ? 0 : slot + 1;
        word = table.get(ValueLayout.JAVA_LONG_UNALIGNED, slot * Long.BYTES);
      }
      if (fetches) {
        // The lower half of an EMPTY word is the 0 of a key that is absent.
        values.set(ValueLayout.JAVA_INT, (at + i) * Integer.BYTES, PackedSlots.valueOf(word));
      }
      found += word == EMPTY ? 0 : 1;
      codes[i] = word == EMPTY ? ABSENT : FOUND;
    }
    return found;
  }
}
