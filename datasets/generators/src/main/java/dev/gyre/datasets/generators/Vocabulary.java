package dev.gyre.datasets.generators;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Invented, pronounceable words, all different, in lower-case ASCII letters, shorter ones first.
 *
 * <p>As in natural language, a frequent word has two or three letters and a rare one eight or more.
 * Many rare words are frequent words with an ending, so that words share prefixes.
 */
final class Vocabulary {

  private static final String[] ONSETS =
      "t t t s s w h b m d d f c c l n p r g th th sh ch st tr pr br pl gr cl v y j qu k"
          .split(" ");
  private static final String[] NUCLEI = "e e e e e a a a a i i i o o o u u ea ou ai ee".split(" ");
  private static final String[] CODAS =
      "n n n r r s s t t l d m nd st ng ck ll rt nt p x w".split(" ");
  private static final String[] ENDINGS = "s s s ed ed ing ing er ly ness able tion".split(" ");

  /** The first rank that may be a more frequent word with an ending. */
  private static final int FIRST_INFLECTED = 50;

  private static final int TRIES = 8;

  private Vocabulary() {}

  /** Returns words, the most frequent first. */
  static byte[][] words(int count, SplitMix random) {
    String[] texts = new String[count];
    Set<String> used = HashSet.newHashSet(count);
    for (int rank = 0; rank < count; rank++) {
      texts[rank] = word(rank, texts, used, random);
    }
    return Arrays.stream(texts)
        .map(text -> text.getBytes(StandardCharsets.US_ASCII))
        .toArray(byte[][]::new);
  }

  private static String word(int rank, String[] texts, Set<String> used, SplitMix random) {
    int letters = letters(rank, random);
    String word = "";
    int tries = 0;
    do {
      boolean inflected = rank >= FIRST_INFLECTED && random.nextInt(3) == 0;
      word =
          inflected
              ? texts[stem(rank, random)].concat(pick(ENDINGS, random))
              : root(letters, random);
      tries++;
      // Short words run out; longer words never do.
      letters += tries % TRIES == 0 ? 1 : 0;
    } while (!used.add(word));
    return word;
  }

  /**
   * Returns the smallest length of a word of a rank: two letters for the first, nine for the
   * 10,000th.
   */
  private static int letters(int rank, SplitMix random) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(rank);
    return 1 + bits / 3 + random.nextInt(2 + bits / 4);
  }

  private static String root(int letters, SplitMix random) {
    StringBuilder word = new StringBuilder();
    boolean closed = false;
    while (word.length() < letters) {
      if (word.length() > 0 || random.nextInt(3) > 0) {
        word.append(pick(ONSETS, random));
      }
      word.append(pick(NUCLEI, random));
      closed = word.length() < letters && random.nextInt(3) == 0;
      if (closed) {
        word.append(pick(CODAS, random));
      }
    }
    if (!closed && word.length() < letters + 1 && random.nextInt(3) == 0) {
      word.append(pick(CODAS, random));
    }
    return word.toString();
  }

  /** Returns the rank of a stem: the smaller of two, because frequent words have more forms. */
  private static int stem(int rank, SplitMix random) {
    int one = random.nextInt(rank);
    return Math.min(one, random.nextInt(rank));
  }

  private static String pick(String[] from, SplitMix random) {
    return from[random.nextInt(from.length)];
  }
}
