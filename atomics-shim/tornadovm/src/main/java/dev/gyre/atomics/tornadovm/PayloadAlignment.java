package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Alignment of the payload of a memory on a device, from the way in which TornadoVM places arrays.
 *
 * <p>A memory is sent as a whole, with the {@value Memory#HEADER_BYTES} bytes before its payload,
 * which begin with TornadoVM's own header. Some versions of TornadoVM align the address after their
 * header, and not the header.
 */
final class PayloadAlignment {

  /** Smallest alignment of all allocations of CUDA and OpenCL. */
  private static final int ALLOCATION = 256;

  private PayloadAlignment() {}

  /** Returns the alignment for arrays at the start of allocations. */
  static long ofAllocations() {
    return of(TornadoNativeArray.ARRAY_HEADER, 1);
  }

  /**
   * Returns the largest power of two that divides the address of each payload.
   *
   * @param header size of TornadoVM's header, in bytes
   * @param aligned alignment of the address after that header by TornadoVM; 1 for none
   * @throws GyreException if the header does not fit before the payload
   */
  static long of(long header, long aligned) {
    if (header > Memory.HEADER_BYTES || header % Long.BYTES != 0) {
      throw new GyreException(
          "TornadoVM puts %d bytes before an array, and Gyre has space for whole longs, up to %d"
              .formatted(header, Memory.HEADER_BYTES));
    }
    if (aligned <= 1) {
      return Math.min(ALLOCATION, Memory.HEADER_BYTES);
    }
    long after = Math.floorMod(Memory.HEADER_BYTES - header, aligned);
    return after == 0 ? aligned : Long.lowestOneBit(after);
  }
}
