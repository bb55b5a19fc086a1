package dev.gyre.structures.trie;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Generated texts in nine scripts, and a count of words that shares nothing with what is tested.
 */
enum ScriptText {
  LATIN("aAbBeEéÉèÈßẞøØœŒñÑżŻſKÅǅŉçÇsSkK", "\u0301\u0308\u0327", "’ – “ ” « » ¿ "),
  GREEK("αΑβΒσςΣωΩάΆϊΐὀᾳᾼᾈ", "\u0301\u0308\u0345", "· ; « » "),
  CYRILLIC("аАбБжЖйЙёЁїЇљЉџЏҐґѢѣ", "\u0301\u0306", "— « » № "),
  HEBREW("אבגדהושלםןץת", "\u05b0\u05b8\u05bc\u05c1", "\u05be \u05f3 ׀ "),
  ARABIC("ابتسلمويءآأكگپچی", "\u064b\u064e\u0651\u0670", "، ؛ ؟ \u200c \u0640\u066a "),
  DEVANAGARI("अआइकखगनमरसह", "\u093e\u093f\u0940\u094d\u0902\u093c", "। ॥ ० "),
  HAN("一二三日本語漢字龍鿿㐀𠀀𪛖", "\ufe00\u3099", "。 、 「 」 ！ "),
  HANGUL("가나다라한글힣각", "\u302e", "… · "),
  DESERET("𐐀𐐁𐐂𐐃𐐨𐐩𐐪𐐫𐐧𐑏", "\u0301", "· — ");

  private static final Pattern WORD = Pattern.compile("\\p{L}[\\p{L}\\p{M}]*");
  private static final String SPACES = "    \n\n\t ., !?-'0189\u00a0\u2028\ufeff";

  /** The order of bytes in UTF-8, which is that of code points. */
  static final Comparator<String> BYTE_ORDER = ScriptText::compare;

  private final String letters;
  private final String marks;
  private final String punctuation;

  ScriptText(String letters, String marks, String punctuation) {
    this.letters = letters;
    this.marks = marks;
    this.punctuation = punctuation + SPACES;
  }

  private static int compare(String a, String b) {
    int both = Math.min(a.length(), b.length());
    int i = 0;
    while (i < both && a.charAt(i) == b.charAt(i)) {
      i++;
    }
    return i == both
        ? Integer.compare(a.length(), b.length())
        : Integer.compare(a.codePointAt(i), b.codePointAt(i));
  }

  /** Words of this script, some with marks, some of them very long, between all that separates. */
  String text(SplittableRandom random, int words) {
    List<String> vocabulary =
        IntStream.range(0, 1 + words / 4).mapToObj(_ -> word(random)).toList();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      for (int j = random.nextInt(4) == 0 ? random.nextInt(4) : 1; j > 0; j--) {
        text.appendCodePoint(any(random, random.nextInt(16) == 0 ? marks : punctuation));
      }
      // The lower ones more often.
      text.append(vocabulary.get(random.nextInt(1 + random.nextInt(vocabulary.size()))));
    }
    return text.toString();
  }

  /** A word, not folded. */
  String word(SplittableRandom random) {
    StringBuilder word = new StringBuilder();
    int length = random.nextInt(20) == 0 ? random.nextInt(1, 40) : random.nextInt(1, 7);
    for (int i = 0; i < length; i++) {
      word.appendCodePoint(any(random, letters));
      if (random.nextInt(6) == 0) {
        word.appendCodePoint(any(random, marks));
      }
    }
    return word.toString();
  }

  private static int any(SplittableRandom random, String of) {
    int number = random.nextInt(of.codePointCount(0, of.length()));
    return of.codePointAt(of.offsetByCodePoints(0, number));
  }

  /** Counts the words of a text with what the JDK has, in byte order. */
  static SortedMap<String, Long> sequential(byte[] text) {
    SortedMap<String, Long> counts = new TreeMap<>(BYTE_ORDER);
    // What is malformed becomes a sign that is no letter.
    Matcher words = WORD.matcher(new String(text, StandardCharsets.UTF_8));
    while (words.find()) {
      counts.merge(folded(words.group()), 1L, Long::sum);
    }
    return counts;
  }

  /** A word as it is counted. */
  static String folded(String word) {
    StringBuilder folded = new StringBuilder();
    word.codePoints()
        .map(c -> c == 'ı' || c == 'İ' ? c : Character.toLowerCase(Character.toUpperCase(c)))
        .forEach(folded::appendCodePoint);
    return folded.toString();
  }
}
