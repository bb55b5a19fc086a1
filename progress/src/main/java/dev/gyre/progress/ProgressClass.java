package dev.gyre.progress;

import java.util.Locale;

/**
 * Progress class of an operation, as in the table of Herlihy and Shavit, "On the Nature of
 * Progress": which threads make progress, and under which scheduler.
 *
 * @since 0.1.0
 */
public enum ProgressClass {
  /** Every thread ends its operation in a bounded number of its own steps. */
  WAIT_FREE(false),
  /** Some thread ends its operation, whatever the scheduler does. */
  LOCK_FREE(false),
  /** Every thread that runs alone for long enough ends its operation. */
  OBSTRUCTION_FREE(false),
  /** Some thread ends its operation if threads run alone for long enough, without clashes. */
  CLASH_FREE(false),
  /** Every thread ends its operation if no thread is kept from running for ever. */
  STARVATION_FREE(true),
  /** Some thread ends its operation if no thread is kept from running for ever. */
  DEADLOCK_FREE(true);

  private final boolean blocking;

  ProgressClass(boolean blocking) {
    this.blocking = blocking;
  }

  /** Returns whether a thread that does not run can block others. */
  public boolean blocking() {
    return blocking;
  }

  /** Returns the weakest guarantee under which the operation makes progress. */
  public Guarantee needs() {
    return blocking ? Guarantee.PARALLEL : Guarantee.WEAKLY_PARALLEL;
  }

  /** Returns the name in tables, such as {@code lock-free}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
