package dev.gyre.datasets.generators;

import java.io.IOException;
import java.util.Arrays;

/** Joins random words to sentences, lines and paragraphs. Used once, by one thread. */
final class ZipfWriter {

  /** Destination of blocks of text. */
  @FunctionalInterface
  interface Sink {
    void write(byte[] block, int from, int count) throws IOException;
  }

  private static final int BLOCK_BYTES = 1 << 16;

  /** Bytes around a word: a gap before it and a mark after it. */
  private static final int AROUND = 3;

  private final ZipfRanks ranks;
  private final byte[][] words;
  private final int columns;
  private final SplitMix random;
  private byte[] block = new byte[BLOCK_BYTES];
  private int used;
  private int column;
  private int wordsLeft;
  private int sentencesLeft;
  private boolean sentenceBegins = true;

  ZipfWriter(ZipfRanks ranks, byte[][] words, int columns, long seed) {
    this.ranks = ranks;
    this.words = words;
    this.columns = columns;
    this.random = new SplitMix(seed);
    this.wordsLeft = sentenceLength();
    this.sentencesLeft = paragraphLength();
  }

  /** Writes exactly {@code count} bytes. */
  void write(long count, Sink sink) throws IOException {
    long left = count;
    byte[] word = words[ranks.draw(random.nextLong())];
    while (word.length + AROUND + 1 <= left - used) {
      if (used + word.length + AROUND > block.length) {
        sink.write(block, 0, used);
        left -= used;
        used = 0;
        // A word longer than the block: the vocabulary has none, but nothing guarantees it.
        block = block.length < word.length + AROUND ? new byte[2 * word.length + AROUND] : block;
      }
      append(word);
      word = words[ranks.draw(random.nextLong())];
    }
    sink.write(block, 0, used);
    fillUp(left - used, sink);
  }

  private void append(byte[] word) {
    gap(word.length + 1);
    System.arraycopy(word, 0, block, used, word.length);
    if (sentenceBegins) {
      block[used] = (byte) (word[0] - ('a' - 'A'));
    }
    used += word.length;
    column += word.length;
    sentenceBegins = false;
    wordsLeft--;
    if (wordsLeft == 0) {
      mark(random.nextInt(12) == 0 ? '?' : '.');
      sentenceBegins = true;
      sentencesLeft--;
      wordsLeft = sentenceLength();
    } else if (random.nextInt(11) == 0) {
      mark(',');
    }
  }

  /** Writes the gap between two words. */
  private void gap(int next) {
    if (sentencesLeft == 0) {
      sentencesLeft = paragraphLength();
      newline();
      newline();
    } else if (column > 0 && column + 1 + next > columns) {
      newline();
    } else if (column > 0) {
      mark(' ');
    }
  }

  private void newline() {
    block[used++] = '\n';
    column = 0;
  }

  private void mark(char mark) {
    block[used++] = (byte) mark;
    column++;
  }

  private int sentenceLength() {
    return 3 + random.nextInt(12) + random.nextInt(14);
  }

  private int paragraphLength() {
    return 2 + random.nextInt(7);
  }

  /** Writes spaces and a final newline, for the bytes in which no further word fits. */
  private static void fillUp(long count, Sink sink) throws IOException {
    if (count > 0) {
      byte[] end = new byte[(int) count];
      Arrays.fill(end, (byte) ' ');
      end[end.length - 1] = '\n';
      sink.write(end, 0, end.length);
    }
  }
}
