package dev.gyre.structures.trie;

import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.Letter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Words as sequences of steps; see {@link Alphabet}. */
final class Steps {

  private Steps() {}

  /** Returns the steps of a word or of a prefix of one; empty if the text is neither. */
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
   * Returns the steps of a word.
   *
   * @throws IllegalArgumentException if the text is not exactly one word
   */
  static byte[] ofWord(Alphabet alphabet, String word) {
    return of(alphabet, word.getBytes(StandardCharsets.UTF_8))
        .filter(steps -> steps.length > 0)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'%s' is not a word of the alphabet %s".formatted(word, alphabet.label())));
  }

  /** Returns steps or edges with another one appended. */
  static byte[] with(byte[] path, int next) {
    byte[] longer = Arrays.copyOf(path, path.length + 1);
    longer[path.length] = (byte) next;
    return longer;
  }

  /** Returns steps or edges in reverse order. */
  static byte[] reversed(byte[] path) {
    byte[] other = new byte[path.length];
    for (int at = 0; at < path.length; at++) {
      other[at] = path[path.length - 1 - at];
    }
    return other;
  }

  /** Returns the word of some steps. */
  static String word(Alphabet alphabet, byte[] steps) {
    byte[] letters = new byte[steps.length];
    int highest = 0;
    for (int at = 0; at < steps.length; at++) {
      highest = Math.max(highest, steps[at]);
      letters[at] = (byte) ('a' + steps[at]);
    }
    // The ASCII letters are the first steps of every alphabet.
    return highest <= 'z' - 'a'
        ? new String(letters, StandardCharsets.ISO_8859_1)
        : new String(alphabet.bytesOf(steps), StandardCharsets.UTF_8);
  }
}
