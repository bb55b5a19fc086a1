package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Internal;
import java.nio.charset.StandardCharsets;

/**
 * Text of a key, for kernels: its bytes. A string is encoded as UTF-8.
 *
 * @param source source of its words; any readable source if the text has one word
 * @param first the first word
 * @param length length in bytes
 * @since 0.1.0
 */
public record Text(Source source, long first, int length) {

  /** Source of the words of a text. */
  @Internal
  public interface Source {

    /** Returns a word of the text; any value if the text has one word. */
    long word(int index);
  }

  /**
   * Words in a memory.
   *
   * @param start the first word
   */
  @Internal
  public record InMemory(DeviceLongs words, long start) implements Source {
    @Override
    public long word(int index) {
      return words.get(start + index);
    }
  }

  /** Bytes of an array, for the host. */
  @SuppressWarnings("ArrayRecordComponent") // This record is never compared.
  private record OnHeap(byte[] text) implements Source {
    @Override
    public long word(int index) {
      return ShortText.word(text, text.length, index);
    }
  }

  /** Returns a string as kernels see it, so that the host can call a strategy. */
  public static Text of(String text) {
    return onHeap(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns bytes as kernels see them. */
  public static Text of(byte[] text) {
    return onHeap(text.clone());
  }

  private static Text onHeap(byte[] text) {
    return new Text(new OnHeap(text), ShortText.word(text, text.length, 0), text.length);
  }

  /** Returns the text that begins at a word of a memory. */
  static Text at(DeviceLongs words, long start, int length) {
    return new Text(new InMemory(words, start), words.get(start), length);
  }

  /** Returns eight bytes, the first one lowest. Bytes after the end are 0. */
  public long word(int index) {
    // Read in any case: selecting one of two numbers needs no branch.
    long there = source.word(index);
    return index > 0 ? there : first;
  }

  /** Returns the number of words; an empty text has one. */
  public int words() {
    return TextLayout.words(length);
  }

  /** Returns a byte of the text, from -128 to 127. */
  public int byteAt(int index) {
    return (byte) (word(index >> 3) >> ((index & 7) << 3));
  }
}
