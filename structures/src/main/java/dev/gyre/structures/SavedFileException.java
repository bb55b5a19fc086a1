package dev.gyre.structures;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/** A file cannot be loaded as the structure asked for; the message names it and says why. */
public final class SavedFileException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  /** What is wrong with a file. */
  public enum Kind {
    /** It does not begin as a file of that structure does. */
    NOT_SAVED,
    /** A later version of this library wrote it. */
    NEWER,
    /**
     * An earlier version wrote it in a form that this one does not read; the message says which.
     */
    OLDER,
    /** It was saved on a machine that orders bytes the other way. */
    BYTE_ORDER,
    /** It is shorter or longer than it says, or a byte in it was changed. */
    DAMAGED,
    /** It holds keys, values, or words of another type than asked for. */
    OTHER_TYPE
  }

  private final Kind kind;

  public SavedFileException(String file, Kind kind, String reason) {
    super(file + ": " + reason);
    this.kind = kind;
  }

  /** What is wrong. */
  public Kind kind() {
    return kind;
  }
}
