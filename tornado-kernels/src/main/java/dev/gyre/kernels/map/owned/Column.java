package dev.gyre.kernels.map.owned;

import dev.gyre.kernels.map.Numbers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Ints or longs of a batch, wherever they are, of which some at a time are copied from and to
 * longs.
 */
final class Column {

  private final MemorySegment numbers;
  private final boolean ofInts;

  /** On their way. */
  private final int[] ints;

  /** The ints or longs in a segment, of an array or of memory. */
  Column(MemorySegment numbers, boolean ofInts, int most) {
    this.numbers = numbers;
    this.ofInts = ofInts;
    this.ints = new int[ofInts ? most : 0];
  }

  static Column of(Numbers numbers) {
    return switch (numbers) {
      case Numbers.Ints ints -> new Column(ints.row().memory().segment(), true, Told.LENGTH);
      case Numbers.Longs longs -> new Column(longs.row().memory().segment(), false, Told.LENGTH);
      default -> throw new IllegalArgumentException("neither ints nor longs: " + numbers);
    };
  }

  /** Copies some, from one on. */
  void read(long at, long[] to, int count) {
    if (!ofInts) {
      MemorySegment.copy(numbers, ValueLayout.JAVA_LONG_UNALIGNED, at * Long.BYTES, to, 0, count);
      return;
    }
    MemorySegment.copy(numbers, ValueLayout.JAVA_INT_UNALIGNED, at * Integer.BYTES, ints, 0, count);
    for (int i = 0; i < count; i++) {
      to[i] = ints[i];
    }
  }

  /** Writes some, from one on. */
  void write(long at, long[] from, int count) {
    if (!ofInts) {
      MemorySegment.copy(from, 0, numbers, ValueLayout.JAVA_LONG_UNALIGNED, at * Long.BYTES, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      ints[i] = (int) from[i];
    }
    MemorySegment.copy(ints, 0, numbers, ValueLayout.JAVA_INT_UNALIGNED, at * Integer.BYTES, count);
  }
}
