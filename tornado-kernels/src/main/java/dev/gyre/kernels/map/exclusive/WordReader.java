package dev.gyre.kernels.map.exclusive;

import static dev.gyre.kernels.map.MapCodes.EMPTY;

import dev.gyre.atomics.AddressPin;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.SingleKeys;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@link KeyReader} of {@link PackedSlots}. A compare-and-exchange of a word claims, fills and
 * publishes a slot at once.
 */
final class WordReader extends KeyReader implements KeyReader.Writer {
  private final long words;

  WordReader(Shape shape, List<AddressPin> pins) {
    super(shape, pins);
    words = pins.getFirst().payload();
  }

  /** seq_cst. */
  private long word(long slot) {
    return AddressPin.getLongVolatile(addressOf(slot));
  }

  private long addressOf(long slot) {
    return words + slot * Long.BYTES;
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
    long word = word(slot);
    return PackedSlots.storedOf(word) == 0 ? SingleKeys.GONE : PackedSlots.valueOf(word);
  }

  @Override
  public boolean insert(long slot, long key, long value) {
    // seq_cst: the slot is this thread's if no other thread was first
    return AddressPin.compareAndSet(
        addressOf(slot), EMPTY, PackedSlots.word(PackedSlots.stored((int) key), (int) value));
  }

  @Override
  public long update(long slot, long operand, int policy) {
    return switch (policy) {
      case MapCodes.KEEP, MapCodes.FETCH -> value(slot);
      case MapCodes.ADD ->
          // seq_cst: the value is above the key
          PackedSlots.valueOf(
              AddressPin.getAndAdd(addressOf(slot), PackedSlots.word(0, (int) operand)));
      default -> apply(slot, operand, policy);
    };
  }

  @Override
  public boolean exchange(long slot, long expected, long value, boolean removes) {
    long word = word(slot);
    int stored = PackedSlots.storedOf(word);
    long left = slot < slots ? PackedSlots.REMOVED_WORD : EMPTY;
    long after = removes ? left : PackedSlots.word(stored, (int) value);
    return stored != 0
        && PackedSlots.valueOf(word) == expected
        && AddressPin.compareAndSet(addressOf(slot), word, after);
  }

  /** Lock-free: a compare-and-exchange fails only if another one succeeded. */
  private long apply(long slot, long operand, int policy) {
    long before = word(slot);
    while (!AddressPin.compareAndSet(addressOf(slot), before, applied(before, operand, policy))) {
      before = word(slot);
    }
    return PackedSlots.valueOf(before);
  }

  private static long applied(long word, long operand, int policy) {
    int value = (int) Change.applied(PackedSlots.valueOf(word), operand, policy);
    return PackedSlots.word(PackedSlots.storedOf(word), value);
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
