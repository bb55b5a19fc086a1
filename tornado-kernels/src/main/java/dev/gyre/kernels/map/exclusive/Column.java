package dev.gyre.kernels.map.exclusive;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Handle;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * Ints or longs of a batch, at any place, which are copied to and from longs in blocks; or longs of
 * an array, which need no copy.
 */
final class Column {

  private final MemorySegment numbers;
  private final boolean ofInts;

  /** Buffer of a conversion. */
  private final int[] ints;

  /** The numbers: the array itself, or a copy. */
  private final long[] longs;

  /** Index of the first number in the array; -1 for a copy. */
  private final int start;

  /**
   * Creates a column of the ints or longs in a segment, of an array or of memory.
   *
   * @param most largest number that is needed at a time
   * @param copied whether the numbers must not change meanwhile, even if another thread writes the
   *     array
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

  static Column of(Handle numbers, int most) {
    MemorySegment all = Objects.requireNonNull(numbers.memory()).segment();
    return new Column(all, numbers instanceof DeviceInts, most, true);
  }

  /** Returns the numbers, from {@link #first} on. */
  long[] longs() {
    return longs;
  }

  /** Returns the index in {@link #longs} of the number at an index of the batch. */
  int first(long at) {
    return start < 0 ? 0 : start + (int) at;
  }

  /** Loads numbers of the batch. */
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

  /** Writes numbers to the batch. */
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
