package dev.gyre.bench.memory;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Random words of lower-case letters; all letters and all lengths are equally likely.
 *
 * @param least letters of a word
 * @param most letters of a word
 */
record RandomWords(int least, int most) {

  private static final int LETTERS = 26;

  /** Returns a number of words, each followed by a space; always the same words. */
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

  /** Returns the words of a range, whose end is exclusive; they depend on its begin. */
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
