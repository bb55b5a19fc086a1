package dev.gyre.bench.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How many words the ASCII alphabet cuts, in texts read in pieces of all sizes. */
class OutsideWordsTest {

  private static final Pattern WORD = Pattern.compile("\\p{L}[\\p{L}\\p{M}]*");
  private static final Pattern ASCII = Pattern.compile("[a-zA-Z]*");

  /** What stands beside each other in random texts. */
  private static final String[] PIECES = {
    "a",
    "Z",
    "é",
    "σ",
    "Ж",
    "中",
    "𝒳",
    "\u0301",
    "\u0939\u093f",
    " ",
    "\n",
    ".",
    "’",
    "“",
    "7",
    "€",
  };

  private static OutsideWords read(byte[] text, int pieceBytes) {
    OutsideWords words = new OutsideWords();
    for (int from = 0; from < text.length; from += pieceBytes) {
      int to = Math.min(text.length, from + pieceBytes);
      words.read(MemorySegment.ofArray(Arrays.copyOfRange(text, from, to)));
    }
    words.ended();
    return words;
  }

  private static long expected(String text) {
    return WORD.matcher(text).results().filter(w -> !ASCII.matcher(w.group()).matches()).count();
  }

  @ParameterizedTest
  @CsvSource({
    "café, 1",
    "plain words, 0",
    "état été, 2",
    "naïveté, 1",
    "é é é, 3",
    "don’t “quoted” €5, 0",
    "Привет мир, 2",
    "cafe\u0301, 1",
    "\u0301alone, 0",
    "5\u0301, 0",
    "é1é, 2",
    "中文, 1",
  })
  void wordsWithLettersOutsideOfAsciiAreCounted(String text, long count) {
    assertThat(expected(text)).isEqualTo(count);
    assertThat(read(text.getBytes(UTF_8), 1 << 20).words()).isEqualTo(count);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 31, 64, 1000, 1 << 20})
  void piecesOfAnySizeGiveTheSame(int pieceBytes) {
    Random random = new Random(pieceBytes);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 2_500; i++) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    OutsideWords words = read(text.toString().getBytes(UTF_8), pieceBytes);
    assertThat(words.areSampled()).isFalse();
    assertThat(words.words()).isEqualTo(expected(text.toString()));
  }

  @Test
  void bytesThatAreNoUtf8AreNoLetters() {
    assertThat(read("caf\u00e9 caf\u00e9".getBytes(ISO_8859_1), 100).words()).isZero();
    byte[] overlong = {'a', (byte) 0xc1, (byte) 0xa9, ' ', (byte) 0xed, (byte) 0xa0, (byte) 0x80};
    assertThat(read(overlong, 100).words()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1 << 10, 10_007, 1 << 22})
  void aLongTextIsSampled(int pieceBytes) {
    String line = "voilà un café, nothing else, plain words to the end of the line\n";
    String plain = "nothing that is outside, plain words to the end of the line\n".repeat(9);
    for (String text : List.of(line.repeat(1 << 16), (line + plain).repeat(1 << 13))) {
      OutsideWords words = read(text.getBytes(UTF_8), pieceBytes);
      assertThat(words.areSampled()).isTrue();
      long expected = text.chars().filter(letter -> letter > 'z').count();
      assertThat(words.words()).isCloseTo(expected, Percentage.withPercentage(10));
    }
  }

  @Test
  void theBeginningIsLookedAtAsAWhole() {
    byte[] text = "plain words of a text ".repeat(11_900).getBytes(UTF_8);
    byte[] rare = " café ".getBytes(UTF_8);
    for (int at : new int[] {0, (1 << 14) - 3, text.length / 2, text.length - rare.length}) {
      System.arraycopy(rare, 0, text, at, rare.length);
    }
    assertThat(text.length).isLessThan((int) OutsideWords.EXACT_BYTES);
    OutsideWords words = read(text, 1 << 20);
    assertThat(words.areSampled()).isFalse();
    assertThat(words.words()).isEqualTo(4);
  }

  /** A line of Chinese has no separator of ASCII, and need not be kept as a whole. */
  @Test
  void aTextWithoutSpacesIsReadInPieces() {
    byte[] text = "中".repeat(1 << 14).getBytes(UTF_8);
    assertThat(read(text, 1000).words()).isBetween(1L, 20L);
  }
}
