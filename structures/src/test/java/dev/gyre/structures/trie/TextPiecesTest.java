package dev.gyre.structures.trie;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.structures.MemoryCache;
import dev.gyre.structures.TextCuts;
import dev.gyre.structures.TextPieces;
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

/** Pieces have all bytes of a text, and each word whole. */
class TextPiecesTest {

  private static final List<ScriptText> SCRIPTS = List.of(ScriptText.values());

  @ParameterizedTest
  @EnumSource
  void everyWordIsInOnePieceAndNoByteIsLost(Alphabet alphabet) {
    SplittableRandom random = new SplittableRandom(alphabet.label().length());
    for (int round = 0; round < 200; round++) {
      ScriptText script = SCRIPTS.get(round % SCRIPTS.size());
      byte[] text = script.text(random, random.nextInt(1, 20_000)).getBytes(UTF_8);
      long pieceBytes = random.nextLong(1, 40_000);
      List<byte[]> pieces = pieces(text, pieceBytes, alphabet);
      assertThat(String.join("", strings(pieces))).isEqualTo(string(text));
      assertThat(words(pieces, alphabet))
          .as("round %d", round)
          .isEqualTo(words(List.of(text), alphabet));
      assertThat(pieces.size()).isGreaterThanOrEqualTo((int) (text.length / pieceBytes / 2));
    }
  }

  @Test
  void piecesAreAboutAsLong() {
    byte[] text = "word ".repeat(10_000).getBytes(UTF_8);
    List<byte[]> pieces = pieces(text, 40_000, Alphabet.ASCII_LETTERS);
    assertThat(pieces).hasSize(2);
    assertThat(pieces.getFirst().length).isBetween(25_000, 30_000);
  }

  @Test
  void aTextWithoutAPlaceToCutIsOnePiece() {
    byte[] text = new byte[3 << 20];
    Arrays.fill(text, (byte) 'x');
    assertThat(pieces(text, 4096, Alphabet.ASCII_LETTERS)).containsExactly(text);
  }

  @Test
  void aWordMayBeLongerThanAPiece() {
    String word = "x".repeat(100_000);
    byte[] text = (word + " and " + word + "\n".repeat(20_000) + word).getBytes(UTF_8);
    Alphabet ascii = Alphabet.ASCII_LETTERS;
    assertThat(words(pieces(text, 4096, ascii), ascii)).isEqualTo(words(List.of(text), ascii));
  }

  @Test
  void whatWorkThrowsEndsIt() {
    byte[] text = "word ".repeat(10_000).getBytes(UTF_8);
    IllegalStateException cause = new IllegalStateException("no more");
    try (JvmLauncher jvm = JvmLauncher.ofWorkers(1);
        Memory memory = memory(text);
        MemoryCache kept = new MemoryCache(TextPieces.BUFFERS)) {
      TextPieces pieces = new TextPieces(kept);
      TextCuts cuts =
          new TextCuts(memory.segment(), memory, 1_000, Alphabet.ASCII_LETTERS::separates, 1);
      assertThatThrownBy(
              () ->
                  pieces.forEach(
                      cuts,
                      0,
                      jvm,
                      (_, _, _) -> {
                        throw cause;
                      }))
          .isSameAs(cause);
      // And can be used again.
      assertThat(collected(pieces, text, 1_000, Alphabet.ASCII_LETTERS, jvm))
          .hasSizeGreaterThan(40);
    }
  }

  private static List<byte[]> pieces(byte[] text, long pieceBytes, Alphabet alphabet) {
    try (JvmLauncher jvm = JvmLauncher.ofWorkers(1);
        MemoryCache kept = new MemoryCache(TextPieces.BUFFERS)) {
      return collected(new TextPieces(kept), text, pieceBytes, alphabet, jvm);
    }
  }

  private static List<byte[]> collected(
      TextPieces pieces, byte[] text, long pieceBytes, Alphabet alphabet, JvmLauncher jvm) {
    List<byte[]> all = new ArrayList<>();
    try (Memory memory = memory(text)) {
      pieces.forEach(
          new TextCuts(
              memory.segment().asSlice(0, text.length), memory, pieceBytes, alphabet::separates, 1),
          0,
          jvm,
          (piece, bytes, begun) -> {
            begun.run();
            // What is sent meanwhile leaves this piece alone.
            all.add(piece.segment().asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE));
          });
    }
    return all;
  }

  private static Memory memory(byte[] text) {
    Memory memory = Memory.ofBytes(Math.max(1, text.length));
    MemorySegment.copy(text, 0, memory.segment(), ValueLayout.JAVA_BYTE, 0, text.length);
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

  private static String string(byte[] text) {
    return new String(text, ISO_8859_1);
  }

  private static List<String> strings(List<byte[]> texts) {
    return texts.stream().map(TextPiecesTest::string).toList();
  }
}
