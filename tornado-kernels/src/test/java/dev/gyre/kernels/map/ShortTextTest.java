package dev.gyre.kernels.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Texts of up to two words, of every length, beside words that are made byte by byte. */
class ShortTextTest {

  private static long word(byte[] bytes, int from) {
    long word = 0;
    for (int i = Math.min(from + Long.BYTES, bytes.length) - 1; i >= from; i--) {
      word = (word << Byte.SIZE) | (bytes[i] & 0xff);
    }
    return word;
  }

  @Test
  void wordsHaveTheBytesOfTheTextAndNoOthers() {
    String all = "abcdefg\u00ffhijklmn\u0080";
    for (int length = 0; length <= ShortText.MOST; length++) {
      byte[] bytes = all.substring(0, length).getBytes(StandardCharsets.ISO_8859_1);
      assertThat(ShortText.first(bytes, length)).as("%d", length).isEqualTo(word(bytes, 0));
      assertThat(ShortText.second(bytes, length))
          .as("%d", length)
          .isEqualTo(word(bytes, Long.BYTES));
    }
  }

  @Test
  void wordsOfStringsAreThoseOfTheirBytesOrNone() {
    String all = "abcdefg\u007fhijklmn\u007f";
    for (int length = 0; length <= ShortText.MOST; length++) {
      String text = all.substring(0, length);
      byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
      assertThat(ShortText.first(text, length)).as(text).isEqualTo(word(bytes, 0));
      assertThat(ShortText.second(text, length)).as(text).isEqualTo(word(bytes, Long.BYTES));
      for (int odd = 0; odd < length; odd++) {
        for (char c : new char[] {'\u0080', '\u00e9', '\u4e61'}) {
          String other = text.substring(0, odd) + c + text.substring(odd + 1);
          assertThat(ShortText.first(other, length) | ShortText.second(other, length))
              .as(other)
              .isNegative();
        }
      }
    }
  }
}
