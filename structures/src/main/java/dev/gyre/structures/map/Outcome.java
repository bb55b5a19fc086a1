package dev.gyre.structures.map;

import dev.gyre.kernels.map.MapCodes;

/** What became of one key of a bulk operation. */
public enum Outcome {
  /** The mask left the key out. */
  SKIPPED(MapCodes.SKIPPED),
  /** The key was not in the map, and is now. */
  INSERTED(MapCodes.INSERTED),
  /** The key was in the map already, or an equal key of the same operation came first. */
  PRESENT(MapCodes.PRESENT),
  /** The key is not in the map, and there is no room for it. */
  FULL(MapCodes.FULL),
  /** The key was found. */
  FOUND(MapCodes.FOUND),
  /** The key is not in the map. */
  ABSENT(MapCodes.ABSENT);

  private static final Outcome[] ALL = values();

  private final byte code;

  Outcome(byte code) {
    this.code = code;
  }

  /** The byte that stands for this in {@link BulkOptions#outcomes}. */
  public byte code() {
    return code;
  }

  /**
   * The outcome that a byte stands for.
   *
   * @throws IllegalArgumentException if it stands for none
   */
  public static Outcome of(byte code) {
    if (code < 0 || code >= ALL.length) {
      throw new IllegalArgumentException("no outcome has the code " + code);
    }
    return ALL[code];
  }
}
