package dev.gyre.kernels.map.owned;

import dev.gyre.kernels.map.IntLines;
import dev.gyre.kernels.map.NumberSlots;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.Slots;

/**
 * A table as threads see it that own its slots: all accesses are plain, and others may read
 * meanwhile. What tells a slot's key is its <em>word</em>.
 */
interface OwnedSlots {

  /** The table. */
  Slots table();

  /** The word of a slot. */
  long word(long slot);

  /** Whether a word is that of a key; where the key is 0 it may be that of an EMPTY slot, too. */
  boolean same(long word, long key);

  /** Whether a slot of a word is FILLED, as far as its key goes. */
  boolean isFilled(long slot, long word);

  /** Whether a slot of a word is EMPTY. */
  boolean isEmpty(long slot, long word);

  /** Whether a slot whose key is FILLED has its value. */
  boolean hasValue(long slot);

  /** Fills an EMPTY slot; others see it after {@link #publish} at the latest. */
  void write(long slot, long key, long value);

  /** Publishes slots that were filled. */
  void publish(Told told, int count);

  /** The value of a slot that is FILLED. */
  long value(long slot);

  /** Writes the value of a slot that is FILLED. */
  void setValue(long slot, long value);

  /** For a table. */
  static OwnedSlots of(Slots table) {
    if (table instanceof NumberSlots states) {
      return new OwnedStates(states);
    }
    if (table instanceof IntLines lines) {
      return new OwnedLines(lines);
    }
    if (table instanceof PackedSlots packed) {
      return new OwnedPacked(packed);
    }
    throw new IllegalArgumentException("slots of " + table.getClass() + " are not owned");
  }
}
