package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Adds the words of a text to a trie; one device thread per strip of the text. See {@link
 * TrieFunctions#build}.
 *
 * <p>Strips must not change between launches that go on with the same text.
 *
 * @param text the text
 * @param length bytes of the text
 * @param words the same memory as the text, as longs
 * @param windowed {@code length} where the letters are those of ASCII and the lowest byte of a long
 *     is its first, so that words can be found eight bytes at a time; else 0
 * @param classes a class table; see {@link Alphabet#classTable}
 * @param nodeShift a node has {@code 1 << nodeShift} ints; see {@link TrieLayout}
 * @param edges the nodes, as ints
 * @param counts the same memory, as longs
 * @param capacity number of nodes that there is room for
 * @param bump one long: number of nodes taken, at first 1 for the root; more than {@code capacity}
 *     after an overflow
 * @param pending {@link TrieLayout#pendingLongs} longs, all 0 before the first launch, and again
 *     after each: counts of words that a strip met often of late, not yet added to the trie
 * @param pendingMask entries of {@code pending} per strip, a power of two, less 1
 * @param progress {@link TrieLayout#PROGRESS_LONGS} longs per strip, at first 0
 * @param ended {@link TrieLayout#ENDED_LONGS} longs: how many strips ended with each outcome, by
 *     {@link TrieLayout#ended}, is added there
 * @param pollLimit polls after which a wait for another thread gives up
 */
public record BuildTrie(
    Bytes text,
    long length,
    ThreadLongs words,
    long windowed,
    Bytes classes,
    int nodeShift,
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

  public BuildTrie {
    if (windowed != 0 && nodeShift != AsciiWindows.KEY_SHIFT) {
      throw new IllegalArgumentException(
          "windows are for nodes of " + (1 << AsciiWindows.KEY_SHIFT) + " ints, those of ASCII");
    }
  }

  @Override
  public void run(int thread, LaunchShape shape) {
    TrieFunctions.build(
        thread,
        shape.threads(),
        text,
        length,
        words,
        windowed,
        classes,
        nodeShift,
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
