package dev.gyre.kernels.map.exclusive;

import static dev.gyre.kernels.map.MapCodes.ABSENT;
import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FETCH;
import static dev.gyre.kernels.map.MapCodes.FOUND;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.AddressPin;
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
 *       <td>loads of {@link PackedSlots}</td><td>each word contains everything (MapPublication.ExclusiveTest)</td></tr>
 * </table>
 */
final class ExclusivePackedTable implements ExclusiveTable {

  /** A place without content. */
  private static final long NOWHERE = -1;

  private final MemorySegment words;
  private final BlockHash hash;

  // Place of the first word; a slot is identified by the place of its word (AddressPin.first).
  private final long first;
  private final long end;

  private static final int SHIFT = 3;

  ExclusivePackedTable(PackedSlots table) {
    words = Shape.of(table).keys().segment();
    hash = new BlockHash(table);
    // Including the side slot.
    first = AddressPin.first(words, table.slots() + 1, SHIFT);
    end = first + (table.slots() << SHIFT);
  }

  /** Both loops in one method; see {@link ExclusiveStateTable#find}. */
  @Override
  public int insert(long last, int count, ResultBlock block) {
    byte[] codes = block.codes;
    long[] places = block.places;
    long[] keys = block.keys;
    long[] values = block.values;
    int valuesAt = block.valuesAt;
    int inserted = 0;
    MemorySegment table = words;
    long begin = first;
    long behind = end;
    long step = 1L << SHIFT;
    long lastPlace = last < 0 ? NOWHERE : begin + (last << SHIFT);
    findPlaces(keys, count, places);
    int withoutOutcomes = block.each ? 0 : count;
    int wrapped = ExclusiveTable.NONE;
    for (int i = 0; i < withoutOutcomes; i++) {
      int key = (int) keys[i];
      int stored = PackedSlots.stored(key);
      long place = places[i];
      long seen = AddressPin.getLong(table, place);
      while (seen != EMPTY && (int) seen != stored && place != lastPlace) {
        place += step;
        if (place >= behind) {
          wrapped = ExclusiveTable.wrap(wrapped, i);
          place = begin;
        }
        seen = AddressPin.getLong(table, place);
      }
      if (seen == EMPTY) {
        AddressPin.setLong(table, place, PackedSlots.word(stored, (int) values[valuesAt + i]));
        inserted++;
      } else if ((int) seen != stored) {
        codes[i] = STUCK;
        block.stuck++;
      }
    }
    for (int i = withoutOutcomes; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      int key = (int) keys[i];
      int stored = PackedSlots.stored(key);
      long place = places[i];
      long seen = AddressPin.getLong(table, place);
      while (seen != EMPTY && (int) seen != stored && place != lastPlace) {
        place += step;
        if (place >= behind) {
          wrapped = ExclusiveTable.wrap(wrapped, i);
          place = begin;
        }
        seen = AddressPin.getLong(table, place);
      }
      byte code = PRESENT;
      if (seen == EMPTY) {
        AddressPin.setLong(table, place, PackedSlots.word(stored, (int) values[valuesAt + i]));
        code = INSERTED;
        inserted++;
      } else if ((int) seen != stored) {
        code = STUCK;
        block.stuck++;
      }
      places[i] = place;
      codes[i] = code;
    }
    return inserted;
  }

  private void findPlaces(long[] keys, int count, long[] places) {
    hash.findHomes(keys, count, places);
    BlockHash.toPlaces(places, count, first, SHIFT);
    boolean alike = true;
    for (int i = 0; i < count; i++) {
      alike &= keys[i] != Integer.MIN_VALUE;
    }
    for (int i = 0; !alike && i < count; i++) {
      places[i] = (int) keys[i] == Integer.MIN_VALUE ? end : places[i];
    }
  }

  @Override
  public void update(int count, Change change, ResultBlock block) {
    long[] values = block.values;
    for (int i = 0; i < count; i++) {
      if (block.codes[i] == PRESENT) {
        long place = block.places[i];
        int at = block.valuesAt + i;
        long before = AddressPin.getLong(words, place);
        int value = PackedSlots.valueOf(before);
        if (change.policy() == FETCH) {
          values[at] = value;
        } else {
          int after = (int) change.applied(value, values[at]);
          AddressPin.setLong(words, place, PackedSlots.word(PackedSlots.storedOf(before), after));
        }
      }
    }
  }

  /** Both loops in one method; see {@link ExclusiveStateTable#find}. */
  @Override
  public int find(int count, ResultBlock block, boolean fetches) {
    long[] homes = block.places;
    long[] keys = block.keys;
    long[] values = block.values;
    int valuesAt = block.valuesAt;
    MemorySegment table = words;
    long begin = first;
    long behind = end;
    long step = 1L << SHIFT;
    findPlaces(keys, count, homes);
    byte[] codes = block.codes;
    int withoutOutcomes = block.each ? 0 : count;
    int wrapped = ExclusiveTable.NONE;
    int found = 0;
    for (int i = 0; i < withoutOutcomes; i++) {
      int stored = PackedSlots.stored((int) keys[i]);
      long place = homes[i];
      long seen = AddressPin.getLong(table, place);
      while (seen != EMPTY && (int) seen != stored) {
        place += step;
        if (place >= behind) {
          wrapped = ExclusiveTable.wrap(wrapped, i);
          place = begin;
        }
        seen = AddressPin.getLong(table, place);
      }
      // An EMPTY slot is 0, as is the value of an absent key.
      values[valuesAt + i] = PackedSlots.valueOf(seen);
      found += seen == EMPTY ? 0 : 1;
    }
    for (int i = withoutOutcomes; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      int stored = PackedSlots.stored((int) keys[i]);
      long place = homes[i];
      long seen = AddressPin.getLong(table, place);
      while (seen != EMPTY && (int) seen != stored) {
        place += step;
        if (place >= behind) {
          wrapped = ExclusiveTable.wrap(wrapped, i);
          place = begin;
        }
        seen = AddressPin.getLong(table, place);
      }
      values[valuesAt + i] = PackedSlots.valueOf(seen);
      found += seen == EMPTY ? 0 : 1;
      codes[i] = seen == EMPTY ? ABSENT : FOUND;
    }
    return found;
  }

  @Override
  public int read(long from, long to, ResultBlock block) {
    MemorySegment table = words;
    int count = 0;
    for (long slot = from; slot < to; slot++) {
      long word = AddressPin.getLong(table, first + (slot << SHIFT));
      int stored = PackedSlots.storedOf(word);
      block.keys[count] = PackedSlots.keyOf(stored);
      block.values[count] = PackedSlots.valueOf(word);
      // 0 for EMPTY and REMOVED.
      count += (stored | -stored) >>> 31;
    }
    return count;
  }

  /** Copies entries without branches, which would be mispredicted. */
  @Override
  public int copyEntries(
      long from, long to, long[] toKeys, int keysAt, long[] toValues, int valuesAt) {
    MemorySegment table = words;
    int count = 0;
    for (long slot = from; slot < to; slot++) {
      long word = table.get(ValueLayout.JAVA_LONG_UNALIGNED, slot << SHIFT);
      int stored = PackedSlots.storedOf(word);
      toKeys[keysAt + count] = PackedSlots.keyOf(stored);
      toValues[valuesAt + count] = PackedSlots.valueOf(word);
      // 0 for EMPTY and REMOVED.
      count += (stored | -stored) >>> 31;
    }
    return count;
  }
}
