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
      long pollLimit) {
    long cache = (long) strip * TrieLayout.PENDING_LONGS * (pendingMask + 1L);
    long end = TrieFunctions.stripBegin(strip + 1L, strips, length);
    long at = progress.get(TrieLayout.position(strip));
    if (at == TrieFunctions.FRESH) {
      long begin = TrieFunctions.stripBegin(strip, strips, length);
      at = UnicodeText.wordEnd(text, begin, end, length, table);
    }
    // The word that crosses the end of the strip is ours, unless we are wholly inside it.
    long stop = at < end ? UnicodeText.wordEnd(text, end, length, length, table) : at;
    long lastWindow = Math.min(stop, windowed - AsciiWindows.MARGIN);
    long outcome = TrieFunctions.DONE;
    while (at < stop) {
      long key = WordCache.NO_WORD;
      if (at < lastWindow) {
        at = UnicodeWindows.countCached(words, at, lastWindow, pending, cache, pendingMask);
        key = UnicodeWindows.keyAt(words, at, lastWindow);
      }
      long begin = at;
      long wordEnd = at;
      if (key != WordCache.NO_WORD) {
        wordEnd = at + AsciiWindows.lengthAt(words, at);
      } else {
        begin = UnicodeText.nextWord(text, at, stop, length, table);
        // What comes behind separators may be a word for windows again.
        if (begin == at && begin < stop) {
          wordEnd = UnicodeText.lettersEnd(text, begin, length, table);
          key = UnicodeText.key(text, begin, wordEnd, length, table);
        }
      }
      int node = COUNTED;
      if (wordEnd > begin) {
        node =
            count(
                key,
                text,
                begin,
                wordEnd,
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
      if (node > 0) {
        at = Math.max(begin, wordEnd);
      } else {
        outcome = node == TrieEdges.OVERFLOW ? TrieFunctions.FULL : TrieFunctions.STUCK;
        stop = at;
      }
    }
    WordCache.flush(NODE_SHIFT, counts, pending, cache, pendingMask);
    // plain: the host reads them after the launch.
    progress.set(TrieLayout.position(strip), at);
    progress.set(TrieLayout.outcome(strip), outcome);
  }

  /**
   * Counts a word once, in the cache if it has a key.
   *
   * @param key its key; 0 where it is too long for one
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
    if (key == WordCache.NO_WORD) {
      node = walk(text, begin, wordEnd, length, table, edges, capacity, bump, pollLimit);
      if (node > 0) {
        // relaxed: the end of the launch publishes the counts.
        counts.fetchAddRelaxed(TrieLayout.count(node, NODE_SHIFT), 1);
      }
    } else {
      if (!WordCache.again(key, pending, cache, pendingMask)) {
        node = TrieEdges.walkKey(key, NODE_SHIFT, edges, capacity, bump, pollLimit);
        if (node > 0) {
          WordCache.remember(key, node, NODE_SHIFT, counts, pending, cache, pendingMask);
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
      on = node > 0 && (steps != 0 || at < wordEnd);
    }
    return node;
  }
}
