package dev.gyre.progress;

import java.util.Locale;

/** How a target schedules threads, as C++ [intro.progress] says; each is more than those before. */
public enum Guarantee {
  /**
   * Some thread makes progress. A thread that has begun may not run again until others end, such as
   * the threads of a warp before Volta.
   */
  WEAKLY_PARALLEL,
  /**
   * A thread that has begun makes progress, whatever others do; one that has not begun may have to
   * wait for others to end.
   */
  PARALLEL,
  /** Every thread makes progress, whatever others do. */
  CONCURRENT;

  /** Whether this is as much as another, or more. */
  public boolean covers(Guarantee other) {
    return compareTo(other) >= 0;
  }

  /** Whether operations of a class make progress under this. */
  public boolean suffices(ProgressClass operation) {
    return covers(operation.needs());
  }

  /** The weaker of two. */
  public static Guarantee weaker(Guarantee one, Guarantee other) {
    return one.covers(other) ? other : one;
  }

  /** The name in tables, such as {@code weakly parallel}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /**
   * Finds a guarantee by its label.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Guarantee ofLabel(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT).replace(' ', '_'));
  }
}
