package dev.gyre.datasets;

import dev.gyre.atomics.Memory;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Seeded text whose words follow the Zipf-Mandelbrot law, in sentences, lines and paragraphs.
 *
 * <p>The word of rank r, counted from 1, is drawn with a probability in proportion to 1/(r+q)^s.
 * Words can be pronounced, are all different and get longer as they get rarer. The same seed and
 * shape give the same bytes on every JVM, whatever they are written to.
 *
 * <p>Immutable; several threads may write from one.
 */
public final class ZipfText {

  /** Size of the sample that stands in where a user names no input, in bytes. */
  public static final int SAMPLE_BYTES = 1 << 20;

  /**
   * The parameters of a text.
   *
   * @param seed any number; another seed gives other words in another order
   * @param words size of the vocabulary, 1 to 2^24
   * @param exponent s, from 0 (all words equally frequent) to 100
   * @param offset q, from 0 to 1e9: how much the first ranks are levelled
   * @param columns lines are broken before they get longer, 1 to 2^20; a longer word has one alone
   */
  public record Shape(long seed, int words, double exponent, double offset, int columns) {

    /** Close to an English novel. */
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

  /** Makes the vocabulary of a text. */
  public ZipfText(Shape shape) {
    this.shape = shape;
    this.ranks = new ZipfRanks(shape.words(), shape.exponent(), shape.offset());
    this.words = Vocabulary.words(shape.words(), new SplitMix(shape.seed()));
  }

  /** The sample that stands in where a user names no input: always the same bytes. */
  public static byte[] sample() {
    return new ZipfText(Shape.DEFAULT).bytes(SAMPLE_BYTES);
  }

  /** The words in lower case, the most frequent first. */
  public List<String> words() {
    List<String> texts = new ArrayList<>(words.length);
    for (byte[] word : words) {
      texts.add(new String(word, java.nio.charset.StandardCharsets.US_ASCII));
    }
    return texts;
  }

  /** Text of exactly {@code count} bytes; whole words only, spaces fill up the end. */
  public byte[] bytes(int count) {
    byte[] text = new byte[count];
    fill(MemorySegment.ofArray(text));
    return text;
  }

  /** Fills a memory with text; whole words only, spaces fill up the end. */
  public void fill(Memory memory) {
    fill(memory.segment());
  }

  /** Fills a segment with text; whole words only, spaces fill up the end. */
  public void fill(MemorySegment segment) {
    new Filling(segment).run();
  }

  /**
   * Writes exactly {@code count} bytes of text; whole words only, spaces fill up the end. The
   * stream is neither flushed nor closed.
   *
   * @throws IOException if the stream does
   */
  public void writeTo(OutputStream out, long count) throws IOException {
    writer().write(count, out::write);
  }

  private ZipfWriter writer() {
    return new ZipfWriter(ranks, words, shape.columns(), SplitMix.at(shape.seed(), shape.words()));
  }

  /** Copies blocks of text one behind the other. */
  private final class Filling {
    private final MemorySegment segment;
    private long position;

    Filling(MemorySegment segment) {
      this.segment = segment;
    }

    void run() {
      try {
        writer().write(segment.byteSize(), this::append);
      } catch (IOException e) {
        throw new AssertionError("memory gives no such error", e);
      }
    }

    private void append(byte[] block, int from, int count) {
      MemorySegment.copy(block, from, segment, ValueLayout.JAVA_BYTE, position, count);
      position += count;
    }
  }
}
