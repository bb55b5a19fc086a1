package dev.gyre.progress;

/**
 * What a device was found to guarantee.
 *
 * @param withinBlocks among the threads of one block
 * @param acrossBlocks among threads of different blocks
 * @param source how it was found out
 * @param because the evidence, in a few words
 */
public record Classification(
    Guarantee withinBlocks, Guarantee acrossBlocks, Source source, String because) {

  /** How a guarantee was found out. */
  public enum Source {
    /** The device, or its kind, promises it. */
    DECLARED,
    /** Litmus tests of progress were run. */
    MEASURED,
    /** As measured, read from the cache. */
    REMEMBERED
  }

  /** What threads of a launch can rely on whose blocks are of a size. */
  public Guarantee guarantee(int blockSize) {
    return blockSize == 1 ? acrossBlocks : Guarantee.weaker(withinBlocks, acrossBlocks);
  }

  /**
   * Refuses an operation that would wait for threads that may never run.
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
