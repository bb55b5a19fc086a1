package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;

/**
 * Text in one memory, for kernels, which process it in <em>chunks</em> of {@value #CHUNK} bytes.
 *
 * @param bytes the text
 * @param longs the same memory; the lowest byte of a long is its first
 * @param length length of the text, in bytes
 * @since 0.1.0
 */
@Internal
public record KernelText(Bytes bytes, ThreadLongs longs, long length) {

  /** Size of a chunk, in bytes. */
  public static final int CHUNK = Integer.SIZE;

  /** Returns the text of the first bytes of a memory. */
  public static KernelText of(Memory memory, long length) {
    return new KernelText(Bytes.of(memory), ThreadLongs.of(memory), length);
  }

  /** Returns the number of chunks of a text of {@code length} bytes. */
  public static long chunks(long length) {
    return length / CHUNK + (length % CHUNK == 0 ? 0 : 1);
  }

  /** Returns the eight bytes from a byte on, the first in the lowest bits. */
  public long eightAt(long at) {
    long index = at >> 3;
    return AsciiWindows.window(eight(index), eight(index + 1), ((int) at & 7) << 3);
  }

  /** Returns eight bytes, the first in the lowest bits. Bytes after the end of the text are 0. */
  long eight(long index) {
    long eight = 0;
    if (index < length >> 3) {
      eight = longs.get(index);
    } else {
      for (long at = index << 3; at < length; at++) {
        eight |= (long) bytes.getUnsigned(at) << (((int) at & 7) << 3);
      }
    }
    return eight;
  }
}
