package dev.gyre.progress;

/**
 * Guarantees of a device.
 *
 * @param withinBlocks guarantee among the threads of one block
 * @param acrossBlocks guarantee among threads of different blocks
 * @param source how it was found out
 * @param because the evidence, in a few words
 * @since 0.1.0
 */
public record Classification(
    Guarantee withinBlocks, Guarantee acrossBlocks, Source source, String because) {

  /** How a guarantee was found out. */
  public enum Source {
    /** The device or its kind declares it. */
    DECLARED,
    /** Progress tests were run. */
    MEASURED,
    /** A measurement, read from the cache. */
    REMEMBERED
  }

  /** Returns what the threads of a launch with a given block size can rely on. */
  public Guarantee guarantee(int blockSize) {
    return blockSize == 1 ? acrossBlocks : Guarantee.weaker(withinBlocks, acrossBlocks);
  }

  /**
   * Throws if an operation would wait for threads that may never run.
   *
   * @throws ProgressUnavailableException if blocks of this size do not guarantee enough
   */
  public void require(String operation, ProgressClass progressClass, int blockSize) {
    if (!guarantee(blockSize).suffices(progressClass)) {
      throw new ProgressUnavailableException(
          "%s is %s and needs %s forward progress; with blocks of %d this device gives %s (%s)"
              .formatted(
                  operation,
                  progressClass.label(),
                  progressClass.needs().label(),
                  blockSize,
                  guarantee(blockSize).label(),
                  because));
    }
  }
}
