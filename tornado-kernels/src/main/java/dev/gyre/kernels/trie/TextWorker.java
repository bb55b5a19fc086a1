package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Worker of the JVM that adds strips of a text to a trie, with its own cache. It does what {@link
 * BuildTrie} does on devices, with the same edges, for few threads with large caches and many
 * registers.
 *
 * <p>It finds words in <em>blocks</em> of 64 bytes, whose letters are the bits of a long. So one
 * word need not wait for the end of the previous one. The keys of a block are complete before the
 * first is looked up, so that lookups in the cache overlap.
 */
abstract sealed class TextWorker permits AsciiWorker, UnicodeWorker {

  /** Size of a block, in bytes. */
  private static final int BLOCK = TextBlocks.SIZE;

  /** Distance from the end of the text at which the last block may begin, including windows. */
  private static final int MARGIN = BLOCK + 2 * AsciiWindows.WINDOW;

  /** Bytes of text that are copied to the heap at a time, where reading needs fewer checks. */
  private static final int PIECE = 1 << 14;

  /** Unsuccessful lookups in a row after which the shared table is sampled. */
  private static final int MOST_HOPE = 1 << 12;

  /** Number of unsuccessful lookups that one successful lookup compensates. */
  private static final int HOPE_OF_ANSWER = 8;

  /** Sampling rate after repeated unsuccessful lookups: one in so many words. */
  private static final int WORDS_PER_QUESTION = 32;

  /** Stands for the node of a word that was counted without one. */
  private static final int COUNTED = 1;

  /** The text, as this worker reads it. */
  final Bytes text;

  final long length;

  private final MemorySegment bytes;
  private final Letters letters;
  private final TrieEdges trie;
  private final PathInserter nodes;
  private final WorkerCache cache;
  private final SharedWordCache shared;

  /** Whether all words come from its own cache, or were lost from it. */
  private final boolean alone;

  private final byte[] piece;
  private final long[] keys = new long[BLOCK / 2];

  /** Node of the last word; negative if it had none. */
  private int node;

  /** Remaining unsuccessful lookups; if negative, lookups are sampled. */
  private int hope = MOST_HOPE;

  TextWorker(
      KernelText text,
      Letters letters,
      TrieEdges trie,
      WorkerCache cache,
      SharedWordCache shared,
      boolean alone) {
    this.text = text.bytes();
    this.length = text.length();
    this.bytes = this.text.segment();
    this.piece = new byte[(int) Math.min(PIECE + MARGIN, length)];
    this.letters = letters;
    this.trie = trie;
    this.nodes = new PathInserter(trie);
    this.cache = cache;
    this.shared = shared;
    this.alone = alone;
  }

  /** Returns the end, at most {@code end}, of the word around a byte; otherwise the byte. */
  abstract long wordEnd(long begin, long end);

  /** Returns the bytes of a block that may belong to letters outside ASCII. */
  abstract long foreign(byte[] piece, int at);

  /** Counts the word at {@code at}, or skips what separates it from the next. */
  abstract long step(long at, long stop);

  /**
   * Adds the words that start in one strip of the text.
   *
   * @param from where it stopped the last time; negative if it has not begun
   * @return where to continue
   */
  long count(int strip, int strips, long from) {
    long end = TrieLayout.stripBegin(strip + 1L, strips, length);
    long at = from < 0 ? wordEnd(TrieLayout.stripBegin(strip, strips, length), end) : from;
    // The word across the end of the strip belongs to this strip, unless it contains the whole
    // strip.
    long stop = at < end ? wordEnd(end, length) : at;
    long lastBlock = Math.min(stop, length - MARGIN);
    node = COUNTED;
    while (at < lastBlock && node > 0) {
      at = countPiece(at, Math.min(lastBlock, at + PIECE), stop);
    }
    while (at < stop && node > 0) {
      at = step(at, stop);
    }
    return at;
  }

  /** Returns how the last strip ended. */
  long outcome() {
    long refused = node == TrieEdges.OVERFLOW ? TrieLayout.FULL : TrieLayout.STUCK;
    return node > 0 ? TrieLayout.RUN : refused;
  }

  /** Adds the content of the cache to the trie, as one of several workers. */
  void flush(int worker, int workers) {
    cache.flush(trie.layout().shift(), trie.counts(), worker, workers);
  }

  /** Counts the words that begin before {@code limit}; returns where to continue. */
  private long countPiece(long base, long limit, long stop) {
    int size = (int) (limit - base);
    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, base, piece, 0, size + MARGIN);
    long at = base;
    while (at < limit && node > 0) {
      at = countBlock(base, (int) (at - base), size, stop);
    }
    return at;
  }

  /**
   * Counts the words of a block that begin before {@code limit} and end in it; returns where the
   * next word begins, or what separates them.
   */
  private long countBlock(long base, int at, int limit, long stop) {
    long letters = TextBlocks.letters(piece, at);
    long foreign = foreign(piece, at);
    // Beginning of the word that may continue after the block, or with other letters.
    int cut = BLOCK - Long.numberOfLeadingZeros(~letters);
    if (foreign != 0) {
      cut = Math.min(cut, TextBlocks.wordBefore(letters, Long.numberOfTrailingZeros(foreign)));
    }
    int before = Math.min(cut, limit - at);
    long starts = letters & ~(letters << 1) & ~(before == BLOCK ? 0 : -1L << before);
    int words = TextBlocks.keys(piece, keys, at, letters, starts);
    for (int i = cache.hits(keys, 0, words); i < words; i = cache.hits(keys, i + 1, words)) {
      int start = TextBlocks.bit(starts, i);
      long begin = base + at + start;
      countUnknown(keys[i], begin, begin + Long.numberOfTrailingZeros(~(letters >>> start)));
      if (node <= 0) {
        return begin;
      }
    }
    if (before < cut) {
      return base + at + TextBlocks.endOf(letters, before);
    }
    long next = base + at + cut;
    return (foreign == 0 && cut > 0) || next >= stop ? next : step(next, stop);
  }

  /** Counts a word that is not the first of its pair in the cache. */
  private void countUnknown(long key, long begin, long end) {
    node = COUNTED;
    if (key < 0) {
      countLong(begin, end);
    } else if (!cache.promote(key)) {
      countForgotten(key);
    }
  }

  /** Counts a word that is not, or no longer, in the cache. */
  private void countForgotten(long key) {
    node = !alone || cache.isFull(key) ? sharedNode(key) : nodes.node(key);
    if (node > 0) {
      cache.remember(key, node, trie.layout().shift(), trie.counts());
    }
  }

  /** Counts a word without a key, whose first letters have one: as many as fit. */
  private void countLong(long begin, long end) {
    long key = WordKey.PACKED;
    int bits = 0;
    long at = begin;
    long letter = letters.letterAt(text, at, end);
    while (bits + Letter.bits(letter) <= WordKey.KEY_BITS) {
      key |= (long) Letter.steps(letter) << bits;
      bits += Letter.bits(letter);
      at += Letter.bytes(letter);
      letter = letters.letterAt(text, at, end);
    }
    node = sharedNode(key);
    if (node > 0) {
      node = nodes.node(node, text, at, end, letters);
    }
    if (node > 0) {
      trie.count(node, 1);
    }
  }

  /** Returns the node of a key from the shared table, or finds it. */
  private int sharedNode(long key) {
    hope = hope > 1 - WORDS_PER_QUESTION ? hope - 1 : 0;
    boolean asks = hope >= 0;
    int found = asks ? shared.node(key) : SharedWordCache.NONE;
    if (found != SharedWordCache.NONE) {
      hope = Math.min(Math.max(hope, 0) + HOPE_OF_ANSWER, MOST_HOPE);
    } else {
      found = nodes.node(key);
      if (asks && found > 0) {
        shared.add(key, found);
      }
    }
    return found;
  }

  /** Counts a word; returns its end, or its beginning if it has no node. */
  final long count(long key, long begin, long end) {
    if (!cache.hit(key)) {
      countUnknown(key, begin, end);
    }
    return node > 0 ? end : begin;
  }
}
