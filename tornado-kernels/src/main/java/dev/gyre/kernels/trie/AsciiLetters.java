package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;

/**
 * Letters of {@link Alphabet#ASCII_LETTERS}.
 *
 * @param classes step of each byte, or {@link Alphabet#NO_LETTER}
 * @since 0.1.0
 */
public record AsciiLetters(Bytes classes) implements Letters {

  @Override
  public long letterAt(Bytes text, long at, long to) {
    int step = classes.get(text.getUnsigned(at));
    long letter = 1L << Integer.SIZE;
    if (step >= 0) {
      letter |= Letter.of(step + 1, 1, true);
    }
    return letter;
  }

  @Override
  public int starts(KernelText text, long chunk) {
    return AsciiWindows.starts(text, chunk);
  }

  @Override
  public long keyAt(KernelText text, long at) {
    return AsciiWindows.keyAt(text, at, 0);
  }
}
