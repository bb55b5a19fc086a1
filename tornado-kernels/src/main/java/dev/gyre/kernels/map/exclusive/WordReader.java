package dev.gyre.kernels.map.exclusive;

import static dev.gyre.kernels.map.MapCodes.EMPTY;

import dev.gyre.atomics.AddressPin;
import dev.gyre.kernels.map.PackedSlots;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link KeyReader} of {@link PackedSlots}, which updates words as their handles do. */
final class WordReader extends KeyReader {
  private final long words;

  WordReader(Shape shape, List<AddressPin> pins) {
    super(shape, pins);
    words = pins.getFirst().payload();
  }

  /** seq_cst. */
  private long word(long slot) {
    return AddressPin.getLongVolatile(words + slot * Long.BYTES);
  }

  @Override
  public long find(long key) {
    boolean side = key == Integer.MIN_VALUE;
    int stored = PackedSlots.stored((int) key);
    long slot = side ? slots : homeOfInt((int) key);
    // seq_cst: pairs with the claim
    long word = word(slot);
    // A side slot contains only its own key: no further.
    long left = side ? 1 : slots;
    while (word != EMPTY && (int) word != stored && left > 1) {
      slot = slot + 1 == slots ? 0 : slot + 1;
      word = word(slot);
      left--;
    }
    return word != EMPTY && (int) word == stored ? slot : ~slot;
  }

  @Override
  public boolean isEmpty(long slot) {
    return word(slot) == EMPTY;
  }

  @Override
  public long value(long slot) {
    // seq_cst: see the table
    return PackedSlots.valueOf(word(slot));
  }

  /** Both loops in one method; see {@link StateReader#findBlock}. */
  @Override
  int findBlock(long[] sought, int count, long[] homes, long @Nullable [] found, int at) {
    long first = words;
    long end = first + slots * Long.BYTES;
    BlockHash.toPlaces(homes, count, first, 3);
    int hits = 0;
    // Key whose search last continued at the first slot. A second time means that the search is
    // endless.
    int wrapped = ExclusiveTable.NONE;
    if (found == null) {
      for (int i = 0; i < count; i++) {
        int key = (int) sought[i];
        int stored = PackedSlots.stored(key);
        long place = key == Integer.MIN_VALUE ? end : homes[i];
        long seen = AddressPin.getLong(place);
        while (seen != EMPTY && (int) seen != stored) {
          place += Long.BYTES;
          if (place == end) {
            if (wrapped == i) {
              return -1;
            }
            wrapped = i;
            place = first;
          }
          seen = AddressPin.getLong(place);
        }
        hits += seen == EMPTY ? 0 : 1;
      }
      return hits;
    }
    for (int i = 0; i < count; i++) {
      int key = (int) sought[i];
      int stored = PackedSlots.stored(key);
      long place = key == Integer.MIN_VALUE ? end : homes[i];
      long seen = AddressPin.getLong(place);
      while (seen != EMPTY && (int) seen != stored) {
        place += Long.BYTES;
        if (place == end) {
          if (wrapped == i) {
            return -1;
          }
          wrapped = i;
          place = first;
        }
        seen = AddressPin.getLong(place);
      }
      // plain: a word contains everything
      hits += seen == EMPTY ? 0 : 1;
      found[at + i] = seen == EMPTY ? 0 : PackedSlots.valueOf(seen);
    }
    return hits;
  }
}
