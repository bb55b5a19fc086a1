package dev.gyre.kernels.map.owned;

import dev.gyre.kernels.map.Numbers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Ints or longs of a batch, wherever they are, of which some at a time are copied from and to
 * longs; or longs of an array, which need not be.
 */
final class Column {

  private final MemorySegment numbers;
  private final boolean ofInts;

  /** On their way. */
  private final int[] ints;

  /** Where the numbers are: in the array itself, or copied. */
  private final long[] longs;

  /** Element of the array that is the first of these; -1 where they are copied. */
  private final int start;

  /**
   * The ints or longs in a segment, of an array or of memory.
   *
   * @param most how many are needed at a time
   * @param copied whether they must not change meanwhile, whoever may write to the array
   */
  Column(MemorySegment numbers, boolean ofInts, int most, boolean copied) {
    this.numbers = numbers;
    this.ofInts = ofInts;
    this.ints = new int[ofInts ? most : 0];
    Object base = ofInts || copied ? null : numbers.heapBase().orElse(null);
    if (base instanceof long[] array && numbers.address() % Long.BYTES == 0) {
      this.longs = array;
      this.start = (int) (numbers.address() / Long.BYTES);
    } else {
      this.longs = new long[most];
      this.start = -1;
    }
  }

  static Column of(Numbers numbers, int most) {
    return switch (numbers) {
      case Numbers.Ints ints -> new Column(ints.row().memory().segment(), true, most, true);
      case Numbers.Longs longs -> new Column(longs.row().memory().segment(), false, most, true);
      default -> throw new IllegalArgumentException("neither ints nor longs: " + numbers);
    };
  }

  /** Where some are, from {@link #first} on. */
  long[] longs() {
    return longs;
  }

  /** Where the number at an index is among {@link #longs}, if it is the first of some. */
  int first(long at) {
    return start < 0 ? 0 : start + (int) at;
  }

  /** Has some there, from one on. */
  void read(long at, int count) {
    if (ofInts) {
      MemorySegment.copy(
          numbers, ValueLayout.JAVA_INT_UNALIGNED, at * Integer.BYTES, ints, 0, count);
      for (int i = 0; i < count; i++) {
        longs[i] = ints[i];
      }
    } else if (start < 0) {
      MemorySegment.copy(
          numbers, ValueLayout.JAVA_LONG_UNALIGNED, at * Long.BYTES, longs, 0, count);
    }
  }

  /** Writes some from there, from one on. */
  void write(long at, int count) {
    if (ofInts) {
      for (int i = 0; i < count; i++) {
        ints[i] = (int) longs[i];
      }
      MemorySegment.copy(
          ints, 0, numbers, ValueLayout.JAVA_INT_UNALIGNED, at * Integer.BYTES, count);
    } else if (start < 0) {
      MemorySegment.copy(
          longs, 0, numbers, ValueLayout.JAVA_LONG_UNALIGNED, at * Long.BYTES, count);
    }
  }
}
