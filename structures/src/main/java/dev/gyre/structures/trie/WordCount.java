package dev.gyre.structures.trie;

import java.util.Comparator;

/**
 * A word and how often it was found.
 *
 * @param word the word, folded as its alphabet says
 * @param count how often it was found, more than 0
 */
public record WordCount(String word, long count) {

  /** The more frequent word first; of equally frequent ones, the first in byte order. */
  public static final Comparator<WordCount> BY_COUNT =
      Comparator.comparingLong(WordCount::count)
          .reversed()
          .thenComparing(WordCount::word, WordCount::inByteOrder);

  /** The order of bytes in UTF-8: that of code points, which is not that of UTF-16. */
  private static int inByteOrder(String a, String b) {
    int at = 0;
    while (at < a.length() && at < b.length() && a.charAt(at) == b.charAt(at)) {
      at++;
    }
    if (at == a.length() || at == b.length()) {
      return a.length() - b.length();
    }
    char x = a.charAt(at);
    char y = b.charAt(at);
    boolean differ = Character.isSurrogate(x) != Character.isSurrogate(y);
    // A surrogate stands for more than any other char does.
    return differ ? (Character.isSurrogate(x) ? 1 : -1) : Character.compare(x, y);
  }
}
