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
      Comparator.comparingLong(WordCount::count).reversed().thenComparing(WordCount::word);
}
