package dev.gyre.structures.trie;

import java.util.Comparator;

/**
 * A word and its count.
 *
 * @param word the word, folded by its alphabet
 * @param count how many times it was added, more than 0
 * @since 0.1.0
 */
public record WordCount(String word, long count) {

  /** Order of falling counts; words with equal counts are in byte order. */
  public static final Comparator<WordCount> BY_COUNT =
      Comparator.comparingLong(WordCount::count)
          .reversed()
          .thenComparing(WordCount::word, WordCount::inByteOrder);

  /** Compares in the order of UTF-8 bytes, which is that of code points and not that of UTF-16. */
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
    // A surrogate is part of a code point above that of any other char, so it is greater. more than
    // any other char does.
    return differ ? (Character.isSurrogate(x) ? 1 : -1) : Character.compare(x, y);
  }
}
