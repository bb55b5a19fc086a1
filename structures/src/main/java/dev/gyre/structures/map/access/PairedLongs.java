package dev.gyre.structures.map.access;

import dev.gyre.structures.ParallelCopy;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.Longs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Two columns of ints as longs, whose upper halves are the first column. */
final class PairedLongs extends Longs {

  private static final long LOWER = 0xffff_ffffL;

  /** Number of elements that are copied at a time, which fit in the caches. */
  private static final int CHUNK = 1 << 11;

  /** Number of elements that a thread copies. */
  private static final int SLICE = 1 << 17;

  private final Columns columns;
  private final long start;

  PairedLongs(Columns columns, long start, long length) {
    super(length);
    this.columns = columns;
    this.start = start;
  }

  @Override
  public Longs part(long from, long count) {
    return new PairedLongs(columns, start + from, count);
  }

  @Override
  public void read(long from, long[] to, int count) {
    readSome(start + from, MemorySegment.ofArray(to), 0, count);
  }

  @Override
  public void write(long to, long[] from, int count) {
    write(to, MemorySegment.ofArray(from), 0, count);
  }

  @Override
  public void read(long from, MemorySegment to, long at, long count) {
    slices(count, (first, length) -> readSome(start + from + first, to, at + first, length));
  }

  @Override
  public void write(long to, MemorySegment from, long at, long count) {
    slices(count, (first, length) -> writeSome(start + to + first, from, at + first, length));
  }

  @Override
  public void set(long index, long value) {
    long at = (start + index) * Integer.BYTES;
    columns.segment(0).set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) (value >> Integer.SIZE));
    columns.segment(1).set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) value);
  }

  private interface Slice {
    void run(long first, long length);
  }

  private static void slices(long count, Slice work) {
    int slices = (int) Math.ceilDiv(count, SLICE);
    if (slices <= 1) {
      work.run(0, count);
      return;
    }
    ParallelCopy.slices(
        slices,
        i -> {
          long first = (long) i * SLICE;
          work.run(first, Math.min(SLICE, count - first));
        });
  }

  /** Reads by way of arrays, whose loops are vectorised. */
  private void readSome(long from, MemorySegment to, long at, long count) {
    int[] upper = new int[(int) Math.min(CHUNK, count)];
    int[] lower = new int[upper.length];
    long[] both = new long[upper.length];
    for (long done = 0; done < count; done += both.length) {
      int length = (int) Math.min(both.length, count - done);
      long first = (from + done) * Integer.BYTES;
      copy(columns.segment(0), first, upper, length);
      copy(columns.segment(1), first, lower, length);
      for (int i = 0; i < length; i++) {
        both[i] = ((long) upper[i] << Integer.SIZE) | (lower[i] & LOWER);
      }
      MemorySegment.copy(
          both, 0, to, ValueLayout.JAVA_LONG_UNALIGNED, (at + done) * Long.BYTES, length);
    }
  }

  private void writeSome(long to, MemorySegment from, long at, long count) {
    int[] upper = new int[(int) Math.min(CHUNK, count)];
    int[] lower = new int[upper.length];
    long[] both = new long[upper.length];
    for (long done = 0; done < count; done += both.length) {
      int length = (int) Math.min(both.length, count - done);
      MemorySegment.copy(
          from, ValueLayout.JAVA_LONG_UNALIGNED, (at + done) * Long.BYTES, both, 0, length);
      for (int i = 0; i < length; i++) {
        upper[i] = (int) (both[i] >> Integer.SIZE);
        lower[i] = (int) both[i];
      }
      long first = (to + done) * Integer.BYTES;
      copy(upper, columns.segment(0), first, length);
      copy(lower, columns.segment(1), first, length);
    }
  }

  private static void copy(MemorySegment from, long at, int[] to, int length) {
    MemorySegment.copy(from, ValueLayout.JAVA_INT_UNALIGNED, at, to, 0, length);
  }

  private static void copy(int[] from, MemorySegment to, long at, int length) {
    MemorySegment.copy(from, 0, to, ValueLayout.JAVA_INT_UNALIGNED, at, length);
  }
}
