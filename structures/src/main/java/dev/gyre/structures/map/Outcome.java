package dev.gyre.structures.map;

import dev.gyre.kernels.map.MapCodes;

/**
 * Outcome of one key of a bulk operation.
 *
 * @since 0.1.0
 */
public enum Outcome {
  /** A mask left the key out, or the operation did not try it. */
  SKIPPED(MapCodes.SKIPPED),
  /** The key was absent and has been inserted. */
  INSERTED(MapCodes.INSERTED),
  /** The key was present, or an equal key of the same operation came first. */
  PRESENT(MapCodes.PRESENT),
  /** The key is absent and does not fit in a map of fixed capacity. */
  FULL(MapCodes.FULL),
  /** The key was found. */
  FOUND(MapCodes.FOUND),
  /** The key is absent. */
  ABSENT(MapCodes.ABSENT),
  /** The key was present and has been removed; of equal keys of an operation, exactly one. */
  REMOVED(MapCodes.REMOVED_KEY);

  private static final Outcome[] ALL = values();

  private final byte code;

  Outcome(byte code) {
    this.code = code;
  }

  /** Returns the code of this outcome, as {@link BulkOptions#outcomes} writes it. */
  public byte code() {
    return code;
  }

  /**
   * Returns the outcome with a given code.
   *
   * @throws IllegalArgumentException if no outcome has this code
   */
  public static Outcome of(byte code) {
    for (Outcome outcome : ALL) {
      if (outcome.code == code) {
        return outcome;
      }
    }
    throw new IllegalArgumentException("no outcome has the code " + code);
  }
}
