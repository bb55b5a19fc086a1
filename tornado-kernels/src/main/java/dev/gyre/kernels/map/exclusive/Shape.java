package dev.gyre.kernels.map.exclusive;

import dev.gyre.atomics.AddressPin;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Handle;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.KeySlots;
import dev.gyre.kernels.map.NumberSlots;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.PackedSlots;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Memory layout of a table. */
record Shape(NumberTable table, Array states, Array keys, Array values) {

  /**
   * Numbers of all slots.
   *
   * @param first offset of the first, in bytes
   * @param shift bytes from one slot to the next, as a power of two
   * @param ints whether they are ints, not longs
   */
  record Array(Memory memory, long first, int shift, boolean ints) {

    private static Array of(Handle numbers, long first, long second) {
      boolean ints = numbers instanceof DeviceInts;
      int bytes = ints ? Integer.BYTES : Long.BYTES;
      return new Array(
          Objects.requireNonNull(numbers.memory()),
          first * bytes,
          Long.numberOfTrailingZeros((second - first) * bytes),
          ints);
    }

    MemorySegment segment() {
      return memory.segment();
    }

    /** Returns the place of the first number; see {@link AddressPin#first}. */
    long place(long slots) {
      return AddressPin.first(segment(), slots, shift) + first;
    }
  }

  static Shape of(NumberTable table) {
    return switch (table) {
      case NumberSlots of ->
          new Shape(
              of,
              Array.of(of.states(), of.stateAt(0), of.stateAt(1)),
              Array.of(of.keys(), of.keyAt(0), of.keyAt(1)),
              Array.of(of.values(), of.valueAt(0), of.valueAt(1)));
      case PackedSlots of -> of(of, of.words());
      case KeySlots of -> of(of, of.words());
      default -> throw new IllegalArgumentException("not a table of numbers: " + table);
    };
  }

  /** Returns the layout of a table of words. */
  private static Shape of(NumberTable table, Handle words) {
    Array all = Array.of(words, 0, 1);
    return new Shape(table, all, all, all);
  }
}
