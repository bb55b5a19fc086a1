package dev.gyre.bench.measure;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Words of small letters, each as likely, of each length as many.
 *
 * @param least letters of a word
 * @param most letters of a word
 */
record RandomWords(int least, int most) {

  private static final int LETTERS = 26;

  /** So many words, each with a space behind it; the same each time. */
  byte[] text(int words) {
    SplittableRandom random = new SplittableRandom(words);
    byte[] text = new byte[words * (most + 1)];
    int at = 0;
    for (int i = 0; i < words; i++) {
      at += word(random, text, at);
      text[at++] = ' ';
    }
    return Arrays.copyOf(text, at);
  }

  /** The words from one (inclusive) to another (exclusive); other words for another begin. */
  List<String> strings(int from, int to) {
    SplittableRandom random = new SplittableRandom(from);
    byte[] word = new byte[most];
    List<String> words = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      words.add(new String(word, 0, word(random, word, 0), StandardCharsets.ISO_8859_1));
    }
    return words;
  }

  private int word(SplittableRandom random, byte[] text, int at) {
    int length = random.nextInt(least, most + 1);
    for (int i = at; i < at + length; i++) {
      text[i] = (byte) ('a' + random.nextInt(LETTERS));
    }
    return length;
  }
}
