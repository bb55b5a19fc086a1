package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.Memory;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Which bytes are letters, and which of those are the same letter: the one place that knows.
 *
 * <p>Letters are numbered from 0 in the order of their bytes in output, so that a walk through a
 * trie by number gives words in byte order. A byte that is no letter ends a word.
 */
public final class Alphabet {

  /** Number of entries of a class table. */
  public static final int CLASSES = 256;

  /** Class of a byte that is no letter. */
  public static final byte NO_LETTER = -1;

  /** The letters of ASCII; upper and lower case are the same letter, written in lower case. */
  public static final Alphabet ASCII_LETTERS = asciiLetters();

  private final byte[] classes;
  private final byte[] letters;

  private Alphabet(byte[] classes, byte[] letters) {
    this.classes = classes;
    this.letters = letters;
  }

  private static Alphabet asciiLetters() {
    byte[] classes = new byte[CLASSES];
    byte[] letters = new byte['z' - 'a' + 1];
    Arrays.fill(classes, NO_LETTER);
    for (int i = 0; i < letters.length; i++) {
      classes['a' + i] = (byte) i;
      classes['A' + i] = (byte) i;
      letters[i] = (byte) ('a' + i);
    }
    return new Alphabet(classes, letters);
  }

  /**
   * Whether the words of this alphabet can be found eight bytes at a time; see {@link BuildTrie}.
   * So it is with the letters of ASCII where the lowest byte of a long is its first.
   */
  public boolean hasWindows() {
    return this == ASCII_LETTERS && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
  }

  /** Number of letters. */
  public int radix() {
    return letters.length;
  }

  /** The smallest shift for nodes of this alphabet; see {@link TrieLayout#nodeShift}. */
  public int nodeShift() {
    return TrieLayout.nodeShift(radix());
  }

  /** The number of the letter that a byte, from 0 to 255, is; {@link #NO_LETTER} if it is none. */
  public int letterOf(int unsignedByte) {
    return classes[unsignedByte];
  }

  /** The byte that a letter is written as. */
  public byte byteOf(int letter) {
    return letters[letter];
  }

  /** A new class table in memory, {@value #CLASSES} bytes, for device functions. */
  public Memory classTable() {
    Memory memory = Memory.ofBytes(CLASSES);
    Bytes table = Bytes.of(memory);
    for (int i = 0; i < CLASSES; i++) {
      table.set(i, classes[i]);
    }
    return memory;
  }
}
