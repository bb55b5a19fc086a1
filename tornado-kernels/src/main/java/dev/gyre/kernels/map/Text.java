package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;
import java.nio.charset.StandardCharsets;

/**
 * The text of a key, as kernels read it: bytes, of a string those of UTF-8.
 *
 * @param source where all of its words are; of a text of one word, what can be read in its place
 * @param first the first word
 * @param length in bytes
 */
public record Text(Source source, long first, int length) {

  /** Where the words of a text are. */
  public interface Source {

    /** A word of the text, or of anything where that is the only one. */
    long word(int index);
  }

  /**
   * In a memory.
   *
   * @param start the first word
   */
  public record InMemory(DeviceLongs words, long start) implements Source {
    @Override
    public long word(int index) {
      return words.get(start + index);
    }
  }

  /** In an array; for the host. */
  @SuppressWarnings("ArrayRecordComponent") // it is not compared
  public record OnHeap(long[] words) implements Source {
    @Override
    public long word(int index) {
      return words[index];
    }
  }

  /** A text of the host's, as kernels see it: to call a strategy with. */
  public static Text of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The same of bytes. */
  public static Text of(byte[] text) {
    long[] words = new long[TextLayout.words(text.length)];
    for (int i = 0; i < text.length; i++) {
      words[i >> 3] |= (text[i] & 0xffL) << (i << 3);
    }
    return new Text(new OnHeap(words), words[0], text.length);
  }

  /** The text in a memory that begins with a word. */
  static Text at(DeviceLongs words, long start, int length) {
    return new Text(new InMemory(words, start), words.get(start), length);
  }

  /** Eight bytes of it, the first one lowest; those behind the end are 0. */
  public long word(int index) {
    // Read in any case: a choice of two numbers is no branch.
    long there = source.word(index);
    return index > 0 ? there : first;
  }

  /** Number of its words: one, if it is empty. */
  public int words() {
    return TextLayout.words(length);
  }

  /** A byte of it, from -128 to 127. */
  public int byteAt(int index) {
    return (byte) (word(index >> 3) >> ((index & 7) << 3));
  }
}
