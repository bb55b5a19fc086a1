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
import dev.gyre.kernels.map.PackedSlots;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * {@link PackedSlots} that a thread owns. The lower half of a word contains the key, and the word
 * is 0 only if the slot is EMPTY.
 *
 * <table>
 *   <caption>Racing accesses</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>store of a word</td><td>plain, aligned and therefore atomic</td>
 *       <td>loads of {@link PackedSlots}</td><td>each word contains everything (MapPublication.OwnedTest)</td></tr>
 * </table>
 */
final class OwnedWords implements OwnedSlots {

  /** A place without content. */
  private static final long NOWHERE = -1;

  private final MemorySegment words;
  private final OwnedHash hash;

  // Place of the first word; a slot is identified by the place of its word (Hold.first).
  private final long first;
  private final long end;

  private static final int SHIFT = 3;

  OwnedWords(PackedSlots table) {
    Shape shape = Shape.of(table);
    words = shape.keys().segment();
    hash = new OwnedHash(shape.hash(), shape.seed(), table.slots(), true);
    // Including the side slot.
    first = Hold.first(words, table.slots() + 1, SHIFT);
    end = first + (table.slots() << SHIFT);
  }

  /** Both loops in one method; see {@link OwnedStates#find}. */
  @Override
  public int insert(long last, int count, Told told) {
    byte[] codes = told.codes;
    long[] places = told.places;
    long[] keys = told.keys;
    long[] values = told.values;
    int valuesAt = told.valuesAt;
    int inserted = 0;
    MemorySegment table = words;
    long begin = first;
    long behind = end;
    long step = 1L << SHIFT;
    long lastPlace = last < 0 ? NOWHERE : begin + (last << SHIFT);
    findPlaces(keys, count, places);
    int untold = told.each ? 0 : count;
    int turned = OwnedSlots.NONE;
    for (int i = 0; i < untold; i++) {
      int key = (int) keys[i];
      int stored = PackedSlots.stored(key);
      long place = places[i];
      long seen = Hold.getLong(table, place);
      while (seen != EMPTY && (int) seen != stored && place != lastPlace) {
        place += step;
        if (place >= behind) {
          turned = OwnedSlots.turn(turned, i);
          place = begin;
        }
        seen = Hold.getLong(table, place);
      }
      if (seen == EMPTY) {
        Hold.setLong(table, place, PackedSlots.word(stored, (int) values[valuesAt + i]));
        inserted++;
      } else if ((int) seen != stored) {
        codes[i] = STUCK;
        told.stuck++;
      }
    }
    for (int i = untold; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      int key = (int) keys[i];
      int stored = PackedSlots.stored(key);
      long place = places[i];
      long seen = Hold.getLong(table, place);
      while (seen != EMPTY && (int) seen != stored && place != lastPlace) {
        place += step;
        if (place >= behind) {
          turned = OwnedSlots.turn(turned, i);
          place = begin;
        }
        seen = Hold.getLong(table, place);
      }
      byte code = PRESENT;
      if (seen == EMPTY) {
        Hold.setLong(table, place, PackedSlots.word(stored, (int) values[valuesAt + i]));
        code = INSERTED;
        inserted++;
      } else if ((int) seen != stored) {
        code = STUCK;
        told.stuck++;
      }
      places[i] = place;
      codes[i] = code;
    }
    return inserted;
  }

  private void findPlaces(long[] keys, int count, long[] places) {
    hash.findHomes(keys, count, places);
    OwnedHash.toPlaces(places, count, first, SHIFT);
    boolean alike = true;
    for (int i = 0; i < count; i++) {
      alike &= keys[i] != Integer.MIN_VALUE;
    }
    for (int i = 0; !alike && i < count; i++) {
      places[i] = (int) keys[i] == Integer.MIN_VALUE ? end : places[i];
    }
  }

  @Override
  public void update(int count, Change change, Told told) {
    long[] values = told.values;
    for (int i = 0; i < count; i++) {
      if (told.codes[i] == PRESENT) {
        long place = told.places[i];
        int at = told.valuesAt + i;
        long before = Hold.getLong(words, place);
        int value = PackedSlots.valueOf(before);
        if (change.policy() == FETCH) {
          values[at] = value;
        } else {
          int after = (int) change.applied(value, values[at]);
          Hold.setLong(words, place, PackedSlots.word(PackedSlots.storedOf(before), after));
        }
      }
    }
  }

  /** Both loops in one method; see {@link OwnedStates#find}. */
  @Override
  public int find(int count, Told told, boolean fetches) {
    long[] homes = told.places;
    long[] keys = told.keys;
    long[] values = told.values;
    int valuesAt = told.valuesAt;
    MemorySegment table = words;
    long begin = first;
    long behind = end;
    long step = 1L << SHIFT;
    findPlaces(keys, count, homes);
    byte[] codes = told.codes;
    int untold = told.each ? 0 : count;
    int turned = OwnedSlots.NONE;
    int found = 0;
    for (int i = 0; i < untold; i++) {
      int stored = PackedSlots.stored((int) keys[i]);
      long place = homes[i];
      long seen = Hold.getLong(table, place);
      while (seen != EMPTY && (int) seen != stored) {
        place += step;
        if (place >= behind) {
          turned = OwnedSlots.turn(turned, i);
          place = begin;
        }
        seen = Hold.getLong(table, place);
      }
      // An EMPTY slot is 0, as is the value of an absent key.
      values[valuesAt + i] = PackedSlots.valueOf(seen);
      found += seen == EMPTY ? 0 : 1;
    }
    for (int i = untold; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      int stored = PackedSlots.stored((int) keys[i]);
      long place = homes[i];
      long seen = Hold.getLong(table, place);
      while (seen != EMPTY && (int) seen != stored) {
        place += step;
        if (place >= behind) {
          turned = OwnedSlots.turn(turned, i);
          place = begin;
        }
        seen = Hold.getLong(table, place);
      }
      values[valuesAt + i] = PackedSlots.valueOf(seen);
      found += seen == EMPTY ? 0 : 1;
      codes[i] = seen == EMPTY ? ABSENT : FOUND;
    }
    return found;
  }

  @Override
  public int copyEntries(
      long from, long to, long[] toKeys, int keysAt, long[] toValues, int valuesAt) {
    MemorySegment table = words;
    int count = 0;
    for (long slot = from; slot < to; slot++) {
      long word = table.get(ValueLayout.JAVA_LONG_UNALIGNED, slot << SHIFT);
      if (word != EMPTY) {
        toKeys[keysAt + count] = PackedSlots.keyOf(PackedSlots.storedOf(word));
        toValues[valuesAt + count] = PackedSlots.valueOf(word);
        count++;
      }
    }
    return count;
  }
}
