package dev.gyre.bench.words;

import dev.gyre.atomics.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Finds the words of a text as a careful Java programmer does: bytes copied to the heap by the
 * page, a table for letters. A word is a run of ASCII letters, in lower case.
 */
final class WordScan {

  private static final int PAGE = 1 << 16;
  private static final byte[] FOLDED = folded();

  /** What is done with a word. */
  interface Action {
    void accept(byte[] word, int length);
  }

  private WordScan() {}

  private static byte[] folded() {
    byte[] folded = new byte[256];
    for (int c = 'a'; c <= 'z'; c++) {
      folded[c] = (byte) c;
      folded[c - 0x20] = (byte) c;
    }
    return folded;
  }

  private static boolean isLetter(Memory text, long at) {
    return FOLDED[text.segment().get(ValueLayout.JAVA_BYTE, at) & 0xff] != 0;
  }

  /** Gives an action the words that start in a strip of a text. */
  static void forEach(Memory text, long begin, long end, Action action) {
    long at = begin;
    while (at > 0 && at < end && isLetter(text, at - 1)) {
      at++;
    }
    if (at >= end) {
      // The strip lies within a word that began before it.
      return;
    }
    long stop = end;
    while (stop < text.byteSize() && stop > 0 && isLetter(text, stop - 1)) {
      stop++;
    }
    byte[] page = new byte[PAGE];
    byte[] word = new byte[1 << 10];
    int length = 0;
    while (at < stop) {
      int size = (int) Math.min(PAGE, stop - at);
      MemorySegment.copy(text.segment(), ValueLayout.JAVA_BYTE, at, page, 0, size);
      for (int i = 0; i < size; i++) {
        byte letter = FOLDED[page[i] & 0xff];
        if (letter != 0) {
          if (length == word.length) {
            word = Arrays.copyOf(word, 2 * length);
          }
          word[length++] = letter;
        } else if (length > 0) {
          action.accept(word, length);
          length = 0;
        }
      }
      at += size;
    }
    if (length > 0) {
      action.accept(word, length);
    }
  }
}
