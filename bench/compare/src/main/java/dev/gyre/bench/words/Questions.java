package dev.gyre.bench.words;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** What is looked up among counted words. */
public final class Questions {

  private static final long SEED = 42;

  private Questions() {}

  /**
   * As many words as there are, in random order.
   *
   * @param known distinct words
   * @param hitPercent how many of them are known; the others are words with {@code qx} behind
   */
  public static List<String> words(List<String> known, int hitPercent) {
    List<String> words = new ArrayList<>(known);
    Collections.sort(words);
    Collections.shuffle(words, new Random(SEED));
    long hits = (long) words.size() * hitPercent / 100;
    for (int i = (int) hits; i < words.size(); i++) {
      words.set(i, words.get(i) + "qx");
    }
    Collections.shuffle(words, new Random(SEED + 1));
    return List.copyOf(words);
  }

  /** Every pair of letters. */
  public static List<String> prefixes() {
    return IntStream.range(0, 26 * 26)
        .mapToObj(i -> "" + (char) ('a' + i / 26) + (char) ('a' + i % 26))
        .toList();
  }
}
