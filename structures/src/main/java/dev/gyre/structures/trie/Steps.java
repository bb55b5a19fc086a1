package dev.gyre.structures.trie;

import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.Letter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Words as the steps that lead to them; see {@link Alphabet}. */
final class Steps {

  private Steps() {}

  /** The steps of a word or of the beginning of one; none where the text is neither. */
  static Optional<byte[]> of(Alphabet alphabet, byte[] text) {
    ByteArrayOutputStream steps = new ByteArrayOutputStream(text.length);
    boolean letters = true;
    int at = 0;
    while (letters && at < text.length) {
      long letter = alphabet.letterAt(text, at);
      letters = at == 0 ? Letter.begins(letter) : Letter.steps(letter) != 0;
      for (int rest = Letter.steps(letter); rest != 0; rest >>= Letter.STEP_BITS) {
        steps.write(Letter.step(rest));
      }
      at += Letter.bytes(letter);
    }
    return letters ? Optional.of(steps.toByteArray()) : Optional.empty();
  }

  /**
   * The steps of a whole word.
   *
   * @throws IllegalArgumentException if it is none
   */
  static byte[] ofWord(Alphabet alphabet, String word) {
    return of(alphabet, word.getBytes(StandardCharsets.UTF_8))
        .filter(steps -> steps.length > 0)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'%s' is not a word of the alphabet %s".formatted(word, alphabet.label())));
  }

  /** Steps or edges with another one behind them. */
  static byte[] with(byte[] path, int next) {
    byte[] longer = Arrays.copyOf(path, path.length + 1);
    longer[path.length] = (byte) next;
    return longer;
  }

  /** Steps or edges in the other order. */
  static byte[] reversed(byte[] path) {
    byte[] other = new byte[path.length];
    for (int at = 0; at < path.length; at++) {
      other[at] = path[path.length - 1 - at];
    }
    return other;
  }

  /** The word that steps lead to. */
  static String word(Alphabet alphabet, byte[] steps) {
    byte[] letters = new byte[steps.length];
    int highest = 0;
    for (int at = 0; at < steps.length; at++) {
      highest = Math.max(highest, steps[at]);
      letters[at] = (byte) ('a' + steps[at]);
    }
    // The letters of ASCII are the first steps of every alphabet.
    return highest <= 'z' - 'a'
        ? new String(letters, StandardCharsets.ISO_8859_1)
        : new String(alphabet.bytesOf(steps), StandardCharsets.UTF_8);
  }
}
