package dev.gyre.kernels.trie;

import dev.gyre.atomics.ThreadInts;

/** A worker of the JVM for {@link Alphabet#UNICODE_LETTERS}. */
final class UnicodeWorker extends StripWorker {

  private final ThreadInts table;

  UnicodeWorker(BuildUnicodeTrie build, WorkerCache cache) {
    super(
        build.text(),
        build.length(),
        build.edges(),
        build.counts(),
        build.capacity(),
        build.bump(),
        build.progress(),
        build.ended(),
        build.pollLimit(),
        cache);
    this.table = build.table();
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
      long end = UnicodeText.lettersEnd(text, at, length, table);
      next = count(UnicodeText.key(text, at, end, length, table), at, end);
    }
    return next;
  }

  @Override
  int walk(long begin, long end) {
    return UnicodeFunctions.walk(text, begin, end, length, table, edges, capacity, bump, pollLimit);
  }
}
