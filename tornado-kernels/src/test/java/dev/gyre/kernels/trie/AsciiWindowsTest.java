package dev.gyre.kernels.trie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AsciiWindowsTest {

  private static byte byteOf(long window, int place) {
    return (byte) (window >> (8 * place));
  }

  @Test
  void lettersAreThoseOfTheAlphabetWhateverStandsBesideThem() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 20_000; round++) {
      long window = random.nextLong();
      if (round < 256 * 8) {
        // Every byte at every place.
        int place = round % 8;
        window = (window & ~(0xffL << (8 * place))) | ((round / 8L) << (8 * place));
      }
      long letters = AsciiWindows.letters(window);
      for (int place = 0; place < 8; place++) {
        boolean letter =
            Alphabet.ASCII_LETTERS.letterOf(byteOf(window, place) & 0xff) != Alphabet.NO_LETTER;
        assertThat(byteOf(letters, place)).isEqualTo((byte) (letter ? 0x80 : 0));
      }
    }
  }

  @Test
  void keyHasTheLettersOfTheAlphabet() {
    SplittableRandom random = new SplittableRandom(2);
    for (int round = 0; round < 10_000; round++) {
      long window = 0;
      long key = 0;
      int length = random.nextInt(9);
      for (int place = 0; place < length; place++) {
        int letter = random.nextInt(26);
        window |= (long) ((random.nextBoolean() ? 'a' : 'A') + letter) << (8 * place);
        key |= (letter + 1L) << (5 * place);
      }
      assertThat(AsciiWindows.key(window)).isEqualTo(key);
    }
  }

  @Test
  void leadingBytesEndBeforeTheFirstMark() {
    assertThat(AsciiWindows.leading(0)).isEqualTo(-1);
    assertThat(AsciiWindows.bytes(-1)).isEqualTo(8);
    for (int place = 0; place < 8; place++) {
      long marks = (0x80L << (8 * place)) | 0x8000_0000_0000_0000L;
      long mask = AsciiWindows.leading(marks);
      assertThat(mask).isEqualTo((1L << (8 * place)) - 1);
      assertThat(AsciiWindows.bytes(mask)).isEqualTo(place);
    }
  }

  @Test
  void windowsBeginAnywhere() {
    try (Memory memory = Memory.ofLongs(4)) {
      byte[] bytes = new byte[32];
      new SplittableRandom(3).nextBytes(bytes);
      memory.segment().copyFrom(MemorySegment.ofArray(bytes));
      ThreadLongs words = ThreadLongs.of(memory);
      for (int at = 0; at < 24; at++) {
        long window = AsciiWindows.window(words, at);
        for (int place = 0; place < 8; place++) {
          assertThat(byteOf(window, place)).isEqualTo(bytes[at + place]);
        }
      }
    }
  }
}
