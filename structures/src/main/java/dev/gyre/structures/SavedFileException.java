package dev.gyre.structures;

import dev.gyre.atomics.GyreException;
import java.io.Serial;

/**
 * Thrown if a saved file cannot be loaded. The message names the file and the reason; {@link #kind}
 * says what is wrong.
 *
 * @since 0.1.0
 */
public final class SavedFileException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  /** What is wrong with a file. */
  public enum Kind {
    /** The file does not begin with the header of a saved structure of this kind. */
    NOT_SAVED,
    /** A later version of Gyre wrote the file. */
    NEWER,
    /**
     * An earlier version of Gyre wrote the file in a format that this version cannot read. The
     * message names the format.
     */
    OLDER,
    /** The file was saved on a machine with the other byte order. */
    BYTE_ORDER,
    /** The file is truncated or too long, or its checksum does not match. */
    DAMAGED,
    /** The file holds keys, values or words of another type than the structure that loads it. */
    OTHER_TYPE
  }

  private final Kind kind;

  public SavedFileException(String file, Kind kind, String reason) {
    super(file + ": " + reason);
    this.kind = kind;
  }

  /** Returns what is wrong with the file. */
  public Kind kind() {
    return kind;
  }
}
