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

  /** 1 if keys can be removed, otherwise 0; see {@link KeySlots#isAside}. */
  private final long spare;

  SetReader(Shape shape, long side, List<AddressPin> pins) {
    super(shape, pins);
    this.side = side;
    spare = shape.table().isRemovable() ? 1 : 0;
    words = pins.getFirst().payload();
    shift = shape.keys().shift();
  }

  abstract long home(long key);

  /** seq_cst. */
  abstract long word(long slot);

  /** Replaces an expected word, seq_cst; returns whether it was there. */
  abstract boolean replace(long slot, long expected, long word);

  /** Returns the stored form of a key. */
  private long stored(long key) {
    long turned = key ^ side;
    return KeySlots.isAside(turned, spare) ? 1 : turned;
  }

  @Override
  public final long find(long key) {
    long turned = key ^ side;
    boolean aside = KeySlots.isAside(turned, spare);
    long stored = aside ? 1 : turned;
    long slot = aside ? slots - turned : home(key);
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
    return (slot < slots ? word(slot) : slots - slot) ^ side;
  }

  /** Both loops in one method; see {@link StateReader#findBlock}. */
  @Override
  final int findBlock(long[] sought, int count, long[] homes, long @Nullable [] found, int at) {
    boolean narrow = ints;
    long first = words;
    long end = first + (slots << shift);
    long next = 1L << shift;
    long least = side;
    long reserved = spare;
    BlockHash.toPlaces(homes, count, first, shift);
    int hits = 0;
    // Key whose search last continued at the first slot. A second time means that the search is
    // endless.
    int wrapped = ExclusiveTable.NONE;
    if (found == null) {
      for (int i = 0; i < count; i++) {
        long stored = sought[i] ^ least;
        long place = homes[i];
        if (KeySlots.isAside(stored, reserved)) {
          place = end - (stored << shift);
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
      if (KeySlots.isAside(stored, reserved)) {
        place = end - (stored << shift);
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

  @Override
  public final boolean insert(long slot, long key, long value) {
    // seq_cst: claims and publishes, before all later reads of this thread
    return replace(slot, EMPTY, stored(key));
  }

  @Override
  public final boolean exchange(long slot, long expected, long value, boolean removes) {
    long word = word(slot);
    long left = slot < slots ? KeySlots.REMOVED_WORD : EMPTY;
    return word != left && (!removes || replace(slot, word, left));
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
    boolean replace(long slot, long expected, long word) {
      return AddressPin.compareAndSet(words + slot * Long.BYTES, expected, word);
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
    boolean replace(long slot, long expected, long word) {
      return AddressPin.compareAndSet(words + slot * Integer.BYTES, (int) expected, (int) word);
    }
  }
}
