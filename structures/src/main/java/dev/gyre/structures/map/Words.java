package dev.gyre.structures.map;

import dev.gyre.atomics.Internal;

/**
 * What a word of a text is: a longest sequence of bytes of a certain kind.
 *
 * <p>The classification works on eight bytes at once. Each byte of a long is processed separately,
 * with carries that never leave it.
 *
 * @since 0.1.0
 */
public enum Words {

  /**
   * Sequences of ASCII letters, in lower case; the words of {@link
   * dev.gyre.kernels.trie.Alphabet#ASCII_LETTERS}.
   */
  ASCII_LETTERS(0x20),

  /**
   * Sequences of bytes other than blanks. A blank is a byte up to {@code ' '}: a space, an end of
   * line, a tab or another control character. UTF-8 characters stay whole. Nothing is folded.
   */
  NOT_BLANK(0);

  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGHEST = ONES << 7;

  /** Multiplier that gathers the lowest bits of all bytes in the top byte. */
  private static final long GATHER = 0x0102_0408_1020_4080L;

  private final long folding;

  Words(int foldingBit) {
    this.folding = foldingBit * ONES;
  }

  /**
   * Returns the bits that folding sets in each of eight bytes, so that equal words have equal
   * bytes.
   */
  long folding() {
    return folding;
  }

  /** Returns whether a byte belongs to a word. */
  @Internal
  public boolean has(byte b) {
    return (members(b & 0xff) & 1) != 0;
  }

  /** Returns one bit per byte, lowest first: whether the byte belongs to a word. */
  @Internal
  public long members(long bytes) {
    return (((this == ASCII_LETTERS ? letters(bytes) : notBlank(bytes)) >>> 7) * GATHER) >>> 56;
  }

  /**
   * Returns the highest bit of each byte that is a letter: from 64 to 127, with last five bits from
   * 1 to 26.
   */
  private static long letters(long bytes) {
    long numbers = bytes & (0x1f * ONES);
    long fromA = numbers + 0x7f * ONES;
    long aboveZ = numbers + (0x7f - 26) * ONES;
    return fromA & ~aboveZ & (bytes << 1) & ~bytes & HIGHEST;
  }

  /** Returns the highest bit of each byte that is greater than a space. */
  private static long notBlank(long bytes) {
    return (bytes | ((bytes & ~HIGHEST) + (0x7f - ' ') * ONES)) & HIGHEST;
  }
}
