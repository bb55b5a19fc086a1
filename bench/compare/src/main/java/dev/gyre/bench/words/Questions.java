package dev.gyre.bench.words;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

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

  /** Words of ASCII as bytes. */
  public static List<byte[]> bytes(List<String> words) {
    return words.stream().map(word -> word.getBytes(StandardCharsets.ISO_8859_1)).toList();
  }

  /** Every pair of letters. */
  public static List<String> prefixes() {
    List<String> prefixes = new ArrayList<>();
    for (char first = 'a'; first <= 'z'; first++) {
      for (char second = 'a'; second <= 'z'; second++) {
        prefixes.add("" + first + second);
      }
    }
    return List.copyOf(prefixes);
  }
}
