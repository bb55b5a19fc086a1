package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.Internal;

/**
 * Letters of a text, for kernels; an {@link Alphabet} creates it.
 *
 * @since 0.1.0
 */
@Internal
public sealed interface Letters permits AsciiLetters, UnicodeLetters {

  /**
   * Returns the {@link Letter} that begins at a byte.
   *
   * @param to index after the last byte of the text
   */
  long letterAt(Bytes text, long at, long to);

  /** Returns the bytes of a chunk at which words begin, the first in the lowest bit. */
  int starts(KernelText text, long chunk);

  /**
   * Returns the {@linkplain WordKey key} of the word that begins at a byte; 0 or less if it has
   * none.
   */
  long keyAt(KernelText text, long at);
}
