package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;

/**
 * Copies between segments, by several threads where it is much: one thread alone does not copy as
 * fast as a device takes it. For the packages of this module.
 */
@Internal
public final class ParallelCopy {

  /** What a thread copies at a time. */
  private static final long SLICE_BYTES = 1 << 20;

  private ParallelCopy() {}

  /** Copies all of a segment to another one, from its start; any thread may use both. */
  public static void copy(MemorySegment from, MemorySegment to) {
    long bytes = from.byteSize();
    int slices = (int) Math.ceilDiv(bytes, SLICE_BYTES);
    if (slices <= 1) {
      MemorySegment.copy(from, 0, to, 0, bytes);
      return;
    }
    IntStream.range(0, slices)
        .parallel()
        .forEach(
            i -> {
              long at = i * SLICE_BYTES;
              MemorySegment.copy(from, at, to, at, Math.min(SLICE_BYTES, bytes - at));
            });
  }
}
