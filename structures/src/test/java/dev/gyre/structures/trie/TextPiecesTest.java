package dev.gyre.structures.trie;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.trie.Alphabet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pieces have all words of a text, each whole, and no page in common. */
class TextPiecesTest {

  private static final long PAGE = 4096;
  private static final List<ScriptText> SCRIPTS = List.of(ScriptText.values());

  @ParameterizedTest
  @EnumSource
  void everyWordIsInOnePieceAndPiecesShareNoPage(Alphabet alphabet) {
    SplittableRandom random = new SplittableRandom(alphabet.label().length());
    for (int round = 0; round < 200; round++) {
      ScriptText script = SCRIPTS.get(round % SCRIPTS.size());
      byte[] text = script.text(random, random.nextInt(1, 20_000)).getBytes(UTF_8);
      long pieceBytes = random.nextLong(PAGE, 40_000);
      List<byte[]> pieces = pieces(text, pieceBytes, alphabet);
      assertThat(words(pieces, alphabet))
          .as("round %d", round)
          .isEqualTo(words(List.of(text), alphabet));
      assertThat(pieces.size()).isGreaterThanOrEqualTo((int) (text.length / pieceBytes / 2));
    }
  }

  @Test
  void aTextWithoutAPlaceToCutIsOnePiece() {
    byte[] text = new byte[3 << 20];
    Arrays.fill(text, (byte) 'x');
    assertThat(pieces(text, PAGE, Alphabet.ASCII_LETTERS)).containsExactly(text);
  }

  @Test
  void aWordMayBeLongerThanAPiece() {
    String word = "x".repeat(100_000);
    byte[] text = (word + " and " + word + "\n".repeat(20_000) + word).getBytes(UTF_8);
    Alphabet ascii = Alphabet.ASCII_LETTERS;
    assertThat(words(pieces(text, PAGE, ascii), ascii)).isEqualTo(words(List.of(text), ascii));
  }

  private static List<byte[]> pieces(byte[] text, long pieceBytes, Alphabet alphabet) {
    List<byte[]> all = new ArrayList<>();
    long[] lastPage = {-1};
    try (Memory memory = Memory.ofBytes(text.length);
        JvmLauncher jvm = JvmLauncher.ofWorkers(1);
        TextPieces pieces =
            TextPieces.of(filled(memory, text), text.length, pieceBytes, alphabet::separates)) {
      long from = memory.segmentWithHeader().address();
      long to = from + memory.segmentWithHeader().byteSize();
      pieces.forEach(
          jvm,
          piece -> {
            MemorySegment whole = piece.segmentWithHeader();
            if (whole.address() >= from && whole.address() < to) {
              assertThat(whole.address() / PAGE).isGreaterThan(lastPage[0]);
              lastPage[0] = (whole.address() + whole.byteSize() - 1) / PAGE;
            }
            all.add(piece.segment().toArray(ValueLayout.JAVA_BYTE));
          });
      assertThat(memory.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(text);
    }
    return all;
  }

  private static Memory filled(Memory memory, byte[] text) {
    memory.segment().copyFrom(MemorySegment.ofArray(text));
    return memory;
  }

  /** Runs of bytes that do not separate words, in order. */
  private static List<String> words(List<byte[]> texts, Alphabet alphabet) {
    List<String> words = new ArrayList<>();
    for (byte[] text : texts) {
      int from = 0;
      for (int at = 0; at <= text.length; at++) {
        if (at == text.length || alphabet.separates(text[at] & 0xff)) {
          if (at > from) {
            words.add(new String(text, from, at - from, ISO_8859_1));
          }
          from = at + 1;
        }
      }
    }
    Collections.sort(words);
    return words;
  }
}
