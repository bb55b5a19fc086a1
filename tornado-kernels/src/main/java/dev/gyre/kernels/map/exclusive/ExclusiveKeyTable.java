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
import dev.gyre.kernels.map.KeySlots;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * {@link KeySlots} that a thread owns. A word contains the key, and is 0 only if the slot is EMPTY,
 * -1 only if it is REMOVED.
 *
 * <table>
 *   <caption>Racing accesses</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>store of a word</td><td>plain, aligned and therefore atomic</td><td>loads of {@link KeySlots}</td><td>each word contains everything</td></tr>
 * </table>
 */
final class ExclusiveKeyTable implements ExclusiveTable {

  /** A place without content. */
  private static final long NOWHERE = -1;

  private final MemorySegment words;
  private final BlockHash hash;

  /** The key of the side slot, which is after all others. */
  private final long side;

  /** Whether keys are ints, not longs. */
  private final boolean ints;

  private final int shift;

  /** 1 if keys can be removed, otherwise 0; see {@link KeySlots#isAside}. */
  private final long spare;

  // The place of the first word; a slot is identified by the place of its word (AddressPin.first).
  private final long first;
  private final long end;

  ExclusiveKeyTable(KeySlots table) {
    words = Shape.of(table).keys().segment();
    side = table.side();
    ints = !ExclusiveTable.areLongs(table);
    hash = new BlockHash(table);
    shift = ints ? 2 : 3;
    spare = table.isRemovable() ? 1 : 0;
    // Including the side slots.
    first = AddressPin.first(words, KeySlots.words(table.slots(), table.isRemovable()), shift);
    end = first + (table.slots() << shift);
  }

  private static long word(MemorySegment table, long place, boolean narrow) {
    return narrow ? AddressPin.getInt(table, place) : AddressPin.getLong(table, place);
  }

  /** Publishes a key. */
  private static void write(MemorySegment table, long place, long stored, boolean narrow) {
    if (narrow) {
      AddressPin.setInt(table, place, (int) stored);
    } else {
      AddressPin.setLong(table, place, stored);
    }
  }

  private void findPlaces(long[] keys, int count, long[] places) {
    hash.findHomes(keys, count, places);
    BlockHash.toPlaces(places, count, first, shift);
  }

  /** Both loops in one method; see {@link ExclusiveStateTable#find}. */
  @Override
  public int insert(long last, int count, ResultBlock block) {
    byte[] codes = block.codes;
    long[] places = block.places;
    long[] keys = block.keys;
    MemorySegment table = words;
    boolean narrow = ints;
    long begin = first;
    long behind = end;
    int distance = shift;
    long step = 1L << distance;
    long reserved = spare;
    long lastPlace = last < 0 ? NOWHERE : begin + (last << shift);
    long least = side;
    findPlaces(keys, count, places);
    int withoutOutcomes = block.each ? 0 : count;
    int wrapped = ExclusiveTable.NONE;
    int inserted = 0;
    for (int i = 0; i < withoutOutcomes; i++) {
      long stored = keys[i] ^ least;
      long place = places[i];
      if (KeySlots.isAside(stored, reserved)) {
        place = behind - (stored << distance);
        stored = 1;
      }
      long seen = word(table, place, narrow);
      while (seen != EMPTY && seen != stored && place != lastPlace) {
        place += step;
        if (place >= behind) {
          wrapped = ExclusiveTable.wrap(wrapped, i);
          place = begin;
        }
        seen = word(table, place, narrow);
      }
      if (seen == EMPTY) {
        write(table, place, stored, narrow);
        inserted++;
      } else if (seen != stored) {
        codes[i] = STUCK;
        block.stuck++;
      }
    }
    for (int i = withoutOutcomes; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      long stored = keys[i] ^ least;
      long place = places[i];
      if (KeySlots.isAside(stored, reserved)) {
        place = behind - (stored << distance);
        stored = 1;
      }
      long seen = word(table, place, narrow);
      while (seen != EMPTY && seen != stored && place != lastPlace) {
        place += step;
        if (place >= behind) {
          wrapped = ExclusiveTable.wrap(wrapped, i);
          place = begin;
        }
        seen = word(table, place, narrow);
      }
      byte code = PRESENT;
      if (seen == EMPTY) {
        write(table, place, stored, narrow);
        code = INSERTED;
        inserted++;
      } else if (seen != stored) {
        code = STUCK;
        block.stuck++;
      }
      codes[i] = code;
    }
    return inserted;
  }

  /** Writes the value of each present key, which is the key; values cannot change. */
  @Override
  public void update(int count, Change change, ResultBlock block) {
    if (change.policy() == FETCH) {
      for (int i = 0; i < count; i++) {
        if (block.codes[i] == PRESENT) {
          block.values[block.valuesAt + i] = block.keys[i];
        }
      }
    }
  }

  /** Both loops in one method; see {@link ExclusiveStateTable#find}. */
  @Override
  public int find(int count, ResultBlock block, boolean fetches) {
    long[] homes = block.places;
    long[] keys = block.keys;
    MemorySegment table = words;
    boolean narrow = ints;
    long begin = first;
    long behind = end;
    int distance = shift;
    long step = 1L << distance;
    long reserved = spare;
    long least = side;
    findPlaces(keys, count, homes);
    byte[] codes = block.codes;
    int withoutOutcomes = block.each ? 0 : count;
    int wrapped = ExclusiveTable.NONE;
    int found = 0;
    for (int i = 0; i < withoutOutcomes; i++) {
      long stored = keys[i] ^ least;
      long place = homes[i];
      if (KeySlots.isAside(stored, reserved)) {
        place = behind - (stored << distance);
        stored = 1;
      }
      long seen = word(table, place, narrow);
      while (seen != EMPTY && seen != stored) {
        place += step;
        if (place >= behind) {
          wrapped = ExclusiveTable.wrap(wrapped, i);
          place = begin;
        }
        seen = word(table, place, narrow);
      }
      homes[i] = seen;
      found += seen == EMPTY ? 0 : 1;
    }
    for (int i = withoutOutcomes; i < count; i++) {
      if (codes[i] == SKIPPED) {
        continue;
      }
      long stored = keys[i] ^ least;
      long place = homes[i];
      if (KeySlots.isAside(stored, reserved)) {
        place = behind - (stored << distance);
        stored = 1;
      }
      long seen = word(table, place, narrow);
      while (seen != EMPTY && seen != stored) {
        place += step;
        if (place >= behind) {
          wrapped = ExclusiveTable.wrap(wrapped, i);
          place = begin;
        }
        seen = word(table, place, narrow);
      }
      homes[i] = seen;
      found += seen == EMPTY ? 0 : 1;
      codes[i] = seen == EMPTY ? ABSENT : FOUND;
    }
    for (int i = 0; fetches && i < count; i++) {
      if (codes[i] != SKIPPED) {
        block.values[block.valuesAt + i] = homes[i] == EMPTY ? 0 : keys[i];
      }
    }
    return found;
  }

  /** Reads entries without branches, which would be mispredicted. */
  @Override
  public int read(long from, long to, ResultBlock block) {
    MemorySegment table = words;
    int count = 0;
    for (long slot = from; slot < to; slot++) {
      long word = word(table, first + (slot << shift), ints);
      block.keys[count] = word ^ side;
      // 0 for a reserved word.
      long other = (word + spare) & ~spare;
      count += (int) ((other | -other) >>> (Long.SIZE - 1));
    }
    return count;
  }

  /** Copies entries without branches, which would be mispredicted. */
  @Override
  public int copyEntries(
      long from, long to, long[] toKeys, int keysAt, long[] toValues, int valuesAt) {
    MemorySegment table = words;
    long[] seen = new long[(int) (to - from)];
    int count = 0;
    for (int i = 0; i < seen.length; i++) {
      long word =
          ints
              ? table.get(ValueLayout.JAVA_INT_UNALIGNED, (from + i) << shift)
              : table.get(ValueLayout.JAVA_LONG_UNALIGNED, (from + i) << shift);
      seen[count] = word ^ side;
      // 0 for a reserved word.
      long other = (word + spare) & ~spare;
      count += (int) ((other | -other) >>> (Long.SIZE - 1));
    }
    System.arraycopy(seen, 0, toKeys, keysAt, count);
    System.arraycopy(seen, 0, toValues, valuesAt, count);
    return count;
  }
}
