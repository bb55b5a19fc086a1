package dev.gyre.progress.litmus;

/**
 * What came of a progress test.
 *
 * @param test the test
 * @param outcome how it ended
 * @param threads device threads that took part
 * @param stuck how many waits gave up
 * @param seconds how long it ran
 * @param detail an error, or nothing
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

    /** The outcome in words. */
    public String label() {
      return label;
    }
  }

  /** Whether all threads made progress. */
  public boolean ended() {
    return outcome == Outcome.ENDED;
  }

  /** Whether this is an error of lock, kernel or driver, and not just a lack of progress. */
  public boolean failed() {
    return outcome == Outcome.BROKEN || outcome == Outcome.FAILED;
  }
}
