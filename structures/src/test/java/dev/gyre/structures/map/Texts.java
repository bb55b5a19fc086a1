package dev.gyre.structures.map;

import java.util.List;
import java.util.Locale;

/** Texts of numbers: keys of maps, and words in letters of several scripts. */
public final class Texts {

  /** Lengths around those that matter: in a slot, in words of 8 bytes, in pages. */
  private static final int[] LENGTHS = {0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 64, 300};

  /**
   * Letters of scripts, some with marks that belong to them; of those that have cases each has one
   * lower and one upper. They have several lengths in UTF-8.
   */
  private static final List<List<String>> SCRIPTS =
      List.of(
          List.of("a", "b", "c", "d", "e", "q", "z"),
          List.of("\u00e4", "\u00f6", "\u00e9", "\u00e7"),
          List.of("\u03b1", "\u03b2", "\u03b3", "\u03bb"),
          List.of("\u0431", "\u0434", "\u0436", "\u044f"),
          List.of("\u10d0", "\u10d1"),
          List.of("\u4e2d", "\u6587"),
          List.of("\ud801\udc28", "\ud801\udc29"),
          List.of("e\u0301", "a\u0323\u0307", "e", "\u03b1\u0301"),
          List.of("\u0915\u093e", "\u0928\u093f\u0902", "\u092e"),
          List.of("\u05d0\u05b8", "\u05d1", "\u0645\u064e"));

  private static final List<String> BETWEEN =
      List.of(" ", "\n", ", ", "1", "-", "\t\t", ".\u2014", "\0", "2026 ");

  /** Between what makes a text long and its number. */
  private static final String AFTER = ".";

  /** Letters of most words, at most: more than fit into a key of one number. */
  private static final int MOST_LETTERS = 20;

  /** Bits of a number that are 0 where its word may have as many letters as it has bits. */
  private static final int LONG_WORDS = 31;

  /** As {@link #LONG_WORDS}, of those that have a letter of each script in turn. */
  private static final int MIXED = 0x300;

  private Texts() {}

  /** A text, another one for each number. */
  public static String text(long number) {
    int length = LENGTHS[(int) Long.remainderUnsigned(number, LENGTHS.length)];
    String own = (length == 0 ? "" : AFTER) + Long.toString(number, 36);
    return number == 0 ? "" : "\u00fc".repeat(length / 2) + "x".repeat(length % 2) + own;
  }

  /** The number of a {@link #text}. */
  public static long number(String text) {
    return text.isEmpty() ? 0 : Long.parseLong(text.substring(text.lastIndexOf(AFTER) + 1), 36);
  }

  /** A word in lower case; one that is long only now and then, for the memory that tries need. */
  public static String word(long number, boolean unicode) {
    int script = unicode ? (int) Long.remainderUnsigned(number, SCRIPTS.size()) : 0;
    int next = unicode && (number & MIXED) == 0 ? 1 : 0;
    StringBuilder word = new StringBuilder();
    long rest = number;
    int letters = 0;
    int most = (number & LONG_WORDS) == 0 ? Long.SIZE : MOST_LETTERS;
    do {
      List<String> own = SCRIPTS.get((script + letters * next) % SCRIPTS.size());
      word.append(own.get((int) Long.remainderUnsigned(rest, own.size())));
      rest = Long.divideUnsigned(rest, own.size());
      letters++;
    } while (rest != 0 && letters < most);
    return word.toString();
  }

  /** A word as it may be written, with what is between it and the next one. */
  public static String written(long number, long way, boolean unicode) {
    String word = word(number, unicode);
    String cased =
        switch ((int) (way & 3)) {
          case 0 -> word.toUpperCase(Locale.ROOT);
          case 1 ->
              word.substring(0, word.offsetByCodePoints(0, 1)).toUpperCase(Locale.ROOT)
                  + word.substring(word.offsetByCodePoints(0, 1));
          default -> word;
        };
    return cased + BETWEEN.get((int) Long.remainderUnsigned(way >>> 2, BETWEEN.size()));
  }
}
