package dev.gyre.progress.probe;

/**
 * Result of a progress test.
 *
 * @param test the test
 * @param outcome how it ended
 * @param threads number of device threads
 * @param stuck number of waits that gave up
 * @param seconds duration of the run
 * @param detail an error message, or empty
 * @since 0.1.0
 */
public record ProgressResult(
    ProgressTest test, Outcome outcome, int threads, long stuck, double seconds, String detail) {

  /** How a progress test ended. */
  public enum Outcome {
    /** All waits ended. */
    ENDED("ended"),
    /** Waits reached their limit of polls. */
    STUCK("stuck: no parallel progress"),
    /** The launch did not end and its process was killed. */
    HUNG("hung, and was killed: no parallel progress"),
    /** Two threads held the lock at once, or an increment under it was lost. */
    BROKEN("LOCK BROKEN"),
    /** The launch failed. */
    FAILED("FAILED");

    private final String label;

    Outcome(String label) {
      this.label = label;
    }

    /** Returns the outcome in words. */
    public String label() {
      return label;
    }
  }

  /** Returns whether all threads made progress. */
  public boolean ended() {
    return outcome == Outcome.ENDED;
  }

  /**
   * Returns whether this is an error of lock, kernel or driver, and not a mere lack of progress.
   */
  public boolean failed() {
    return outcome == Outcome.BROKEN || outcome == Outcome.FAILED;
  }
}
