package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import java.lang.foreign.MemorySegment;

/**
 * Alphabet of a word trie: which characters are letters, and which letters are the same.
 *
 * <p>A letter consists of one or more <em>steps</em>, which lead along the edges of nodes. Steps
 * are numbered in the order of letters in output, so that a walk through a trie in order of steps
 * gives words in byte order. Any other character ends a word.
 *
 * @since 0.1.0
 */
public enum Alphabet {

  /**
   * ASCII letters. Upper and lower case are the same letter, written in lower case. Each letter is
   * one byte and one step. A word is a sequence of letters.
   */
  ASCII_LETTERS("ascii", 'z' - 'a' + 1),

  /**
   * Letters of Unicode, in UTF-8: general categories L and, within a word, M.
   *
   * <p>A word is a letter with all following letters and combining marks. Words with vowel signs or
   * with separate accents stay whole, as UAX #29 requires. Apostrophes, hyphens and joiners do not
   * join letters. Text without spaces is not cut into words: a sequence of Han ideographs is one
   * word.
   *
   * <p>Letters are the same if the simple case folding of Unicode 15.1 makes them equal, and are
   * written in lower case. They are not normalised: an accented letter differs from the letter
   * followed by the accent. A byte that is not part of a well-formed code point separates words, as
   * do truncated and overlong forms and surrogates.
   */
  UNICODE_LETTERS("unicode", UnicodeTable.RADIX);

  /** Number of entries of a class table. */
  private static final int CLASSES = 256;

  /** Class of a byte that is not a letter. */
  public static final byte NO_LETTER = -1;

  private static final int FIRST_OF_MANY = 0x80;

  private final String label;
  private final int radix;

  Alphabet(String label, int radix) {
    this.label = label;
    this.radix = radix;
  }

  /** Returns the name of the alphabet: {@code ascii} or {@code unicode}. */
  public String label() {
    return label;
  }

  /**
   * Returns the alphabet with a given name.
   *
   * @throws IllegalArgumentException if no alphabet has this name; the message lists the names
   */
  public static Alphabet ofLabel(String label) {
    for (Alphabet alphabet : values()) {
      if (alphabet.label.equals(label)) {
        return alphabet;
      }
    }
    throw new IllegalArgumentException("no such alphabet: '" + label + "'; known: ascii, unicode");
  }

  /** Returns the number of steps. */
  @Internal
  public int radix() {
    return radix;
  }

  /**
   * Returns the step of the letter that a byte from 0 to 255 is, or {@link #NO_LETTER}. A byte of a
   * multi-byte letter is not a letter by itself.
   */
  @Internal
  public int letterOf(int unsignedByte) {
    int lower = unsignedByte | 0x20;
    return lower >= 'a' && lower <= 'z' ? lower - 'a' : NO_LETTER;
  }

  /** Returns whether a byte from 0 to 255 always separates words. */
  @Internal
  public boolean separates(int unsignedByte) {
    return letterOf(unsignedByte) == NO_LETTER
        && (this == ASCII_LETTERS || unsignedByte < FIRST_OF_MANY);
  }

  /** Returns the {@link Letter} that begins at a byte of a text, with its bytes. */
  @Internal
  public long letterAt(byte[] text, int at) {
    int first = text[at] & 0xff;
    if (first >= FIRST_OF_MANY) {
      return this == ASCII_LETTERS ? 1L << Integer.SIZE : Utf8.letterAt(text, at);
    }
    int step = letterOf(first);
    return 1L << Integer.SIZE | (step == NO_LETTER ? 0 : Letter.of(step + 1, 1, true));
  }

  /** Returns the UTF-8 bytes of some steps, without incomplete letters. */
  @Internal
  public byte[] bytesOf(byte[] steps) {
    return Utf8.bytesOf(steps);
  }

  /** Returns a new table of the letters in memory, for device functions. */
  @Internal
  public Memory table() {
    return this == ASCII_LETTERS ? classTable() : letterTable();
  }

  /** Returns the letters for kernels, with the {@link #table} of this alphabet. */
  @Internal
  public Letters letters(Memory table) {
    return this == ASCII_LETTERS
        ? new AsciiLetters(Bytes.of(table))
        : new UnicodeLetters(ThreadInts.of(table));
  }

  /**
   * Returns a new class table in memory, {@value #CLASSES} bytes: {@link #letterOf} for every byte.
   */
  private Memory classTable() {
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
