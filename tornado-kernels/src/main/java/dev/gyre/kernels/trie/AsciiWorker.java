package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;

/** A worker of the JVM for {@link Alphabet#ASCII_LETTERS}. */
final class AsciiWorker extends StripWorker {

  private final Bytes classes;

  AsciiWorker(BuildTrie build, WorkerCache cache) {
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
    this.classes = build.classes();
  }

  @Override
  long wordEnd(long begin, long end) {
    return TrieFunctions.wordEnd(text, classes, begin, end);
  }

  @Override
  long foreign(byte[] piece, int at) {
    return 0;
  }

  @Override
  long step(long at, long stop) {
    long key = WordCache.PACKED;
    int shift = 0;
    long end = at;
    int letter = letter(end);
    while (letter >= 0) {
      key |= shift < WordCache.KEY_BITS ? (letter + 1L) << shift : 0;
      shift += AsciiWindows.KEY_SHIFT;
      end++;
      letter = end < stop ? letter(end) : Alphabet.NO_LETTER;
    }
    return end == at
        ? at + 1
        : count(shift <= WordCache.KEY_BITS ? key : WorkerCache.NO_KEY, at, end);
  }

  private int letter(long at) {
    return classes.get(text.getUnsigned(at));
  }

  @Override
  int walk(long begin, long end) {
    return TrieEdges.walk(
        text, begin, end, classes, AsciiWindows.KEY_SHIFT, edges, capacity, bump, pollLimit);
  }
}
