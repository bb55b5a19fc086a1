package dev.gyre.structures.trie;

import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.trie.KernelText;
import dev.gyre.structures.Waking;

/**
 * How long the pieces of a text are, and in which shape a launcher works on one.
 *
 * @param deviceThreads how many strips a long text is cut into, or device threads work on it; 0 for
 *     what suits the launcher
 */
record TextShapes(int deviceThreads) {

  /** A strip shorter than this does not pay for its device thread, in bytes. */
  static final long MIN_STRIP_BYTES = 1 << 14;

  /** A device is kept busy with this much text at a time, in bytes. */
  static final long DEVICE_CHUNK_BYTES = 1 << 26;

  /** The same of a text that is in memory: large for few launches, small for an early first one. */
  private static final long MIN_PIECE_BYTES = 1 << 24;

  /** A text of n bytes goes in pieces of so many times its square root, within those bounds. */
  private static final long PIECE_BYTES_PER_ROOT = 1 << 11;

  /** How long a worker takes for a byte, in nanoseconds, about. */
  private static final long NANOS_PER_BYTE = 3;

  /** Device threads of each unit of a device, which share its fast memory. */
  private static final long DEVICE_THREADS_PER_UNIT = 1 << 11;

  /** A thread of a device has so many chunks or more, so that all end at about the same time. */
  private static final long CHUNKS_PER_DEVICE_THREAD = 2;

  /** Length of the pieces of a text that is in memory. */
  static long pieceBytes(long length) {
    return Math.clamp(
        (long) (PIECE_BYTES_PER_ROOT * Math.sqrt((double) length)),
        MIN_PIECE_BYTES,
        DEVICE_CHUNK_BYTES);
  }

  /** The shape in which a launcher works on so many bytes. */
  LaunchShape shape(Launcher used, long length) {
    if (used.device().target() == Target.JVM) {
      return deviceThreads > 0
          ? LaunchShape.ofThreads(deviceThreads)
          : used.shapeFor(isFew(used, length) ? 1 : Math.max(1, length / MIN_STRIP_BYTES));
    }
    long most = used.device().units() * DEVICE_THREADS_PER_UNIT;
    int threads =
        deviceThreads > 0
            ? deviceThreads
            : (int) Math.clamp(KernelText.chunks(length) / CHUNKS_PER_DEVICE_THREAD, 1, most);
    // Whole blocks: each thread of a block has its part of all slots that the block has.
    int block = used.shapeFor(Integer.MAX_VALUE).blockSize();
    return new LaunchShape(Math.ceilDiv(threads, block), block);
  }

  private static boolean isFew(Launcher used, long length) {
    return length <= TrieBuild.MOST_HERE
        && !new Waking(used.device().units()).pays(length * NANOS_PER_BYTE, true);
  }
}
