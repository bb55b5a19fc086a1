package dev.gyre.structures.map.work;

import dev.gyre.structures.ParallelCopy;
import dev.gyre.structures.map.Longs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Longs that are made from ints when they are read, and become ints when they are written. */
public abstract class ConvertedLongs extends Longs {

  /** Number of elements that are converted at a time, which fit in the caches. */
  private static final int CHUNK = 1 << 11;

  /** Number of elements that a thread copies. */
  private static final int SLICE = 1 << 17;

  protected ConvertedLongs(long length) {
    super(length);
  }

  /**
   * Reads some elements by way of arrays, whose loops are vectorised.
   *
   * @param buffer two ints per element
   */
  protected abstract void toLongs(long from, long[] to, int at, int count, int[] buffer);

  /** Writes some elements as {@link #toLongs} reads them. */
  protected abstract void toInts(long to, long[] from, int at, int count, int[] buffer);

  private static int[] buffer(long count) {
    return new int[2 * (int) Math.min(CHUNK, count)];
  }

  @Override
  public final void read(long from, long[] to, int count) {
    int[] buffer = buffer(count);
    for (int at = 0; at < count; at += CHUNK) {
      toLongs(from + at, to, at, Math.min(CHUNK, count - at), buffer);
    }
  }

  @Override
  public final void write(long to, long[] from, int count) {
    int[] buffer = buffer(count);
    for (int at = 0; at < count; at += CHUNK) {
      toInts(to + at, from, at, Math.min(CHUNK, count - at), buffer);
    }
  }

  @Override
  public final void read(long from, MemorySegment to, long at, long count) {
    inChunks(
        count,
        (done, length, chunk, buffer) -> {
          toLongs(from + done, chunk, 0, length, buffer);
          MemorySegment.copy(
              chunk, 0, to, ValueLayout.JAVA_LONG_UNALIGNED, (at + done) * Long.BYTES, length);
        });
  }

  @Override
  public final void write(long to, MemorySegment from, long at, long count) {
    inChunks(
        count,
        (done, length, chunk, buffer) -> {
          MemorySegment.copy(
              from, ValueLayout.JAVA_LONG_UNALIGNED, (at + done) * Long.BYTES, chunk, 0, length);
          toInts(to + done, chunk, 0, length, buffer);
        });
  }

  @Override
  public final void set(long index, long value) {
    toInts(index, new long[] {value}, 0, 1, buffer(1));
  }

  private interface Chunk {
    void convert(long done, int length, long[] chunk, int[] buffer);
  }

  private static void inChunks(long count, Chunk work) {
    int slices = (int) Math.ceilDiv(count, SLICE);
    if (slices <= 1) {
      inChunks(0, count, work);
    } else {
      ParallelCopy.slices(
          slices, i -> inChunks((long) i * SLICE, Math.min(count, (i + 1L) * SLICE), work));
    }
  }

  private static void inChunks(long from, long to, Chunk work) {
    long[] chunk = new long[(int) Math.min(CHUNK, to - from)];
    int[] buffer = buffer(chunk.length);
    for (long done = from; done < to; done += CHUNK) {
      work.convert(done, (int) Math.min(CHUNK, to - done), chunk, buffer);
    }
  }
}
