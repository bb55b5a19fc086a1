package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import java.lang.foreign.MemorySegment;

/**
 * What the letters of a text are, and which of them are the same: the one place that knows.
 *
 * <p>A letter is one or more <em>steps</em>, which lead through it along the edges of nodes. They
 * are numbered in the order of letters in output, so that a walk through a trie by number gives
 * words in byte order. What is no letter ends a word.
 */
public enum Alphabet {

  /**
   * The letters of ASCII; upper and lower case are the same letter, written in lower case. Each is
   * one byte and one step. A word is a run of letters.
   */
  ASCII_LETTERS("ascii", 'z' - 'a' + 1),

  /**
   * The letters of Unicode, in UTF-8: general categories L and, within a word, M.
   *
   * <p>A word is a letter and all letters and combining marks that follow it, so that words written
   * with vowel signs or with separate accents stay whole, as UAX #29 wants; nothing else joins
   * letters: no apostrophe, no hyphen, no joiner. Writing without spaces is not cut into words: a
   * run of Han ideographs is one. Letters are the same that Unicode's simple case folding makes
   * equal, as of Unicode 15.1, and are written in lower case. They are not normalised, so that an
   * accented letter is another word than the letter followed by the accent. A byte that is not part
   * of a well-formed code point separates words: so do truncated and overlong forms and surrogates.
   */
  UNICODE_LETTERS("unicode", UnicodeTable.RADIX);

  /** Number of entries of a class table. */
  public static final int CLASSES = 256;

  /** Class of a byte that is no letter. */
  public static final byte NO_LETTER = -1;

  private static final int FIRST_OF_MANY = 0x80;

  private final String label;
  private final int radix;

  Alphabet(String label, int radix) {
    this.label = label;
    this.radix = radix;
  }

  /** How users name it: {@code ascii} or {@code unicode}. */
  public String label() {
    return label;
  }

  /**
   * The alphabet that users name so.
   *
   * @throws IllegalArgumentException if there is none, naming those that there are
   */
  public static Alphabet ofLabel(String label) {
    for (Alphabet alphabet : values()) {
      if (alphabet.label.equals(label)) {
        return alphabet;
      }
    }
    throw new IllegalArgumentException("no such alphabet: '" + label + "'; known: ascii, unicode");
  }

  /** Number of steps. */
  public int radix() {
    return radix;
  }

  /**
   * The step of the letter that a byte, from 0 to 255, is; {@link #NO_LETTER} if it is none by
   * itself. A byte of several that are one letter is none by itself.
   */
  public int letterOf(int unsignedByte) {
    int lower = unsignedByte | 0x20;
    return lower >= 'a' && lower <= 'z' ? lower - 'a' : NO_LETTER;
  }

  /** Whether a byte, from 0 to 255, separates words whatever is around it. */
  public boolean separates(int unsignedByte) {
    return letterOf(unsignedByte) == NO_LETTER
        && (this == ASCII_LETTERS || unsignedByte < FIRST_OF_MANY);
  }

  /** The {@link Letter} that begins at a byte of a text, with its bytes. */
  public long letterAt(byte[] text, int at) {
    int first = text[at] & 0xff;
    if (first >= FIRST_OF_MANY) {
      return this == ASCII_LETTERS ? 1L << Integer.SIZE : Utf8.letterAt(text, at);
    }
    int step = letterOf(first);
    return 1L << Integer.SIZE | (step == NO_LETTER ? 0 : Letter.of(step + 1, 1, true));
  }

  /** The bytes in UTF-8 that steps are written as; what is no whole letter is left out. */
  public byte[] bytesOf(byte[] steps) {
    return Utf8.bytesOf(steps);
  }

  /** A new table of the letters in memory, for the device functions of this alphabet. */
  public Memory table() {
    return this == ASCII_LETTERS ? classTable() : letterTable();
  }

  /** What kernels are told of the letters, with the {@link #table} of this alphabet. */
  public Letters letters(Memory table) {
    return this == ASCII_LETTERS
        ? new AsciiLetters(Bytes.of(table))
        : new UnicodeLetters(ThreadInts.of(table));
  }

  /** A new class table in memory, {@value #CLASSES} bytes: {@link #letterOf} for every byte. */
  public Memory classTable() {
    Memory memory = Memory.ofBytes(CLASSES);
    Bytes table = Bytes.of(memory);
    for (int i = 0; i < CLASSES; i++) {
      table.set(i, (byte) letterOf(i));
    }
    return memory;
  }

  private static Memory letterTable() {
    int[] letters = UnicodeTable.table();
    Memory memory = Memory.ofInts(letters.length);
    memory.segment().copyFrom(MemorySegment.ofArray(letters));
    return memory;
  }
}
