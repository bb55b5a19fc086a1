package dev.gyre.datasets;

/**
 * Listener for the progress of a job, in bytes, for example for a progress bar.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ByteProgress {

  /** Total of a job whose size is unknown. */
  long UNKNOWN = -1;

  /** Does nothing. */
  ByteProgress NONE = (done, total) -> {};

  /**
   * Called from time to time. {@code done} decreases only if work was lost.
   *
   * @param done bytes done so far
   * @param total bytes expected, or {@link #UNKNOWN}
   */
  void update(long done, long total);
}
