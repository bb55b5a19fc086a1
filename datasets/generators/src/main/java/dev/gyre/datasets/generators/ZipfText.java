package dev.gyre.datasets.generators;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Seeded text whose words follow the Zipf-Mandelbrot law, in sentences, lines and paragraphs.
 *
 * <pre>{@code
 * byte[] text = new ZipfText(ZipfText.Shape.DEFAULT).bytes(1 << 20);
 * }</pre>
 *
 * <p>The word of rank r, counted from 1, has a probability in proportion to 1/(r+q)^s. Words are
 * pronounceable, all different, and longer if they are rarer. The same seed and shape give the same
 * bytes on every JVM. Immutable; several threads may use one object.
 */
public final class ZipfText {

  /** Size of the sample text, in bytes. */
  public static final int SAMPLE_BYTES = 1 << 20;

  /**
   * Parameters of a text.
   *
   * @param seed any number; selects words and their order
   * @param words size of the vocabulary, 1 to 2^24
   * @param exponent s, from 0 (all words equally frequent) to 100
   * @param offset q, from 0 to 1e9, which levels the first ranks
   * @param columns largest length of a line, 1 to 2^20; a longer word has its own line
   */
  public record Shape(long seed, int words, double exponent, double offset, int columns) {

    /** Parameters close to an English novel. */
    public static final Shape DEFAULT = new Shape(42, 10_000, 1.05, 2.0, 72);

    public Shape {
      if (words < 1 || words > 1 << 24) {
        throw new IllegalArgumentException("words must be 1 to 2^24: " + words);
      }
      if (columns < 1 || columns > 1 << 20) {
        throw new IllegalArgumentException("columns must be 1 to 2^20: " + columns);
      }
    }
  }

  private final Shape shape;
  private final ZipfRanks ranks;
  private final byte[][] words;

  /** Creates the vocabulary of a text. */
  public ZipfText(Shape shape) {
    this.shape = shape;
    this.ranks = new ZipfRanks(shape.words(), shape.exponent(), shape.offset());
    this.words = Vocabulary.words(shape.words(), new SplitMix(shape.seed()));
  }

  /**
   * Returns the sample text, which commands use if the user names no input; always the same bytes.
   */
  public static byte[] sample() {
    return new ZipfText(Shape.DEFAULT).bytes(SAMPLE_BYTES);
  }

  /** Returns the words in lower case, the most frequent first. */
  public List<String> words() {
    return Arrays.stream(words).map(word -> new String(word, StandardCharsets.US_ASCII)).toList();
  }

  /** Returns {@code count} bytes of text, of whole words, filled up with spaces. */
  public byte[] bytes(int count) {
    byte[] text = new byte[count];
    long start = SplitMix.at(shape.seed(), shape.words());
    new ZipfWriter(ranks, words, shape.columns(), start, text).fill();
    return text;
  }
}
