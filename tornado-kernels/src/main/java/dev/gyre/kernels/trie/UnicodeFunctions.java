package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;

/**
 * The device functions of {@link TrieFunctions} for the letters of Unicode. The trie, the caches of
 * the strips and the edges' protocol are the same; what differs is how words are found.
 *
 * <p>Words of ASCII letters are found in windows. Where there is a byte that is none of ASCII, one
 * word, or all that separates it from the one before, is gone through letter by letter.
 */
public final class UnicodeFunctions {

  /** A node of this alphabet has {@code 1 << NODE_SHIFT} ints; a step has as many bits. */
  static final int NODE_SHIFT = Letter.STEP_BITS;

  /** What {@link #count} returns for a word whose node was not needed. */
  private static final int COUNTED = 1;

  private UnicodeFunctions() {}

  /**
   * Adds the words that start in one strip of a text to the trie; see {@link TrieFunctions#build}.
   *
   * <p>The parameters are those of {@link BuildUnicodeTrie}.
   *
   * @param strip number of the strip, from 0 to {@code strips - 1}
   * @param strips number of strips; the same in all calls for one text
   */
  public static void build(
      int strip,
      int strips,
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
      long pollLimit) {
    long cache = (long) strip * TrieLayout.PENDING_LONGS * (pendingMask + 1L);
    long end = TrieFunctions.stripBegin(strip + 1L, strips, length);
    long at = progress.get(TrieLayout.position(strip)) - 1;
    if (at < 0) {
      long begin = TrieFunctions.stripBegin(strip, strips, length);
      at = UnicodeText.wordEnd(text, begin, end, length, table);
    }
    // The word that crosses the end of the strip is ours, unless we are wholly inside it.
    long stop = at < end ? UnicodeText.wordEnd(text, end, length, length, table) : at;
    long lastWindow = Math.min(stop, windowed - AsciiWindows.MARGIN);
    int node = COUNTED;
    while (at < stop) {
      long key = WordCache.NO_WORD;
      if (at < lastWindow) {
        at = UnicodeWindows.countCached(words, at, lastWindow, pending, cache, pendingMask);
        key = UnicodeWindows.keyAt(words, at, lastWindow);
      }
      long next = at;
      if (key == WordCache.NO_WORD) {
        // What comes behind separators may be a word for windows again.
        next = UnicodeText.nextWord(text, at, stop, length, table);
      }
      if (Math.min(stop - at, at + 1 - next) > 0) {
        if (key == WordCache.NO_WORD) {
          next = UnicodeText.lettersEnd(text, at, length, table);
          key = UnicodeText.key(text, at, next, length, table);
        } else {
          next = at + AsciiWindows.lengthAt(words, at);
        }
        node =
            count(
                key,
                text,
                at,
                next,
                length,
                table,
                edges,
                counts,
                capacity,
                bump,
                pending,
                cache,
                pendingMask,
                pollLimit);
      }
      at = node > 0 ? next : at;
      stop = node > 0 ? stop : at;
    }
    long refused = node == TrieEdges.OVERFLOW ? TrieFunctions.FULL : TrieFunctions.STUCK;
    long outcome = node > 0 ? TrieFunctions.DONE : refused;
    WordCache.flush(NODE_SHIFT, counts, pending, cache, pendingMask);
    // plain: the host reads them after the launch.
    progress.set(TrieLayout.position(strip), at + 1);
    progress.set(TrieLayout.outcome(strip), outcome);
    // relaxed: the end of the launch publishes it.
    ended.fetchAddRelaxed(TrieLayout.ended(strip, outcome), 1);
  }

  /**
   * Counts a word once, in the cache if it has a key.
   *
   * @return more than 0; or RESERVED or OVERFLOW where there is no node for it
   */
  static int count(
      long key,
      Bytes text,
      long begin,
      long wordEnd,
      long length,
      ThreadInts table,
      DeviceInts edges,
      DeviceLongs counts,
      long capacity,
      DeviceLongs bump,
      ThreadLongs pending,
      long cache,
      int pendingMask,
      long pollLimit) {
    int node = COUNTED;
    if (!WordCache.again(key, pending, cache, pendingMask)) {
      if (key > 0) {
        node = TrieEdges.walkKey(key, NODE_SHIFT, edges, capacity, bump, pollLimit);
      } else {
        node = walk(text, begin, wordEnd, length, table, edges, capacity, bump, pollLimit);
      }
      if (node > 0) {
        if (key > 0) {
          WordCache.remember(key, node, NODE_SHIFT, counts, pending, cache, pendingMask);
        } else {
          // relaxed: the end of the launch publishes the counts.
          counts.fetchAddRelaxed(TrieLayout.count(node, NODE_SHIFT), 1);
        }
      }
    }
    return node;
  }

  /** The node of a word, made if need be; or RESERVED or OVERFLOW. */
  static int walk(
      Bytes text,
      long begin,
      long wordEnd,
      long length,
      ThreadInts table,
      DeviceInts edges,
      long capacity,
      DeviceLongs bump,
      long pollLimit) {
    int node = TrieLayout.ROOT;
    long at = begin;
    int steps = 0;
    boolean on = true;
    while (on) {
      if (steps == 0) {
        long letter = UnicodeText.letterAt(text, at, length, table);
        steps = Letter.steps(letter);
        at += Letter.bytes(letter);
      }
      long edge = TrieLayout.edge(node, NODE_SHIFT, Letter.edge(steps));
      // acquire: pairs with the release in TrieEdges.claim().
      node = edges.loadAcquire(edge);
      if (node <= 0) {
        node = TrieEdges.claim(node, edges, edge, capacity, bump, pollLimit);
      }
      steps >>= Letter.STEP_BITS;
      on = Math.min(node, steps + wordEnd - at) > 0;
    }
    return node;
  }
}
