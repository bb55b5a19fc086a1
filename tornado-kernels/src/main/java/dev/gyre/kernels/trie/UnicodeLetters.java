package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.ThreadInts;

/**
 * Letters of {@link Alphabet#UNICODE_LETTERS}, in UTF-8.
 *
 * <p>Words of ASCII letters are found in windows. The neighbourhood of a byte outside ASCII is
 * processed letter by letter.
 *
 * @param table see {@link UnicodeTable#table}
 * @since 0.1.0
 */
public record UnicodeLetters(ThreadInts table) implements Letters {

  /** Number of the bit that is set in all bytes outside ASCII. */
  private static final int BEYOND_BIT = 7;

  /** Number of the bit that is also set in the first byte of a code point. */
  private static final int FIRST_BIT = 6;

  /** First byte of U+2000 to U+203F, which separate words; the second is CONTINUATION. */
  private static final int PUNCTUATION = 0xe2;

  private static final int CONTINUATION = 0x80;

  @Override
  public long letterAt(Bytes text, long at, long to) {
    return UnicodeText.letterAt(text, at, to, table);
  }

  @Override
  public int starts(KernelText text, long chunk) {
    int starts = AsciiWindows.starts(text, chunk);
    int beyond = AsciiWindows.marked(text, chunk, BEYOND_BIT, BEYOND_BIT);
    long base = chunk * KernelText.CHUNK;
    int before = 0;
    if (base > 0) {
      before = text.bytes().getUnsigned(base - 1) >> BEYOND_BIT;
    }
    // Positions that may be inside a word, after a byte outside ASCII, and word beginnings among
    // them.
    int doubtful = starts & (beyond << 1 | before);
    starts ^= doubtful;
    if (beyond != 0) {
      doubtful |= AsciiWindows.marked(text, chunk, BEYOND_BIT, FIRST_BIT);
    }
    while (doubtful != 0) {
      int bit = doubtful & -doubtful;
      long at = base + Integer.bitCount(bit - 1);
      if (UnicodeText.begins(text.bytes(), at, text.length(), table)) {
        starts |= bit;
      }
      doubtful ^= bit;
    }
    return starts;
  }

  @Override
  public long keyAt(KernelText text, long at) {
    long key = AsciiWindows.keyAt(text, at, AsciiWindows.ONES);
    long whole = 1;
    if (key <= 0) {
      whole = endsInPunctuation(text, at);
    }
    // No branch around the loop: letter by letter, or no iteration.
    long end = at + ((text.length() - at) & (whole - 1));
    long other = UnicodeText.key(text.bytes(), at, end, text.length(), table);
    return (key & Long.MAX_VALUE & -whole) | (other & (whole - 1));
  }

  /**
   * Returns 1 if there are ASCII letters, few enough for a key, followed by punctuation; otherwise
   * 0.
   */
  private static long endsInPunctuation(KernelText text, long at) {
    long letters = AsciiWindows.lengthAt(text, at);
    long end = at + letters;
    long last = text.length() - 1;
    int next = text.bytes().getUnsigned(Math.min(end, last)) ^ PUNCTUATION;
    next |= text.bytes().getUnsigned(Math.min(end + 1, last)) ^ CONTINUATION;
    return Math.max(
        0, Math.min(1, Math.min(letters, Math.min(WordKey.LETTERS + 1 - letters, 1 - next))));
  }
}
