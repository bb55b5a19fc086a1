package dev.gyre.structures.trie;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/** A file cannot be loaded as a word trie; the message names it and says why. */
public final class TrieFileException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  /** What is wrong with a file. */
  public enum Kind {
    /** It does not begin as a saved trie does. */
    NO_TRIE,
    /** A later version of this library wrote it. */
    NEWER,
    /** It was saved on a machine that orders bytes the other way. */
    BYTE_ORDER,
    /** It is shorter or longer than it says, its checksum is wrong, or its nodes are no trie. */
    DAMAGED,
    /** Its words are of another alphabet than asked for. */
    OTHER_ALPHABET
  }

  private final Kind kind;

  TrieFileException(String file, Kind kind, String reason) {
    super(file + ": " + reason);
    this.kind = kind;
  }

  /** What is wrong. */
  public Kind kind() {
    return kind;
  }
}
