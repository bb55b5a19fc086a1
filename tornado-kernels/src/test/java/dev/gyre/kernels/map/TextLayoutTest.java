package dev.gyre.kernels.map;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextLayoutTest {

  @Test
  void textsOfAnyLengthHaveAsManyWordsAsTheyNeed() {
    for (int length : new int[] {0, 1, 7, 8, 9, 16, 17, 1 << 30, Integer.MAX_VALUE}) {
      int words = Math.toIntExact(Math.max(1, Math.ceilDiv((long) length, Long.BYTES)));
      assertThat(TextLayout.words(length)).as("%d bytes", length).isEqualTo(words);
      assertThat(TextLayout.arenaWords(length)).isEqualTo(length > Long.BYTES ? words : 0);
    }
  }
}
