package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Adds the words of a text in UTF-8 to a trie for {@link Alphabet#UNICODE_LETTERS}; one device
 * thread per strip of the text. See {@link UnicodeFunctions#build}, and {@link BuildTrie} for what
 * is the same with ASCII.
 *
 * @param text the text
 * @param length bytes of the text
 * @param words the same memory as the text, as longs
 * @param windowed {@code length} where the lowest byte of a long is its first, so that words of
 *     ASCII letters can be found eight bytes at a time; else 0
 * @param table the letters; see {@link Alphabet#table}
 * @param edges the nodes, as ints
 * @param counts the same memory, as longs
 * @param capacity number of nodes that there is room for
 * @param bump one long: number of nodes taken, as for {@link BuildTrie}
 * @param pending caches of the strips, as for {@link BuildTrie}
 * @param pendingMask entries of {@code pending} per strip, a power of two, less 1
 * @param progress where each strip is and how it ended, as for {@link BuildTrie}
 * @param ended how many strips ended with each outcome, as for {@link BuildTrie}
 * @param pollLimit polls after which a wait for another thread gives up
 */
public record BuildUnicodeTrie(
    Bytes text,
    long length,
    ThreadLongs words,
    long windowed,
    ThreadInts table,
    DeviceInts edges,
    DeviceLongs counts,
    long capacity,
    DeviceLongs bump,
    ThreadLongs pending,
    int pendingMask,
    ThreadLongs progress,
    DeviceLongs ended,
    long pollLimit)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    UnicodeFunctions.build(
        thread,
        shape.threads(),
        text,
        length,
        words,
        windowed,
        table,
        edges,
        counts,
        capacity,
        bump,
        pending,
        pendingMask,
        progress,
        ended,
        pollLimit);
  }
}
