package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;

/** What the letters of a text are, for kernels; see {@link Alphabet}, which makes it. */
public sealed interface Letters permits AsciiLetters, UnicodeLetters {

  /**
   * The {@link Letter} that begins at a byte.
   *
   * @param to the byte after the last of the text
   */
  long letterAt(Bytes text, long at, long to);

  /** The bytes of a chunk of a text at which words begin, the first in the lowest bit. */
  int starts(KernelText text, long chunk);

  /** The {@linkplain WordKey key} of the word that begins at a byte; 0 or less if it has none. */
  long keyAt(KernelText text, long at);
}
