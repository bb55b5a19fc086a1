package dev.gyre.structures.spark;

import dev.gyre.atomics.MemoryExhaustedException;

/**
 * A structure that is filled from the elements of a partition, in batches, within so much memory.
 *
 * <p>Before a batch, the most is reckoned that it can make the structure take: it grows to less
 * than twice of what it needs, and holds its old memory meanwhile. Where that is more than there
 * is, what the structure holds is put out first.
 */
abstract class Filler implements AutoCloseable {

  /** What is told a structure's entries. */
  interface Entries {
    /**
     * Takes the next entry in the order of keys.
     *
     * @param key whose first bytes are the key; the array is used again
     */
    void add(byte[] key, int length, long value);
  }

  private static final int GROWN = 3;

  private final long memory;
  private final Runnable full;

  /**
   * Nothing yet.
   *
   * @param memory most bytes off-heap
   * @param full has {@link #drain} called
   */
  Filler(long memory, Runnable full) {
    this.memory = memory;
    this.full = full;
  }

  /** Takes an element. */
  abstract void add(Rows row);

  /** Counts what is in the batch. */
  abstract void flush();

  /** Bytes that entries take in the structure. */
  abstract long held();

  /** Bytes that are taken beside the structure. */
  abstract long beside();

  abstract boolean isEmpty();

  /** Tells all entries, in the order of their keys, and forgets them. */
  abstract void drain(Entries to);

  /**
   * Sees to it that a batch has room.
   *
   * @param most bytes that it can add to the structure
   * @throws MemoryExhaustedException if there is not as much
   */
  final void require(long most) {
    if (needed(most) > memory && !isEmpty()) {
      full.run();
    }
    long needed = needed(most);
    if (needed > memory) {
      throw new MemoryExhaustedException(
          ("a task has %d bytes of off-heap memory, and one element, or a word of it, may need %d:"
                  + " give it more by spark.memory.offHeap.size, SparkOptions.memoryPerTask, or"
                  + " fewer tasks at a time")
              .formatted(memory, needed),
          needed,
          null);
    }
  }

  /** Bytes that a batch can add to the structure before there is no room for more. */
  final long free() {
    return (memory - beside()) / GROWN - held();
  }

  private long needed(long most) {
    return GROWN * (held() + most) + beside();
  }

  /** The most bytes of text or keys that a batch may have, for this much memory. */
  static int batchBytes(long memory, long mostPerByte, int least, int most) {
    long fits = Long.highestOneBit(memory / (2 * GROWN * mostPerByte));
    return Math.clamp(fits, least, most);
  }

  @Override
  public abstract void close();
}
