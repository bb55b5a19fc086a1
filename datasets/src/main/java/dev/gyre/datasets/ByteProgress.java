package dev.gyre.datasets;

/** Told how much of a job of many bytes is done, for a progress bar. */
@FunctionalInterface
public interface ByteProgress {

  /** Total of a job whose size is not known before its end. */
  long UNKNOWN = -1;

  /** Tells nobody. */
  ByteProgress NONE = (done, total) -> {};

  /**
   * Called from time to time; {@code done} falls only where work was lost.
   *
   * @param done bytes done so far
   * @param total bytes expected, or {@link #UNKNOWN}
   */
  void update(long done, long total);
}
