package dev.gyre.kernels.map.owned;

import static dev.gyre.kernels.map.MapCodes.ABSENT;
import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FETCH;
import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.Hold;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.IntLines;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.PackedSlots;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * {@link PackedSlots} or {@link IntLines} that are owned: of both, a word tells the key, in one of
 * its halves, and is 0 only where the slot is EMPTY.
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

  /** A place where nothing is. */
  private static final long NOWHERE = -1;

  private final MemorySegment words;
  private final OwnedHash hash;

  // A slot is told by its place: where its first word is (Hold.first).
  private final long first;
  private final long end;

  /** Whether a slot is two words, the value in one of its own. */
  private final boolean lines;

  private final int shift;

  /** Where in a word the key begins. */
  private final int keyShift;

  /** For {@link PackedSlots} or {@link IntLines}. */
  OwnedWords(NumberTable table) {
    Shape shape = Shape.of(table);
    words = shape.keys().segment();
    hash = new OwnedHash(shape.hash(), shape.seed(), table.slots(), true);
    lines = table instanceof IntLines;
    shift = shape.shift();
    keyShift = shape.keyShift();
    // With the side slot, where there is one.
    first = Hold.first(words, table.slots() + (lines ? 0 : 1), shift);
    end = first + (table.slots() << shift);
  }

  private int stored(int key) {
    return lines ? key : PackedSlots.stored(key);
  }

  /** Both loops in one method, as in {@link OwnedStates#find}. */
  @Override
  public int insert(long last, int count, Told told) {
    byte[] codes = told.codes;
    long[] places = told.places;
    long[] keys = told.keys;
    long[] values = told.values;
    int keysAt = told.keysAt;
    int valuesAt = told.valuesAt;
    int inserted = 0;
    MemorySegment table = words;
    int half = keyShift;
    long begin = first;
    long behind = end;
    long step = 1L << shift;
    long lastPlace = last < 0 ? NOWHERE : begin + (last << shift);
    findPlaces(keys, keysAt, count, places);
    int untold = told.each ? 0 : count;
    int turned = OwnedSlots.NONE;
    for (int i = 0; i < untold; i++) {
      int key = (int) keys[keysAt + i];
      int stored = stored(key);
      long place = places[i];
      long seen = Hold.getLong(table, place);
      while (seen != EMPTY && (int) (seen >> half) != stored && place != lastPlace) {
        place += step;
        if (place >= behind) {
          turned = OwnedSlots.turn(turned, i);
          place = begin;
        }
        seen = Hold.getLong(table, place);
      }
      if (seen == EMPTY) {
        write(table, place, key, stored, (int) values[valuesAt + i]);
        inserted++;
      } else if ((int) (seen >> half) != stored) {
        codes[i] = STUCK;
        told.stuck++;
      }
    }
    for (int i = untold; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      int key = (int) keys[keysAt + i];
      int stored = stored(key);
      long place = places[i];
      long seen = Hold.getLong(table, place);
      while (seen != EMPTY && (int) (seen >> half) != stored && place != lastPlace) {
        place += step;
        if (place >= behind) {
          turned = OwnedSlots.turn(turned, i);
          place = begin;
        }
        seen = Hold.getLong(table, place);
      }
      byte code = PRESENT;
      if (seen == EMPTY) {
        write(table, place, key, stored, (int) values[valuesAt + i]);
        code = INSERTED;
        inserted++;
      } else if ((int) (seen >> half) != stored) {
        code = STUCK;
        told.stuck++;
      }
      places[i] = place;
      codes[i] = code;
    }
    return inserted;
  }

  /** Each word is published by its store. */
  private void write(MemorySegment table, long place, int key, int stored, int value) {
    long word = lines ? IntLines.word(key) : PackedSlots.word(stored, value);
    Hold.setLong(table, place, word);
    if (lines) {
      Hold.setLong(table, place + Long.BYTES, IntLines.word(value));
    }
  }

  private void findPlaces(long[] keys, int at, int count, long[] places) {
    hash.findHomes(keys, at, count, places);
    OwnedHash.toPlaces(places, count, first, shift);
    boolean alike = true;
    for (int i = 0; i < count; i++) {
      alike &= lines || keys[at + i] != Integer.MIN_VALUE;
    }
    for (int i = 0; !alike && i < count; i++) {
      places[i] = (int) keys[at + i] == Integer.MIN_VALUE ? end : places[i];
    }
  }

  @Override
  public void update(int count, Change change, Told told) {
    for (int i = 0; i < count; i++) {
      if (told.codes[i] == PRESENT) {
        told.codes[i] = update(told.places[i], told.values, told.valuesAt + i, change);
        told.stuck += told.codes[i] == STUCK ? 1 : 0;
      }
    }
  }

  /** Changes a value; returns STUCK if that is not there. */
  private byte update(long slotPlace, long[] values, int i, Change change) {
    long place = slotPlace + (lines ? Long.BYTES : 0);
    long before = Hold.getLong(words, place);
    int value = lines ? IntLines.contentOf(before) : PackedSlots.valueOf(before);
    if (before != EMPTY && change.policy() == FETCH) {
      values[i] = value;
    } else if (before != EMPTY) {
      int after = (int) change.applied(value, values[i]);
      long word =
          lines ? IntLines.word(after) : PackedSlots.word(PackedSlots.storedOf(before), after);
      Hold.setLong(words, place, word);
    }
    return before == EMPTY ? STUCK : PRESENT;
  }

  /** Both loops in one method, as in {@link OwnedStates#find}. */
  @Override
  public int find(int count, Told told, boolean fetches) {
    long[] homes = told.places;
    long[] keys = told.keys;
    long[] values = told.values;
    int keysAt = told.keysAt;
    int valuesAt = told.valuesAt;
    MemorySegment table = words;
    int half = keyShift;
    long begin = first;
    long behind = end;
    long step = 1L << shift;
    findPlaces(keys, keysAt, count, homes);
    byte[] codes = told.codes;
    int untold = told.each ? 0 : count;
    int turned = OwnedSlots.NONE;
    int found = 0;
    for (int i = 0; i < untold; i++) {
      int stored = stored((int) keys[keysAt + i]);
      long place = homes[i];
      long seen = Hold.getLong(table, place);
      while (seen != EMPTY && (int) (seen >> half) != stored) {
        place += step;
        if (place >= behind) {
          turned = OwnedSlots.turn(turned, i);
          place = begin;
        }
        seen = Hold.getLong(table, place);
      }
      long value = seen;
      if (lines) {
        value = Hold.getLong(table, place + Long.BYTES);
      }
      // Of an EMPTY slot all is 0, as is the value of a key that is absent.
      values[valuesAt + i] = lines ? IntLines.contentOf(value) : PackedSlots.valueOf(value);
      if (value != EMPTY) {
        found++;
      } else if (seen != EMPTY) {
        codes[i] = STUCK;
        told.stuck++;
      }
    }
    for (int i = untold; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      int stored = stored((int) keys[keysAt + i]);
      long place = homes[i];
      long seen = Hold.getLong(table, place);
      while (seen != EMPTY && (int) (seen >> half) != stored) {
        place += step;
        if (place >= behind) {
          turned = OwnedSlots.turn(turned, i);
          place = begin;
        }
        seen = Hold.getLong(table, place);
      }
      long value = seen;
      if (lines) {
        value = Hold.getLong(table, place + Long.BYTES);
      }
      values[valuesAt + i] = lines ? IntLines.contentOf(value) : PackedSlots.valueOf(value);
      found += value == EMPTY ? 0 : 1;
      codes[i] = value == EMPTY ? ABSENT : FOUND;
      if (seen != EMPTY && value == EMPTY) {
        codes[i] = STUCK;
        told.stuck++;
      }
    }
    return found;
  }

  @Override
  public int copyEntries(
      long from, long to, long[] toKeys, int keysAt, long[] toValues, int valuesAt) {
    MemorySegment table = words;
    int count = 0;
    for (long slot = from; slot < to; slot++) {
      long word = table.get(ValueLayout.JAVA_LONG_UNALIGNED, slot << shift);
      long value = word;
      if (lines) {
        value = table.get(ValueLayout.JAVA_LONG_UNALIGNED, (slot << shift) + Long.BYTES);
      }
      int stored = (int) (word >> keyShift);
      if (word != EMPTY && value != EMPTY) {
        toKeys[keysAt + count] = lines ? stored : PackedSlots.keyOf(stored);
        toValues[valuesAt + count] = lines ? IntLines.contentOf(value) : PackedSlots.valueOf(value);
        count++;
      }
    }
    return count;
  }
}
