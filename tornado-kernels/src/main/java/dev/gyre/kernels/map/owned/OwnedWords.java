package dev.gyre.kernels.map.owned;

import static dev.gyre.kernels.map.MapCodes.ABSENT;
import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FETCH;
import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.IntLines;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.PackedSlots;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * {@link PackedSlots} or {@link IntLines} that are owned: of both, a word tells the key, in one of
 * its halves, and is 0 only where the slot is EMPTY.
 *
 * <p>The loops work on segments and ints. Through handles and {@link Numbers}, as those of {@link
 * OwnedStates} do, HotSpot compiles them with more instructions than a search has otherwise.
 *
 * <table>
 *   <caption>All accesses that race</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>store of a word</td><td>plain, aligned, so at once</td>
 *       <td>loads of {@link PackedSlots} and {@link IntLines}</td><td>each word is all there is to
 *       see (MapPublication.OwnedTest). Of a line, the value's may be seen before the key's, which
 *       readers expect: see the table of {@link IntLines} (IntLineWalk.BothSeen)</td></tr>
 * </table>
 */
final class OwnedWords implements OwnedSlots {

  private final MemorySegment words;
  private final MemorySegment keys;
  private final MemorySegment values;
  private final long slots;
  private final long seed;
  private final Hash hash;

  /** Whether it is {@link Hashing}'s. */
  private final boolean ours;

  /** Whether a slot is two words, the value in one of its own. */
  private final boolean lines;

  private final int shift;

  /** Where in a word the key begins. */
  private final int keyShift;

  OwnedWords(PackedSlots table, Batch batch) {
    this(table.words().memory().segment(), table.slots(), table.seed(), table.hash(), batch, false);
  }

  OwnedWords(IntLines table, Batch batch) {
    this(table.words().memory().segment(), table.slots(), table.seed(), table.hash(), batch, true);
  }

  private OwnedWords(
      MemorySegment words, long slots, long seed, Hash hash, Batch batch, boolean lines) {
    this.words = words;
    this.keys = ints(batch.keys());
    this.values = ints(batch.values());
    this.slots = slots;
    this.seed = seed;
    this.hash = hash;
    this.ours = hash instanceof Hashing.OfInts;
    this.lines = lines;
    this.shift = lines ? 4 : 3;
    this.keyShift = lines ? 32 : 0;
  }

  private static MemorySegment ints(Numbers numbers) {
    return ((Numbers.Ints) numbers).row().memory().segment();
  }

  private int stored(int key) {
    return lines ? key : PackedSlots.stored(key);
  }

  private long home(int key) {
    if (!lines && key == Integer.MIN_VALUE) {
      return slots;
    }
    // By itself: through the interface, loops are compiled with more instructions.
    return ours
        ? Hashing.home(key, seed, slots)
        : Hashing.homeOf((int) hash.hash(key, seed), slots);
  }

  @Override
  public int insert(long last, long at, int count, Told told) {
    byte[] codes = told.codes;
    long[] places = told.slots;
    int inserted = 0;
    MemorySegment table = words;
    int half = keyShift;
    for (int i = 0; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      int key = keys.get(ValueLayout.JAVA_INT, (at + i) * Integer.BYTES);
      int stored = stored(key);
      long slot = home(key);
      long seen = table.get(ValueLayout.JAVA_LONG_UNALIGNED, slot << shift);
      while (seen != EMPTY && (int) (seen >> half) != stored && slot != last) {
        slot = slot + 1 == slots ? 0 : slot + 1;
        seen = table.get(ValueLayout.JAVA_LONG_UNALIGNED, slot << shift);
      }
      byte code = PRESENT;
      if (seen == EMPTY) {
        int value = values.get(ValueLayout.JAVA_INT, (at + i) * Integer.BYTES);
        long first = lines ? IntLines.word(key) : PackedSlots.word(stored, value);
        table.set(ValueLayout.JAVA_LONG, slot << shift, first);
        if (lines) {
          table.set(ValueLayout.JAVA_LONG, (slot << shift) + Long.BYTES, IntLines.word(value));
        }
        code = INSERTED;
        inserted++;
      } else if ((int) (seen >> half) != stored) {
        code = STUCK;
        told.stuck++;
      }
      places[i] = slot;
      codes[i] = code;
    }
    return inserted;
  }

  /** Each word is published by its store. */
  @Override
  public void publish(Told told, int count) {}

  @Override
  public void update(long at, int count, Change change, Told told) {
    for (int i = 0; i < count; i++) {
      if (told.codes[i] == PRESENT) {
        told.codes[i] = update(told.slots[i], (at + i) * Integer.BYTES, change);
        told.stuck += told.codes[i] == STUCK ? 1 : 0;
      }
    }
  }

  /** Changes a value; returns STUCK if that is not there. */
  private byte update(long slot, long in, Change change) {
    long place = (slot << shift) + (lines ? Long.BYTES : 0);
    long before = words.get(ValueLayout.JAVA_LONG, place);
    int operand = values.get(ValueLayout.JAVA_INT, in);
    int value = lines ? IntLines.contentOf(before) : PackedSlots.valueOf(before);
    if (before != EMPTY && change.policy() == FETCH) {
      values.set(ValueLayout.JAVA_INT, in, value);
    } else if (before != EMPTY) {
      int after = (int) change.applied(value, operand);
      long word =
          lines ? IntLines.word(after) : PackedSlots.word(PackedSlots.storedOf(before), after);
      words.set(ValueLayout.JAVA_LONG, place, word);
    }
    return before == EMPTY ? STUCK : PRESENT;
  }

  @Override
  public int find(long at, int count, Told told, boolean fetches) {
    byte[] codes = told.codes;
    int found = 0;
    MemorySegment table = words;
    int half = keyShift;
    for (int i = 0; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      int key = keys.get(ValueLayout.JAVA_INT, (at + i) * Integer.BYTES);
      int stored = stored(key);
      long slot = home(key);
      long seen = table.get(ValueLayout.JAVA_LONG_UNALIGNED, slot << shift);
      while (seen != EMPTY && (int) (seen >> half) != stored) {
        slot = slot + 1 == slots ? 0 : slot + 1;
        seen = table.get(ValueLayout.JAVA_LONG_UNALIGNED, slot << shift);
      }
      long value = seen;
      if (lines) {
        value = table.get(ValueLayout.JAVA_LONG_UNALIGNED, (slot << shift) + Long.BYTES);
      }
      if (fetches) {
        // Of an EMPTY slot all is 0, as is the value of a key that is absent.
        int content = lines ? IntLines.contentOf(value) : PackedSlots.valueOf(value);
        values.set(ValueLayout.JAVA_INT, (at + i) * Integer.BYTES, content);
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
