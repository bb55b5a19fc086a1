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
  WAIT_FREE(true, false, false),
  /** Some thread ends its operation, whatever the scheduler does. */
  LOCK_FREE(false, false, false),
  /** Every thread that runs alone for long enough ends its operation. */
  OBSTRUCTION_FREE(true, false, true),
  /** Some thread ends its operation if threads run alone for long enough, without clashes. */
  CLASH_FREE(false, false, true),
  /** Every thread ends its operation if no thread is kept from running for ever. */
  STARVATION_FREE(true, true, true),
  /** Some thread ends its operation if no thread is kept from running for ever. */
  DEADLOCK_FREE(false, true, true);

  private final boolean everyThread;
  private final boolean blocking;
  private final boolean dependsOnScheduler;

  ProgressClass(boolean everyThread, boolean blocking, boolean dependsOnScheduler) {
    this.everyThread = everyThread;
    this.blocking = blocking;
    this.dependsOnScheduler = dependsOnScheduler;
  }

  /** Returns whether every thread makes progress; otherwise some thread does. */
  public boolean everyThread() {
    return everyThread;
  }

  /** Returns whether a thread that does not run can block others. */
  public boolean blocking() {
    return blocking;
  }

  /** Returns whether progress depends on the scheduler. */
  public boolean dependsOnScheduler() {
    return dependsOnScheduler;
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
