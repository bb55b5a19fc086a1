package dev.gyre.progress;

import java.util.Locale;

/**
 * What callers of an operation can rely on, as in the table of Herlihy and Shavit, "On the Nature
 * of Progress": whose progress, and under which scheduler.
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

  /** Whether every thread makes progress; else some thread does. */
  public boolean everyThread() {
    return everyThread;
  }

  /** Whether a thread that does not run can keep others from ending. */
  public boolean blocking() {
    return blocking;
  }

  /** Whether progress depends on how threads are scheduled. */
  public boolean dependsOnScheduler() {
    return dependsOnScheduler;
  }

  /** The weakest guarantee of a target under which the operation makes progress. */
  public Guarantee needs() {
    return blocking ? Guarantee.PARALLEL : Guarantee.WEAKLY_PARALLEL;
  }

  /** The name in tables, such as {@code lock-free}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
