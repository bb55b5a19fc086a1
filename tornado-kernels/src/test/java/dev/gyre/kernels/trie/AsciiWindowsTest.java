package dev.gyre.kernels.trie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
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
        KernelText text = KernelText.of(memory, 3 + word.length());
        long key = AsciiWindows.keyAt(text, 3, 0);
        assertThat(AsciiWindows.lengthAt(text, 3)).isEqualTo(length);
        assertThat(key < 0).isEqualTo(length > 12);
        if (length <= 12) {
          assertThat(words.merge(key, word.toString(), (a, _) -> a)).isEqualTo(word.toString());
        }
      }
    }
  }

  @Test
  void windowsBeginAnywhere() {
    SplittableRandom random = new SplittableRandom(3);
    long here = random.nextLong();
    long next = random.nextLong();
    for (int at = 0; at < 8; at++) {
      long window = AsciiWindows.window(here, next, 8 * at);
      for (int place = 0; place < 8; place++) {
        long from = at + place < 8 ? here : next;
        assertThat(byteOf(window, place)).isEqualTo(byteOf(from, (at + place) % 8));
      }
    }
  }

  @Test
  void startsAreTheFirstLettersOfWordsInAnyChunk() {
    SplittableRandom random = new SplittableRandom(5);
    for (int length = 1; length < 200; length++) {
      byte[] bytes = new byte[length];
      for (int i = 0; i < length; i++) {
        // Every byte, and more often those around letters.
        bytes[i] = (byte) (random.nextBoolean() ? random.nextInt(256) : "@AZ[`az{".charAt(i % 8));
      }
      try (Memory memory = Memory.ofBytes(length)) {
        memory.segment().copyFrom(MemorySegment.ofArray(bytes));
        KernelText text = KernelText.of(memory, length);
        for (int at = 0; at < length; at++) {
          int starts = AsciiWindows.starts(text, at / KernelText.CHUNK);
          assertThat((starts >> at % KernelText.CHUNK & 1) != 0)
              .isEqualTo(isLetter(bytes, at) && !isLetter(bytes, at - 1));
        }
      }
    }
  }

  private static boolean isLetter(byte[] text, int at) {
    return at >= 0 && Alphabet.ASCII_LETTERS.letterOf(text[at] & 0xff) != Alphabet.NO_LETTER;
  }
}
