package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;

/**
 * Copies between segments, with several threads if the amount is large: one thread alone copies
 * slower than a device reads. For the packages of this module.
 */
@Internal
public final class ParallelCopy {

  /** Bytes that a thread copies at a time. */
  private static final long SLICE_BYTES = 1 << 20;

  private ParallelCopy() {}

  /** Copies a whole segment to the start of another; any thread must be able to access both. */
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
