package dev.gyre.kernels.trie;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class UnicodeTextTest {

  private static final Pattern LETTER = Pattern.compile("\\p{L}");
  private static final Pattern MARK = Pattern.compile("\\p{M}");

  @Test
  void everyCodePointIsALetterOrAMarkOrNeither() {
    for (int code = 0; code <= Character.MAX_CODE_POINT; code++) {
      String text = Character.toString(code);
      boolean letter = LETTER.matcher(text).matches();
      boolean mark = MARK.matcher(text).matches();
      long found = UnicodeTable.letterOf(code);
      assertThat(Letter.begins(found)).as("U+%X", code).isEqualTo(letter);
      assertThat(Letter.steps(found) != 0).as("U+%X", code).isEqualTo(letter || mark);
    }
  }

  @Test
  void lettersLeadBackToTheirFoldedCodePointInTheOrderOfCodePoints() {
    TreeMap<Integer, byte[]> all = new TreeMap<>();
    for (int code = 0; code <= Character.MAX_CODE_POINT; code++) {
      byte[] steps = steps(UnicodeTable.letterOf(code));
      if (steps.length > 0) {
        int folded = UnicodeTable.fold(code);
        assertThat(UnicodeTable.fold(folded)).as("U+%X", code).isEqualTo(folded);
        assertThat(UnicodeTable.codePoint(steps, 0)).as("U+%X", code).isEqualTo(folded);
        assertThat(Utf8.bytesOf(steps)).isEqualTo(Character.toString(folded).getBytes(UTF_8));
        // A folded word is a word, and the same one.
        assertThat(steps(UnicodeTable.letterOf(folded))).isEqualTo(steps);
        all.put(folded, steps);
      }
    }
    byte[] before = {};
    for (byte[] steps : all.values()) {
      assertThat(Arrays.compare(before, steps)).isNegative();
      // No letter is the beginning of another.
      assertThat(Arrays.mismatch(before, steps)).isLessThan(Math.max(before.length, 1));
      before = steps;
    }
    assertThat(all).hasSizeGreaterThan(130_000);
  }

  private static byte[] steps(long letter) {
    ByteArrayOutputStream steps = new ByteArrayOutputStream();
    for (int rest = Letter.steps(letter); rest != 0; rest >>= Letter.STEP_BITS) {
      steps.write(Letter.step(rest));
    }
    assertThat(Letter.bits(letter)).isEqualTo(Letter.STEP_BITS * steps.size());
    return steps.toByteArray();
  }

  @Test
  void foldingIsThatOfUnicode() {
    assertFolds("ÄÉÑØŒẞΣςДЖЉԱႠᎠꭰÅK", "äéñøœßσσджљաⴀꭰꭰåk");
    // One code point to one: what would need two stays.
    assertFolds("ŉǰΐﬁ", "ŉǰΐﬁ");
    assertFolds("İıſǅǄ", "İısǆǆ");
    assertFolds("𐐀𐒰𞤀", "𐐨𐓘𞤢");
    assertFolds("אבגدहिन語한", "אבגدहिन語한");
  }

  private static void assertFolds(String text, String folded) {
    assertThat(text.codePoints().map(UnicodeTable::fold).toArray())
        .isEqualTo(folded.codePoints().toArray());
  }

  @Test
  void hostAndDeviceFindTheSameLettersInAnyBytes() {
    SplittableRandom random = new SplittableRandom(5);
    try (Memory table = Alphabet.UNICODE_LETTERS.table();
        Memory memory = Memory.ofBytes(64)) {
      for (int round = 0; round < 40_000; round++) {
        byte[] text = randomBytes(random);
        memory.segment().fill((byte) 0xa9).asByteBuffer();
        MemorySegment.copy(MemorySegment.ofArray(text), 0, memory.segment(), 0, text.length);
        for (int at = 0; at < text.length; at++) {
          long device =
              UnicodeText.letterAt(Bytes.of(memory), at, text.length, ThreadInts.of(table));
          long host = Alphabet.UNICODE_LETTERS.letterAt(text, at);
          long letter = decoded(text, at);
          assertThat(Letter.steps(device))
              .as("%d of %s", at, Arrays.toString(text))
              .isEqualTo(Letter.steps(letter));
          assertThat(Letter.steps(host)).isEqualTo(Letter.steps(letter));
          if (Letter.steps(letter) != 0) {
            // Where there is no letter, any number of bytes without one can be left out.
            assertThat(device).isEqualTo(letter);
            assertThat(host).isEqualTo(letter);
          }
        }
      }
    }
  }

  /** Bytes from the borders of what UTF-8 allows, more often well-formed than not. */
  private static byte[] randomBytes(SplittableRandom random) {
    byte[] text = new byte[random.nextInt(1, 9)];
    int[] leads = {'a', ' ', 0xc2, 0xc3, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf1, 0xf4};
    for (int i = 0; i < text.length; i++) {
      text[i] =
          (byte)
              switch (random.nextInt(8)) {
                case 0 -> random.nextInt(256);
                case 1, 2 -> leads[random.nextInt(leads.length)];
                default -> 0x80 + random.nextInt(64);
              };
    }
    return text;
  }

  /** What the JDK's strict decoder says: the one code point that begins there, or none. */
  private static long decoded(byte[] text, int at) {
    for (int size = 1; size <= 4 && at + size <= text.length; size++) {
      try {
        String one = UTF_8.newDecoder().decode(ByteBuffer.wrap(text, at, size)).toString();
        return (long) size << 32 | UnicodeTable.letterOf(one.codePointAt(0));
      } catch (CharacterCodingException e) {
        // Not so long.
      }
    }
    return 1L << 32;
  }

  @Test
  void bytesThatAreNoWholeLetterAreLeftOut() {
    byte[] half = Arrays.copyOf(steps(UnicodeTable.letterOf('語')), 3);
    assertThat(Utf8.bytesOf(half)).isEmpty();
  }
}
