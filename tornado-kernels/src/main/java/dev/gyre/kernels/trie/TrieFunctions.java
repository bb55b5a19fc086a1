package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadLongs;

/**
 * The word trie's device functions: all device threads build one trie, each from a strip of a text.
 *
 * <p>How they share it is in {@link TrieEdges}; that they seldom meet is due to {@link WordCache}.
 * What is a strip's own, its cache and progress, it reads and writes plainly; the end of the launch
 * publishes it.
 */
public final class TrieFunctions {

  /** Outcome of a strip: it has not run yet. */
  public static final long NOT_RUN = 0;

  /** Outcome of a strip: all its words are counted. */
  public static final long DONE = 1;

  /** Outcome of a strip: the pool of nodes is exhausted; it goes on once there is room. */
  public static final long FULL = 2;

  /**
   * Outcome of a strip: it gave up waiting for a node that another thread had taken and did not
   * publish, at the poll limit or (JVM) because it was interrupted.
   */
  public static final long STUCK = 3;

  private static final int NO_LETTER = Alphabet.NO_LETTER;

  /** What is no node, and no value of an edge either. */
  private static final int NO_NODE = Integer.MIN_VALUE;

  private TrieFunctions() {}

  /**
   * Adds the words that start in one strip of a text to the trie.
   *
   * <p>The parameters are those of {@link BuildTrie}. A strip that ends {@link #FULL} or {@link
   * #STUCK} has counted all its words before {@code progress}' position and none after, and goes on
   * from there when called again.
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
      long pollLimit) {
    long cache = (long) strip * TrieLayout.PENDING_LONGS * (pendingMask + 1L);
    long end = stripBegin(strip + 1L, strips, length);
    long at = progress.get(TrieLayout.position(strip)) - 1;
    if (at < 0) {
      at = wordEnd(text, classes, stripBegin(strip, strips, length), end);
    }
    // The word that crosses the end of the strip is ours, unless we are wholly inside it.
    long stop = at < end ? wordEnd(text, classes, end, length) : at;
    long lastWindow = Math.min(stop, windowed - AsciiWindows.MARGIN);
    long outcome = DONE;
    while (at < stop) {
      boolean windows = at < lastWindow;
      long limit = windows ? lastWindow : stop;
      long key = WordCache.NO_WORD;
      boolean known = false;
      if (windows) {
        at = AsciiWindows.countCached(words, at, limit, pending, cache, pendingMask);
        key = AsciiWindows.keyAt(words, at, limit);
        known = WordCache.promote(key, pending, cache, pendingMask);
      } else {
        at =
            WordCache.countCached(text, at, limit, classes, nodeShift, pending, cache, pendingMask);
      }
      int node = NO_NODE;
      if (known) {
        at += AsciiWindows.lengthAt(words, at);
      } else {
        if (key != WordCache.NO_WORD) {
          node = TrieEdges.walkKey(key, nodeShift, edges, capacity, bump, pollLimit);
        } else {
          if (at < limit) {
            node =
                TrieEdges.walk(
                    text, at, stop, classes, nodeShift, edges, capacity, bump, pollLimit);
          }
        }
      }
      if (node > 0) {
        if (key != WordCache.NO_WORD) {
          WordCache.remember(key, node, nodeShift, counts, pending, cache, pendingMask);
          at += AsciiWindows.lengthAt(words, at);
        } else {
          at = count(node, text, at, stop, classes, nodeShift, counts, pending, cache, pendingMask);
        }
      } else {
        if (node != NO_NODE) {
          outcome = node == TrieEdges.OVERFLOW ? FULL : STUCK;
          stop = at;
        }
      }
    }
    WordCache.flush(nodeShift, counts, pending, cache, pendingMask);
    // plain: the host reads them after the launch.
    progress.set(TrieLayout.position(strip), at + 1);
    progress.set(TrieLayout.outcome(strip), outcome);
    // relaxed: the end of the launch publishes it.
    ended.fetchAddRelaxed(TrieLayout.ended(strip, outcome), 1);
  }

  /** Where a strip begins, {@code length * strip / strips} without overflow. */
  static long stripBegin(long strip, int strips, long length) {
    return length / strips * strip + length % strips * strip / strips;
  }

  /** The end, up to {@code end}, of the word that {@code begin} is inside; else {@code begin}. */
  static long wordEnd(Bytes text, Bytes classes, long begin, long end) {
    long at = begin;
    boolean inside = at > 0 && at < end;
    if (inside) {
      inside = classes.get(text.getUnsigned(at - 1)) >= 0;
    }
    while (inside) {
      inside = classes.get(text.getUnsigned(at)) >= 0;
      if (inside) {
        at++;
        inside = at < end;
      }
    }
    return at;
  }

  /** Counts the word at {@code begin} once, in the cache if it is short; returns its end. */
  static long count(
      int node,
      Bytes text,
      long begin,
      long stop,
      Bytes classes,
      int nodeShift,
      DeviceLongs counts,
      ThreadLongs pending,
      long cache,
      int pendingMask) {
    long at = begin;
    long key = WordCache.NO_WORD;
    int shift = 0;
    int letter = at < stop ? classes.get(text.getUnsigned(at)) : NO_LETTER;
    while (letter >= 0) {
      key |= (letter + 1L) << shift;
      shift += nodeShift;
      at++;
      letter = at < stop ? classes.get(text.getUnsigned(at)) : NO_LETTER;
    }
    if (at > begin) {
      if (at - begin <= WordCache.longestKey(nodeShift)) {
        WordCache.remember(
            WordCache.PACKED | key, node, nodeShift, counts, pending, cache, pendingMask);
      } else {
        // relaxed: the end of the launch publishes the counts.
        counts.fetchAddRelaxed(TrieLayout.count(node, nodeShift), 1);
      }
    }
    return at;
  }
}
