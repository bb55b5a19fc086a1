package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A worker of the JVM that adds strips of a text to a trie, one after another, with a cache of its
 * own: what {@link BuildTrie} does on devices, and with the same edges, where threads are few, and
 * caches and registers many.
 *
 * <p>Words are found in <em>blocks</em>, 64 bytes of text whose letters are the bits of a long. One
 * word then does not wait for the end of the one before; and as the keys of a block are all there
 * before the first is looked up, nor does one look into the cache wait for another.
 */
abstract sealed class StripWorker permits AsciiWorker, UnicodeWorker {

  /** Bytes of a block. */
  private static final int BLOCK = TextBlocks.SIZE;

  /** How many bytes before the end of the text the last block may begin, windows in it included. */
  private static final int MARGIN = BLOCK + 2 * AsciiWindows.WINDOW;

  /** So much text is copied to the heap at a time, where reading it takes fewer checks. */
  private static final int PIECE = 1 << 14;

  /** So often in a row it asks in vain for what others have learnt; then now and then only. */
  private static final int MOST_HOPE = 1 << 12;

  /** One answer is worth so many questions in vain. */
  private static final int HOPE_OF_ANSWER = 8;

  /** Without hope it asks for one of so many words. */
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
  private final SharedWordCache learnt;

  /** Whether it has all words from its cache, or has lost them. */
  private final boolean alone;

  private final byte[] piece;
  private final long[] keys = new long[BLOCK / 2];

  /** The node of the last word; negative if there was none for it. */
  private int node;

  /** Questions in vain that are left; below 0 it does not ask. */
  private int hope = MOST_HOPE;

  StripWorker(
      KernelText text,
      Letters letters,
      TrieEdges trie,
      WorkerCache cache,
      SharedWordCache learnt,
      boolean alone) {
    this.text = text.bytes();
    this.length = text.length();
    this.bytes = this.text.segment();
    this.piece = new byte[(int) Math.min(PIECE + MARGIN, length)];
    this.letters = letters;
    this.trie = trie;
    this.nodes = new PathInserter(trie);
    this.cache = cache;
    this.learnt = learnt;
    this.alone = alone;
  }

  /** The end, up to {@code end}, of the word that a byte is inside; else that byte. */
  abstract long wordEnd(long begin, long end);

  /** The bytes of a block that may be of letters that are none of ASCII. */
  abstract long foreign(byte[] piece, int at);

  /** Counts the word at {@code at}, or goes over what separates it from the next. */
  abstract long step(long at, long stop);

  /**
   * Adds the words that start in one strip of the text.
   *
   * @param from where it went on to the last time; negative if it has not begun
   * @return where to go on to
   */
  long count(int strip, int strips, long from) {
    long end = TrieLayout.stripBegin(strip + 1L, strips, length);
    long at = from < 0 ? wordEnd(TrieLayout.stripBegin(strip, strips, length), end) : from;
    // The word that crosses the end of the strip is ours, unless we are wholly inside it.
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

  /** How the last strip ended. */
  long outcome() {
    long refused = node == TrieEdges.OVERFLOW ? TrieLayout.FULL : TrieLayout.STUCK;
    return node > 0 ? TrieLayout.RUN : refused;
  }

  /** Adds to the trie what the cache holds, as one worker of so many. */
  void flush(int worker, int workers) {
    cache.flush(trie.layout().shift(), trie.counts(), worker, workers);
  }

  /** Counts the words that begin before {@code limit}; returns where to go on. */
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
   * next one begins, or what separates them.
   */
  private long countBlock(long base, int at, int limit, long stop) {
    long letters = TextBlocks.letters(piece, at);
    long foreign = foreign(piece, at);
    // Where the word begins that may go on behind the block, or with other letters.
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

  /** Counts a word that the cache does not have, or no more. */
  private void countForgotten(long key) {
    node = !alone || cache.isFull(key) ? learntNode(key) : nodes.node(key);
    if (node > 0) {
      cache.remember(key, node, trie.layout().shift(), trie.counts());
    }
  }

  /** Counts a word that has no key, whose first letters have one: as many as there is room for. */
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
    node = learntNode(key);
    if (node > 0) {
      node = nodes.node(node, text, at, end, letters);
    }
    if (node > 0) {
      trie.count(node, 1);
    }
  }

  /** The node of a key that any worker has learnt, if it asks, or else that this one learns. */
  private int learntNode(long key) {
    hope = hope > 1 - WORDS_PER_QUESTION ? hope - 1 : 0;
    boolean asks = hope >= 0;
    int found = asks ? learnt.node(key) : SharedWordCache.NONE;
    if (found != SharedWordCache.NONE) {
      hope = Math.min(Math.max(hope, 0) + HOPE_OF_ANSWER, MOST_HOPE);
    } else {
      found = nodes.node(key);
      if (asks && found > 0) {
        learnt.add(key, found);
      }
    }
    return found;
  }

  /** Counts a word; returns its end, or its beginning where there was no node for it. */
  final long count(long key, long begin, long end) {
    if (!cache.hit(key)) {
      countUnknown(key, begin, end);
    }
    return node > 0 ? end : begin;
  }
}
