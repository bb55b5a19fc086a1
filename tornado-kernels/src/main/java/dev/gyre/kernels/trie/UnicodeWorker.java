package dev.gyre.kernels.trie;

import dev.gyre.atomics.ThreadInts;

/** Worker of the JVM for {@link Alphabet#UNICODE_LETTERS}. */
final class UnicodeWorker extends TextWorker {

  private final UnicodeLetters letters;
  private final ThreadInts table;

  UnicodeWorker(
      KernelText text,
      UnicodeLetters letters,
      TrieEdges trie,
      WorkerCache cache,
      SharedWordCache shared,
      boolean alone) {
    super(text, letters, trie, cache, shared, alone);
    this.letters = letters;
    this.table = letters.table();
  }

  @Override
  long wordEnd(long begin, long end) {
    return UnicodeText.wordEnd(text, begin, end, length, table);
  }

  @Override
  long foreign(byte[] piece, int at) {
    return TextBlocks.beyondAscii(piece, at);
  }

  @Override
  long step(long at, long stop) {
    long next = UnicodeText.nextWord(text, at, stop, length, table);
    if (next == at) {
      long end = TrieEdges.wordEnd(text, at, length, letters);
      next = count(UnicodeText.key(text, at, end, length, table), at, end);
    }
    return next;
  }
}
