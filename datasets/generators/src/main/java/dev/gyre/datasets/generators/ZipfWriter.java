package dev.gyre.datasets.generators;

import java.util.Arrays;

/** Joins random words to sentences, lines and paragraphs. Used once, by one thread. */
final class ZipfWriter {

  /** Bytes around a word: a gap before it and a mark after it. */
  private static final int AROUND = 3;

  private final ZipfRanks ranks;
  private final byte[][] words;
  private final int columns;
  private final SplitMix random;
  private final byte[] text;
  private int used;
  private int column;
  private int wordsLeft;
  private int sentencesLeft;
  private boolean sentenceBegins = true;

  ZipfWriter(ZipfRanks ranks, byte[][] words, int columns, long seed, byte[] text) {
    this.ranks = ranks;
    this.words = words;
    this.columns = columns;
    this.text = text;
    this.random = new SplitMix(seed);
    this.wordsLeft = sentenceLength();
    this.sentencesLeft = paragraphLength();
  }

  /** Fills the text with whole words, and what is left with spaces and a final newline. */
  void fill() {
    byte[] word = words[ranks.draw(random.nextLong())];
    while (word.length + AROUND + 1 <= text.length - used) {
      append(word);
      word = words[ranks.draw(random.nextLong())];
    }
    if (used < text.length) {
      Arrays.fill(text, used, text.length - 1, (byte) ' ');
      text[text.length - 1] = '\n';
    }
  }

  private void append(byte[] word) {
    gap(word.length + 1);
    System.arraycopy(word, 0, text, used, word.length);
    if (sentenceBegins) {
      text[used] = (byte) (word[0] - ('a' - 'A'));
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
    text[used++] = '\n';
    column = 0;
  }

  private void mark(char mark) {
    text[used++] = (byte) mark;
    column++;
  }

  private int sentenceLength() {
    return 3 + random.nextInt(12) + random.nextInt(14);
  }

  private int paragraphLength() {
    return 2 + random.nextInt(7);
  }
}
