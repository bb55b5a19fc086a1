package dev.gyre.kernels.map.exclusive;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.IntSlots;
import dev.gyre.kernels.map.KeySlots;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.PackedSlots;

/**
 * Memory layout of a table.
 *
 * @param stateShift bytes from one state to the next, as a power of two
 * @param shift the same for keys and values
 */
record Shape(
    NumberTable table,
    long seed,
    Hash hash,
    Memory states,
    Memory keys,
    Memory values,
    long firstKey,
    long firstValue,
    int stateShift,
    int shift) {

  static Shape of(NumberTable table) {
    return switch (table) {
      case LongSlots of ->
          new Shape(
              of,
              of.seed(),
              of.hash(),
              of.states().memory(),
              of.keys().memory(),
              of.values().memory(),
              of.keyAt(0) * Long.BYTES,
              of.valueAt(0) * Long.BYTES,
              Long.numberOfTrailingZeros(of.stateAt(1) * Integer.BYTES),
              Long.numberOfTrailingZeros((of.keyAt(1) - of.keyAt(0)) * Long.BYTES));
      case IntSlots of ->
          new Shape(
              of,
              of.seed(),
              of.hash(),
              of.states().memory(),
              of.keys().memory(),
              of.values().memory(),
              0,
              0,
              2,
              2);
      case PackedSlots of -> {
        Memory memory = of.words().memory();
        yield new Shape(of, of.seed(), of.hash(), memory, memory, memory, 0, 0, 0, 3);
      }
      case KeySlots of -> {
        Memory memory = of.memory();
        int shift = of instanceof KeySlots.OfInts ? 2 : 3;
        yield new Shape(of, of.seed(), of.hash(), memory, memory, memory, 0, 0, 0, shift);
      }
      default -> throw new IllegalArgumentException("not a table of numbers: " + table);
    };
  }
}
