package dev.gyre.bench.cli;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Counts the words of UTF-8 texts with a letter outside ASCII, which the ASCII alphabet cuts or
 * leaves out. Not thread-safe.
 *
 * <p>A word is a letter and all letters and combining marks after it, as with the Unicode alphabet.
 * To save time, only the beginning of a text is read completely. Of the rest, one block in {@link
 * #EVERY} is read, and represents all. Texts with many characters outside ASCII are sampled at half
 * the rate after each {@link #STAGE_CHARACTERS} of them.
 */
final class OutsideWords {

  static final long EXACT_BYTES = 1L << 18;
  static final int EVERY = 16;
  static final int STAGE_CHARACTERS = 1 << 11;

  private static final int MAX_STAGES = 20;
  private static final int BLOCK_BYTES = 1 << 12;

  /** A word without an end is cut after so many bytes. */
  private static final int MAX_TAIL_BYTES = 1 << 12;

  /** The first character outside ASCII. */
  private static final int MIN_OUTSIDE = 0x80;

  private static final int LETTERS =
      1 << Character.UPPERCASE_LETTER
          | 1 << Character.LOWERCASE_LETTER
          | 1 << Character.TITLECASE_LETTER
          | 1 << Character.MODIFIER_LETTER
          | 1 << Character.OTHER_LETTER;
  private static final int MARKS =
      1 << Character.NON_SPACING_MARK
          | 1 << Character.ENCLOSING_MARK
          | 1 << Character.COMBINING_SPACING_MARK;

  /**
   * Bytes to look at: of this block, and before them the last word of the block before. They are in
   * an array because a JVM that has just started reads arrays faster than segments.
   */
  private final byte[] text = new byte[MAX_TAIL_BYTES + BLOCK_BYTES];

  private int filled;

  /** Whether the bytes may begin within a word, which is then not counted. */
  private boolean beginsWithin;

  /**
   * Number of following bytes that are skipped; the bytes after them are read up to the end of a
   * block.
   */
  private long skipped;

  private int leftOfBlock = BLOCK_BYTES;
  private long blocks;
  private int every = 1;
  private long characters;
  private long words;

  /** Counts the words of the next bytes of a text; its last word when that has ended. */
  void read(MemorySegment bytes) {
    long size = bytes.byteSize();
    long at = Math.min(skipped, size);
    skipped -= at;
    while (at < size) {
      int count = (int) Math.min(leftOfBlock, size - at);
      MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, text, filled, count);
      filled += count;
      leftOfBlock -= count;
      at += count;
      if (leftOfBlock == 0) {
        endBlock();
        long skippedNow = Math.min(skipped, size - at);
        skipped -= skippedNow;
        at += skippedNow;
      }
    }
  }

  /** The text has ended: what follows is another. */
  void ended() {
    count(filled);
    filled = 0;
    beginsWithin = false;
  }

  /** How many words there are, about if they {@link #areSampled}. */
  long words() {
    return words;
  }

  /** Whether only a part was looked at. */
  boolean areSampled() {
    return every > 1;
  }

  private void endBlock() {
    int end = filled;
    int least = Math.max(0, filled - MAX_TAIL_BYTES);
    while (end > least && !separates(text[end - 1])) {
      end--;
    }
    count(end);
    System.arraycopy(text, end, text, 0, filled - end);
    filled -= end;
    blocks++;
    leftOfBlock = BLOCK_BYTES;
    int stage = (int) Math.min(MAX_STAGES, characters / STAGE_CHARACTERS);
    every = Math.max(blocks * BLOCK_BYTES < EXACT_BYTES ? 1 : EVERY, 1 << stage);
    beginsWithin = every > 1;
    if (every > 1) {
      filled = 0;
      skipped = (every - 1L) * BLOCK_BYTES;
    }
  }

  /** Counts the words of the bytes before an end. */
  private void count(int end) {
    int begin = 0;
    while (beginsWithin && begin < end && !separates(text[begin])) {
      begin++;
    }
    words += every * found(begin, end);
  }

  private long found(int begin, int end) {
    String decoded = new String(text, begin, end - begin, StandardCharsets.UTF_8);
    if (decoded.length() == end - begin) {
      // Bytes of ASCII, and malformed ones: nothing else has as many characters as bytes.
      return 0;
    }
    long found = 0;
    boolean inWord = false;
    boolean isFound = false;
    for (int at = 0; at < decoded.length(); at = decoded.offsetByCodePoints(at, 1)) {
      int code = decoded.codePointAt(at);
      int bit = 1 << Character.getType(code);
      isFound &= inWord;
      inWord = (bit & LETTERS) != 0 || (inWord && (bit & MARKS) != 0);
      characters += code < MIN_OUTSIDE ? 0 : 1;
      if (inWord && !isFound && code >= MIN_OUTSIDE) {
        isFound = true;
        found++;
      }
    }
    return found;
  }

  private static boolean separates(byte value) {
    return value >= 0 && !isLetter(value);
  }

  private static boolean isLetter(byte value) {
    int lower = value | 0x20;
    return lower >= 'a' && lower <= 'z';
  }
}
