package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;

/** Worker of the JVM for {@link Alphabet#ASCII_LETTERS}. */
final class AsciiWorker extends TextWorker {

  private final Bytes classes;

  AsciiWorker(
      KernelText text,
      AsciiLetters letters,
      TrieEdges trie,
      WorkerCache cache,
      SharedWordCache shared,
      boolean alone) {
    super(text, letters, trie, cache, shared, alone);
    this.classes = letters.classes();
  }

  @Override
  long wordEnd(long begin, long end) {
    long at = begin;
    if (at > 0 && at < end && letter(at - 1) >= 0) {
      while (at < end && letter(at) >= 0) {
        at++;
      }
    }
    return at;
  }

  @Override
  long foreign(byte[] piece, int at) {
    return 0;
  }

  @Override
  long step(long at, long stop) {
    long key = WordKey.PACKED;
    int shift = 0;
    long end = at;
    int letter = letter(end);
    while (letter >= 0) {
      key |= shift < WordKey.KEY_BITS ? (letter + 1L) << shift : 0;
      shift += AsciiWindows.KEY_SHIFT;
      end++;
      letter = end < stop ? letter(end) : Alphabet.NO_LETTER;
    }
    return end == at
        ? at + 1
        : count(shift <= WordKey.KEY_BITS ? key : WorkerCache.NO_KEY, at, end);
  }

  private int letter(long at) {
    return classes.get(text.getUnsigned(at));
  }
}
