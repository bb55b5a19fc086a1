package dev.gyre.progress;

import java.util.Locale;

/**
 * How a device schedules threads, as defined in C++ [intro.progress]. Each guarantee includes the
 * ones before it.
 *
 * @since 0.1.0
 */
public enum Guarantee {
  /**
   * Some thread makes progress. A thread that has started may not run again until others end, as in
   * the warps of GPUs before Volta.
   */
  WEAKLY_PARALLEL,
  /**
   * Each thread that has started makes progress. A thread that has not started may wait until
   * others end.
   */
  PARALLEL,
  /** Each thread makes progress. */
  CONCURRENT;

  /** Returns whether this guarantee includes another. */
  public boolean covers(Guarantee other) {
    return compareTo(other) >= 0;
  }

  /** Returns whether operations of a progress class make progress under this guarantee. */
  public boolean suffices(ProgressClass operation) {
    return covers(operation.needs());
  }

  /** Returns the weaker of two guarantees. */
  public static Guarantee weaker(Guarantee one, Guarantee other) {
    return one.covers(other) ? other : one;
  }

  /** Returns the name in tables, such as {@code weakly parallel}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /**
   * Returns the guarantee with a given label.
   *
   * @throws IllegalArgumentException if no guarantee has this label
   */
  public static Guarantee ofLabel(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT).replace(' ', '_'));
  }
}
