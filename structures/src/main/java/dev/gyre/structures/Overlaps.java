package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import java.lang.foreign.MemorySegment;

/**
 * Checks that the output of a bulk operation does not overwrite elements that it has yet to read.
 * Found values may overwrite exactly the keys, or exactly the values, of the same call: each
 * element is read before it is written.
 */
@Internal
public final class Overlaps {

  private Overlaps() {}

  /** Throws if an output shares elements with an input, unless both are the same elements. */
  public static void requireSameOrApart(MemorySegment output, MemorySegment input, String what) {
    boolean same = output.byteSize() == input.byteSize() && overlaps(output, input, true);
    if (!same && overlaps(output, input, false)) {
      throw new IllegalArgumentException(
          ("values would overwrite some of the %s before they are read: give separate "
                  + "elements, or exactly the %s")
              .formatted(what, what));
    }
  }

  /** Throws if an output shares elements with an input. */
  public static void requireApart(MemorySegment output, MemorySegment input, String what) {
    if (overlaps(output, input, false)) {
      throw new IllegalArgumentException(what + ": give them a segment apart");
    }
  }

  /**
   * Returns whether two segments share bytes.
   *
   * @param wholly whether all bytes of the second must be shared
   */
  private static boolean overlaps(MemorySegment one, MemorySegment other, boolean wholly) {
    return one.asOverlappingSlice(other)
        .map(shared -> !wholly || shared.byteSize() == other.byteSize())
        .orElse(false);
  }
}
