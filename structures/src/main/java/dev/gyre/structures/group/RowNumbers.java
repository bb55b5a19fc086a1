package dev.gyre.structures.group;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.structures.ParallelCopy;
import dev.gyre.structures.arrow.ArrowExport;
import dev.gyre.structures.arrow.SharedUse;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import java.util.function.LongBinaryOperator;

/**
 * Row numbers in off-heap memory: ints if all rows have numbers below 2<sup>31</sup>, otherwise
 * longs. In a join, -1 stands for no row.
 *
 * @since 0.1.0
 */
public final class RowNumbers implements AutoCloseable {

  /** Number of rows that a task sorts. */
  private static final long TASK_ROWS = 1 << 14;

  private final SharedUse use;
  private final MemorySegment numbers;
  private final long size;
  private final boolean ints;

  /**
   * Allocates row numbers, which are 0.
   *
   * @param rows number of rows that are numbered
   */
  RowNumbers(long size, long rows) {
    Memory memory = Memory.ofBytes(size * bytes(rows));
    this(memory.segment(), new SharedUse(memory::close), 0, size, rows);
  }

  /** Creates row numbers in a part of a memory, whose use ends with them. */
  RowNumbers(MemorySegment memory, SharedUse use, long fromByte, long size, long rows) {
    this.size = size;
    this.ints = bytes(rows) == Integer.BYTES;
    this.use = use;
    this.numbers = memory.asSlice(fromByte, size * bytes(rows));
  }

  /** Returns the size of the number of one of some rows. */
  static int bytes(long rows) {
    return rows <= Integer.MAX_VALUE ? Integer.BYTES : Long.BYTES;
  }

  /**
   * Returns the numbers of some rows in an order, which returns a negative number, 0 or a positive
   * number. Equal rows stay in the order of their numbers.
   */
  static RowNumbers sorted(long rows, LongBinaryOperator order) {
    RowNumbers sorted = new RowNumbers(rows, rows);
    try (RowNumbers other = new RowNumbers(rows, rows)) {
      sort(sorted, 0, rows, other, order);
      return sorted;
    } catch (RuntimeException | Error e) {
      sorted.close();
      throw e;
    }
  }

  /** Sorts the row numbers from one index to another, by merges in parallel. */
  private static void sort(
      RowNumbers to, long begin, long end, RowNumbers other, LongBinaryOperator order) {
    long middle = (begin + end) >>> 1;
    if (middle == begin) {
      if (begin < end) {
        to.set(begin, begin);
      }
      return;
    }
    if (end - begin > TASK_ROWS) {
      ParallelCopy.slices(
          2, half -> sort(other, half == 0 ? begin : middle, half == 0 ? middle : end, to, order));
    } else {
      sort(other, begin, middle, to, order);
      sort(other, middle, end, to, order);
    }
    merge(other, begin, middle, end, to, order);
  }

  /** Merges two sorted runs, from one index to a middle and on to an end. */
  private static void merge(
      RowNumbers from, long begin, long middle, long end, RowNumbers to, LongBinaryOperator order) {
    long left = begin;
    long right = middle;
    for (long at = begin; at < end; at++) {
      boolean takesLeft =
          right == end
              || (left < middle && order.applyAsLong(from.get(left), from.get(right)) <= 0);
      to.set(at, from.get(takesLeft ? left++ : right++));
    }
  }

  /** Returns how many row numbers there are. */
  public long size() {
    return size;
  }

  /** Returns whether the row numbers are ints. */
  public boolean areInts() {
    return ints;
  }

  /** Returns the row numbers in native byte order, as ints or as longs, without a copy. */
  public MemorySegment segment() {
    return numbers.asReadOnly();
  }

  /**
   * Returns a row number.
   *
   * @throws IndexOutOfBoundsException if {@code index} is negative, or {@link #size} or more
   * @throws ClosedException if the memory was freed
   */
  public long get(long index) {
    long at = Objects.checkIndex(index, size);
    try {
      return ints
          ? numbers.getAtIndex(ValueLayout.JAVA_INT, at)
          : numbers.getAtIndex(ValueLayout.JAVA_LONG, at);
    } catch (IllegalStateException e) {
      throw new ClosedException("RowNumbers");
    }
  }

  void set(long index, long row) {
    if (ints) {
      numbers.setAtIndex(ValueLayout.JAVA_INT, index, (int) row);
    } else {
      numbers.setAtIndex(ValueLayout.JAVA_LONG, index, row);
    }
  }

  /** Sets some row numbers from an index on. */
  void set(long index, long[] rows, int count) {
    for (int i = 0; i < count; i++) {
      set(index + i, rows[i]);
    }
  }

  /** Copies some row numbers from an index on. */
  void get(long index, long[] rows, int count) {
    for (int i = 0; i < count; i++) {
      rows[i] = get(index + i);
    }
  }

  /** Returns these row numbers for another library, without a copy. */
  ArrowExport.Column exported(String name) {
    return new ArrowExport.Column(
        name, ints ? "i" : "l", List.of(MemorySegment.NULL, numbers), use);
  }

  /** Frees the memory, unless an export uses it. Further calls do nothing. */
  @Override
  public void close() {
    use.close();
  }
}
