package dev.gyre.kernels.map.exclusive;

import static dev.gyre.kernels.map.MapCodes.EMPTY;

import dev.gyre.atomics.AddressPin;
import dev.gyre.kernels.map.KeySlots;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link KeyReader} of {@link KeySlots}, whose value is the key and is never updated. */
abstract sealed class SetReader extends KeyReader implements KeyReader.Writer {
  final long side;
  final long words;
  private final int shift;

  SetReader(Shape shape, long side, List<AddressPin> pins) {
    super(shape, pins);
    this.side = side;
    words = pins.getFirst().payload();
    shift = shape.shift();
  }

  abstract long home(long key);

  /** seq_cst. */
  abstract long word(long slot);

  @Override
  public final long find(long key) {
    boolean aside = key == side;
    long stored = KeySlots.stored(key, side);
    long slot = aside ? slots : home(key);
    // seq_cst: pairs with the claim
    long word = word(slot);
    // A side slot contains only its own key: no further.
    long left = aside ? 1 : slots;
    while (word != stored && word != EMPTY && left > 1) {
      slot = slot + 1 == slots ? 0 : slot + 1;
      word = word(slot);
      left--;
    }
    return word == stored ? slot : ~slot;
  }

  @Override
  public final boolean isEmpty(long slot) {
    return word(slot) == EMPTY;
  }

  @Override
  public final long value(long slot) {
    return slot == slots ? side : word(slot) ^ side;
  }

  /** Both loops in one method; see {@link StateReader#findBlock}. */
  @Override
  final int findBlock(long[] sought, int count, long[] homes, long @Nullable [] found, int at) {
    boolean narrow = ints;
    long first = words;
    long end = first + (slots << shift);
    long next = 1L << shift;
    long least = side;
    BlockHash.toPlaces(homes, count, first, shift);
    int hits = 0;
    // Key whose search last continued at the first slot. A second time means that the search is
    // endless.
    int wrapped = ExclusiveTable.NONE;
    if (found == null) {
      for (int i = 0; i < count; i++) {
        long stored = sought[i] ^ least;
        long place = homes[i];
        if (stored == 0) {
          place = end;
          stored = 1;
        }
        long seen = numberAt(place, narrow);
        while (seen != EMPTY && seen != stored) {
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
        hits += seen == EMPTY ? 0 : 1;
      }
      return hits;
    }
    for (int i = 0; i < count; i++) {
      long key = sought[i];
      long stored = key ^ least;
      long place = homes[i];
      if (stored == 0) {
        place = end;
        stored = 1;
      }
      long seen = numberAt(place, narrow);
      while (seen != EMPTY && seen != stored) {
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
      long value = 0;
      if (seen != EMPTY) {
        value = key;
        hits++;
      }
      found[at + i] = value;
    }
    return hits;
  }

  @Override
  public final long update(long slot, long operand, int policy) {
    return value(slot);
  }

  static final class OfLongs extends SetReader {

    OfLongs(Shape shape, long side, List<AddressPin> pins) {
      super(shape, side, pins);
    }

    @Override
    long home(long key) {
      return homeOfLong(key);
    }

    @Override
    long word(long slot) {
      return AddressPin.getLongVolatile(words + slot * Long.BYTES);
    }

    @Override
    public boolean insert(long slot, long key, long value) {
      // seq_cst: claims and publishes, before all later reads of this thread
      return AddressPin.compareAndSet(
          words + slot * Long.BYTES, (long) EMPTY, KeySlots.stored(key, side));
    }
  }

  static final class OfInts extends SetReader {

    OfInts(Shape shape, long side, List<AddressPin> pins) {
      super(shape, side, pins);
    }

    @Override
    long home(long key) {
      return homeOfInt((int) key);
    }

    @Override
    long word(long slot) {
      return AddressPin.getIntVolatile(words + slot * Integer.BYTES);
    }

    @Override
    public boolean insert(long slot, long key, long value) {
      // seq_cst: claims and publishes, before all later reads of this thread
      return AddressPin.compareAndSet(
          words + slot * Integer.BYTES, EMPTY, (int) KeySlots.stored(key, side));
    }
  }
}
