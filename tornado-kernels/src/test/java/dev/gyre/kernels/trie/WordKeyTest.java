package dev.gyre.kernels.trie;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WordKeyTest {

  private static final String LETTERS_AND_NEIGHBOURS = "abcmyzABCMYZ";
  private static final String OTHERS = "@[`{ 0\0é\u0141\u0161\u2161\uff41";

  private static long slowly(String text) {
    long key = WordKey.NONE;
    for (int at = 0; at < text.length(); at++) {
      char letter = text.charAt(at);
      int number = letter < 0x80 ? Alphabet.ASCII_LETTERS.letterOf(letter) + 1 : 0;
      if (number == 0) {
        return WordKey.NONE;
      }
      key |= (long) number << (at * Letter.STEP_BITS);
    }
    return key;
  }

  @Test
  void aKeyHasTheNumbersOfAllLettersOrThereIsNone() {
    SplittableRandom random = new SplittableRandom(1);
    for (int length = 0; length <= WordKey.LETTERS; length++) {
      for (int i = 0; i < 500; i++) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < length + random.nextInt(3); at++) {
          text.append(LETTERS_AND_NEIGHBOURS.charAt(random.nextInt(12)));
        }
        if (length > 0 && i % 2 == 0) {
          text.setCharAt(random.nextInt(length), OTHERS.charAt(random.nextInt(OTHERS.length())));
        }
        long expected = slowly(text.substring(0, length));
        assertThat(WordKey.of(text.toString(), length)).as("%s", text).isEqualTo(expected);
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        String read = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        assertThat(WordKey.of(bytes, length)).as("%s", text).isEqualTo(slowly(read));
      }
    }
  }
}
