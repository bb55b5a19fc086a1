package dev.gyre.kernels.trie;

import dev.gyre.atomics.ThreadLongs;

/**
 * Device functions that find words of ASCII letters eight bytes at a time in a text in UTF-8, where
 * other letters may follow them: as {@link AsciiWindows}, but up to the next byte that is none of
 * ASCII, which may be part of a letter or of a mark.
 */
final class UnicodeWindows {

  private UnicodeWindows() {}

  /**
   * Counts the words that are first of their pairs in the cache, up to the one that is not or a
   * byte that is none of ASCII.
   *
   * @param words the text, as longs
   * @param begin where to begin: between words
   * @param stop where no further word may begin; at most the text's length less {@link
   *     AsciiWindows#MARGIN}
   * @return where the first word begins that is not, or such a byte or the word before it; {@code
   *     stop} or more if there is none
   */
  static long countCached(
      ThreadLongs words, long begin, long stop, ThreadLongs pending, long cache, int pendingMask) {
    long at = begin;
    boolean known = at < stop;
    while (known) {
      long base = at;
      long window = AsciiWindows.window(words, base);
      long numbers = window & AsciiWindows.NUMBERS;
      long letters = AsciiWindows.letters(window, numbers);
      long word = AsciiWindows.before(letters ^ AsciiWindows.ONES);
      long key = (numbers & word) | open(window, letters);
      if (word == AsciiWindows.ALL) {
        base += AsciiWindows.WINDOW;
        window = AsciiWindows.window(words, base);
        numbers = window & AsciiWindows.NUMBERS;
        letters = AsciiWindows.letters(window, numbers);
        word = AsciiWindows.before(letters ^ AsciiWindows.ONES);
        key = AsciiWindows.longKey(key, numbers & word) | open(window, letters);
      }
      if (key != WordCache.NO_WORD) {
        known = WordCache.hit(key, pending, cache, pendingMask);
      }
      if (known) {
        // On to the next letter or byte that may be of one, or to the end of the window.
        long next = (letters | beyond(window)) & ~word;
        at = base + AsciiWindows.bytes(AsciiWindows.before(next));
        known = at < stop;
      }
    }
    return at;
  }

  /**
   * The key of the word that begins at {@code at}; 0 if it has none, may go on with other letters,
   * or is not before a limit.
   */
  static long keyAt(ThreadLongs words, long at, long limit) {
    long key = WordCache.NO_WORD;
    if (at < limit) {
      long window = AsciiWindows.window(words, at);
      long numbers = window & AsciiWindows.NUMBERS;
      long letters = AsciiWindows.letters(window, numbers);
      long word = AsciiWindows.before(letters ^ AsciiWindows.ONES);
      key = (numbers & word) | open(window, letters);
      if (word == AsciiWindows.ALL) {
        window = AsciiWindows.window(words, at + AsciiWindows.WINDOW);
        numbers = window & AsciiWindows.NUMBERS;
        letters = AsciiWindows.letters(window, numbers);
        word = AsciiWindows.before(letters ^ AsciiWindows.ONES);
        key = AsciiWindows.longKey(key, numbers & word) | open(window, letters);
      }
      key = Math.max(key, WordCache.NO_WORD);
    }
    return key;
  }

  /** The lowest bit of each byte that is none of ASCII. */
  static long beyond(long window) {
    return (window >> 7) & AsciiWindows.ONES;
  }

  /** The sign bit if the first byte that is no ASCII letter is none of ASCII at all; else 0. */
  static long open(long window, long letters) {
    long ends = letters ^ AsciiWindows.ONES;
    return -(ends & -ends & beyond(window)) & Long.MIN_VALUE;
  }
}
