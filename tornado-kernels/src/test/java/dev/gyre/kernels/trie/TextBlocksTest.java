package dev.gyre.kernels.trie;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TextBlocksTest {

  private static long beyondAscii(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return TextBlocks.beyondAscii(Arrays.copyOf(bytes, TextBlocks.SIZE + Long.BYTES), 0);
  }

  /** All three bytes of each: none asks for a look at letters that are none of ASCII. */
  @Test
  void quotesAndDashesAreNoLetters() {
    assertThat(beyondAscii("\u201cIt\u2019s\u201d \u2014 he said")).isZero();
    assertThat(beyondAscii("a\u00e9\u2019b")).as("the two of the letter").isEqualTo(0b110);
  }

  @Test
  void whatIsAtTheBeginningOfABlockIsInsideOfNoWord() {
    // The highest bit is that of the last byte.
    assertThat(TextBlocks.endOf(Long.MIN_VALUE | 1, 0)).isZero();
    assertThat(TextBlocks.endOf(0b1110, 2)).isEqualTo(4);
    assertThat(TextBlocks.endOf(0b1110, 1)).isEqualTo(1);
  }
}
