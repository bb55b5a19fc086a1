package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Where on a device the payload of a memory begins, as TornadoVM places the array that it takes it
 * for.
 *
 * <p>A memory is sent whole, with the {@value Memory#HEADER_BYTES} bytes before its payload, of
 * which TornadoVM's own header are the first. Some of its versions align what follows their header,
 * rather than the header.
 */
final class PayloadAlignment {

  /** What CUDA and OpenCL align all that they allocate to, at least. */
  private static final int ALLOCATION = 256;

  private PayloadAlignment() {}

  /** For arrays that begin where the driver allocated them. */
  static long ofAllocations() {
    return of(TornadoNativeArray.ARRAY_HEADER, 1);
  }

  /**
   * The largest power of two that is sure to divide the address of a payload.
   *
   * @param header length of TornadoVM's header, in bytes
   * @param aligned what the address after that header is a multiple of by TornadoVM's doing; 1
   *     where it leaves an array where it was allocated
   * @throws GyreException if that header does not fit before the payload
   */
  static long of(long header, long aligned) {
    if (header > Memory.HEADER_BYTES || header % Long.BYTES != 0) {
      throw new GyreException(
          "TornadoVM puts %d bytes before an array, and Gyre has room for whole longs, up to %d"
              .formatted(header, Memory.HEADER_BYTES));
    }
    if (aligned <= 1) {
      return Math.min(ALLOCATION, Memory.HEADER_BYTES);
    }
    long after = Math.floorMod(Memory.HEADER_BYTES - header, aligned);
    return after == 0 ? aligned : Long.lowestOneBit(after);
  }
}
