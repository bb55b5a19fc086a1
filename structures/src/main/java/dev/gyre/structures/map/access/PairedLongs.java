package dev.gyre.structures.map.access;

import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.work.ConvertedLongs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Two columns of ints as longs, whose upper halves are the first column. */
final class PairedLongs extends ConvertedLongs {

  private static final long LOWER = 0xffff_ffffL;

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
  protected void toLongs(long from, long[] to, int at, int count, int[] buffer) {
    long first = (start + from) * Integer.BYTES;
    for (int i = 0; i < 2; i++) {
      MemorySegment.copy(
          columns.segment(i), ValueLayout.JAVA_INT_UNALIGNED, first, buffer, i * count, count);
    }
    for (int i = 0; i < count; i++) {
      to[at + i] = ((long) buffer[i] << Integer.SIZE) | (buffer[count + i] & LOWER);
    }
  }

  @Override
  protected void toInts(long to, long[] from, int at, int count, int[] buffer) {
    for (int i = 0; i < count; i++) {
      buffer[i] = (int) (from[at + i] >> Integer.SIZE);
      buffer[count + i] = (int) from[at + i];
    }
    long first = (start + to) * Integer.BYTES;
    for (int i = 0; i < 2; i++) {
      MemorySegment.copy(
          buffer, i * count, columns.segment(i), ValueLayout.JAVA_INT_UNALIGNED, first, count);
    }
  }
}
