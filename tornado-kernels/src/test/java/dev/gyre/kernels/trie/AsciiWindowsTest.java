package dev.gyre.kernels.trie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AsciiWindowsTest {

  private static final long NUMBERS = 0x1f1f_1f1f_1f1f_1f1fL;

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
      long letters = AsciiWindows.letters(window, window & NUMBERS);
      for (int place = 0; place < 8; place++) {
        boolean letter =
            Alphabet.ASCII_LETTERS.letterOf(byteOf(window, place) & 0xff) != Alphabet.NO_LETTER;
        assertThat(byteOf(letters, place)).isEqualTo((byte) (letter ? 1 : 0));
      }
    }
  }

  @Test
  void packedKeyHasTheLettersOfTheAlphabet() {
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
      assertThat(AsciiWindows.pack(window & NUMBERS)).isEqualTo(key);
    }
  }

  @Test
  void bytesBeforeTheFirstMark() {
    assertThat(AsciiWindows.before(0)).isEqualTo(-1);
    assertThat(AsciiWindows.bytes(-1)).isEqualTo(8);
    for (int place = 0; place < 8; place++) {
      long marks = (1L << (8 * place)) | 0x0100_0000_0000_0000L;
      long mask = AsciiWindows.before(marks);
      assertThat(mask).isEqualTo((1L << (8 * place)) - 1);
      assertThat(AsciiWindows.bytes(mask)).isEqualTo(place);
    }
  }

  @Test
  void wordsOfUpToTwelveLettersHaveKeysThatDiffer() {
    Map<Long, String> words = new HashMap<>();
    SplittableRandom random = new SplittableRandom(4);
    try (Memory memory = Memory.ofLongs(6)) {
      for (int round = 0; round < 20_000; round++) {
        StringBuilder word = new StringBuilder();
        int length = random.nextInt(1, 17);
        // Letters whose numbers share their lowest bits: most likely to be mixed up.
        random.ints(length, 0, 4).forEach(i -> word.append("ahpx".charAt(i)));
        memory.segment().fill((byte) 0).setString(3, word + ".");
        long key = AsciiWindows.keyAt(ThreadLongs.of(memory), 3, 4);
        assertThat(AsciiWindows.lengthAt(ThreadLongs.of(memory), 3)).isEqualTo(length);
        assertThat(key == WordCache.NO_WORD).isEqualTo(length > 12);
        if (length <= 12) {
          assertThat(words.merge(key, word.toString(), (a, _) -> a)).isEqualTo(word.toString());
        }
      }
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
