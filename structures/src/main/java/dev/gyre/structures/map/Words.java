package dev.gyre.structures.map;

import dev.gyre.atomics.Internal;

/**
 * What the words of a text are: runs of bytes of some kind, as long as can be.
 *
 * <p>Bytes are told apart eight at a time: each of the eight bytes of a long is worked on by
 * itself, with carries that never leave it.
 */
public enum Words {

  /**
   * Runs of ASCII letters, in lower case; the words that {@link
   * dev.gyre.kernels.trie.Alphabet#ASCII_LETTERS} makes.
   */
  ASCII_LETTERS(0x20),

  /**
   * Runs of bytes other than blanks, which are those up to {@code ' '}: spaces, ends of lines, tabs
   * and other control characters. Characters of UTF-8 stay whole. Nothing is folded.
   */
  NOT_BLANK(0);

  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGHEST = ONES << 7;

  /** Product with one bit per byte, the lowest: these bits, side by side, at the top. */
  private static final long GATHER = 0x0102_0408_1020_4080L;

  private final long folding;

  Words(int foldingBit) {
    this.folding = foldingBit * ONES;
  }

  /** What eight bytes of a word are ored with, so that equal words are the same bytes. */
  long folding() {
    return folding;
  }

  /** Whether a byte belongs to a word. */
  @Internal
  public boolean has(byte b) {
    return (members(b & 0xff) & 1) != 0;
  }

  /** One bit for each of eight bytes, the first lowest: whether it belongs to a word. */
  @Internal
  public long members(long bytes) {
    return (((this == ASCII_LETTERS ? letters(bytes) : notBlank(bytes)) >>> 7) * GATHER) >>> 56;
  }

  /**
   * The highest bit of each byte that is a letter: one from 64 to 127 whose last five bits are from
   * 1 to 26.
   */
  private static long letters(long bytes) {
    long numbers = bytes & (0x1f * ONES);
    long fromA = numbers + 0x7f * ONES;
    long aboveZ = numbers + (0x7f - 26) * ONES;
    return fromA & ~aboveZ & (bytes << 1) & ~bytes & HIGHEST;
  }

  /** The highest bit of each byte that is more than a space. */
  private static long notBlank(long bytes) {
    return (bytes | ((bytes & ~HIGHEST) + (0x7f - ' ') * ONES)) & HIGHEST;
  }
}
